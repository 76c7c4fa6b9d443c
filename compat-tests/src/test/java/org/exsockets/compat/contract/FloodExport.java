package org.exsockets.compat.contract;

import java.net.InetSocketAddress;
import org.exsockets.api.Event;
import org.exsockets.api.ExsMemory;
import org.exsockets.api.ExsSocket;
import org.exsockets.api.SocketType;
import org.exsockets.compat.harness.PeerProgram;

/**
 * Is told the number of an export in a packet of four bytes and fills all of it without end, with ones and twos in turn;
 * says how the first write ended that failed. Arguments: host, port, bytes of the export.
 */
public final class FloodExport implements PeerProgram {
    @Override
    public String run(String[] arguments) throws Exception {
        InetSocketAddress there = new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1]));
        int length = Integer.parseInt(arguments[2]);
        ExsMemory[] sources = {FloodPackets.filled(length, 1), FloodPackets.filled(length, 2)};
        try (EsHost host = new EsHost();
                ExsSocket socket = host.connect(SocketType.SEQPACKET, there)) {
            ExsMemory told = ExsMemory.allocate(4);
            host.done(host.receive(socket, told));
            int number = told.buffer().getInt(0);
            for (int i = 0; ; i++) {
                socket.write(number, 0, sources[i & 1], 0, length, 0, host.queue(), null);
                Event event = host.next();
                if (event.status() != Event.Status.DONE) {
                    return event.status() + ":" + event.failure().getMessage();
                }
            }
        }
    }
}
