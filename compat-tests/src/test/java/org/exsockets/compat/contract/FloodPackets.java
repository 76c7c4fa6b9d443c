package org.exsockets.compat.contract;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import org.exsockets.api.Event;
import org.exsockets.api.ExsMemory;
import org.exsockets.api.ExsSocket;
import org.exsockets.api.SocketType;
import org.exsockets.compat.harness.PeerProgram;

/**
 * Sends packets without end, those of odd number full of ones, the others full of twos; says how the first one ended that
 * failed. Arguments: host, port, bytes of each.
 */
public final class FloodPackets implements PeerProgram {
    @Override
    public String run(String[] arguments) throws Exception {
        InetSocketAddress there = new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1]));
        int length = Integer.parseInt(arguments[2]);
        ExsMemory[] sources = {filled(length, 1), filled(length, 2)};
        try (EsHost host = new EsHost();
                ExsSocket socket = host.connect(SocketType.SEQPACKET, there)) {
            for (int i = 0; ; i++) {
                host.send(socket, sources[i & 1]);
                Event event = host.next();
                if (event.status() != Event.Status.DONE) {
                    return event.status() + ":" + event.failure().getMessage();
                }
            }
        }
    }

    static ExsMemory filled(int length, int with) throws IOException {
        ExsMemory memory = ExsMemory.allocate(length);
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) with);
        memory.buffer().put(bytes);
        return memory;
    }
}
