package org.exsockets.compat.contract;

import java.net.InetSocketAddress;
import org.exsockets.api.Event;
import org.exsockets.api.ExsMemory;
import org.exsockets.api.ExsSocket;
import org.exsockets.api.SocketType;
import org.exsockets.compat.harness.PeerProgram;

/** Sends every packet back until there are no more; says how many there were. Arguments: host, port, receives, bytes of each. */
public final class EchoPackets implements PeerProgram {
    @Override
    public String run(String[] arguments) throws Exception {
        InetSocketAddress there = new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1]));
        int window = Integer.parseInt(arguments[2]);
        int length = Integer.parseInt(arguments[3]);
        int packets = 0;
        try (EsHost host = new EsHost(2 * window + 1);
                ExsSocket socket = host.connect(SocketType.SEQPACKET, there)) {
            ExsMemory memory = ExsMemory.allocate(window * length);
            for (int i = 0; i < window; i++) {
                socket.receive(memory, i * length, length, 0, host.queue(), i);
            }
            Event[] batch = Event.array(window);
            while (true) {
                int n = host.queue().dequeue(batch);
                for (int i = 0; i < n; i++) {
                    Event event = batch[i];
                    if (event.status() != Event.Status.DONE) {
                        throw new IllegalStateException(event.toString());
                    }
                    if (event.endOfStream()) {
                        return Integer.toString(packets);
                    }
                    int slot = (Integer) event.context();
                    if (event.type() == Event.Type.RECEIVE) {
                        packets++;
                        socket.send(memory, slot * length, event.length(), 0, host.queue(), slot);
                    } else {
                        socket.receive(memory, slot * length, length, 0, host.queue(), slot);
                    }
                }
            }
        }
    }
}
