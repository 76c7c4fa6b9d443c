package org.exsockets.compat.esapi.examples;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.exsockets.api.Event;
import org.exsockets.api.EventQueue;
import org.exsockets.api.ExsMemory;
import org.exsockets.api.ExsServerSocket;
import org.exsockets.api.ExsSocket;
import org.exsockets.api.SocketType;

/** Sends 16 MiB with eight operations under way. The peer could be any TCP program. */
public final class StreamExample {
    private static final int PIECE = 1 << 20;
    private static final int PIECES = 16;
    private static final int UNDER_WAY = 8;

    private StreamExample() {}

    public static void main(String[] args) throws Exception {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (EventQueue queue = EventQueue.create(64);
                ExsServerSocket listener = ExsServerSocket.listen(SocketType.STREAM, anyPort, 0);
                ExsSocket client = ExsSocket.open(SocketType.STREAM)) {
            listener.accept(queue, null);
            client.connect(listener.localAddress(), 0, queue, null);
            ExsSocket server = null;
            Event[] events = Event.array(16);
            for (int ended = 0; ended < 2; ) {
                int n = queue.dequeue(events);
                for (int i = 0; i < n; i++, ended++) {
                    if (succeeded(events[i]).type() == Event.Type.ACCEPT) {
                        server = events[i].accepted();
                    }
                }
            }

            ExsMemory out = ExsMemory.allocate(UNDER_WAY * PIECE);
            ExsMemory in = ExsMemory.allocate(UNDER_WAY * PIECE);
            int begun = 0;
            for (; begun < UNDER_WAY; begun++) {
                server.receive(in, begun * PIECE, PIECE, ExsSocket.MSG_WAITALL, queue, begun);
                client.send(out, begun * PIECE, PIECE, 0, queue, begun);
            }
            int begunReceives = begun;
            long received = 0;
            while (received < (long) PIECES * PIECE) {
                int n = queue.dequeue(events);
                for (int i = 0; i < n; i++) {
                    // The context is where the piece lies: what has ended makes room for the next.
                    int place = (Integer) succeeded(events[i]).context();
                    if (events[i].type() == Event.Type.RECEIVE) {
                        received += events[i].length();
                        if (begunReceives++ < PIECES) {
                            server.receive(in, place * PIECE, PIECE, ExsSocket.MSG_WAITALL, queue, place);
                        }
                    } else if (begun++ < PIECES) {
                        client.send(out, place * PIECE, PIECE, 0, queue, place);
                    }
                }
            }
            server.close();
            System.out.println("received " + received + " bytes over " + client.transport());
        }
    }

    private static Event succeeded(Event event) throws Exception {
        if (event.status() != Event.Status.DONE) {
            throw new IllegalStateException(event.toString(), event.failure());
        }
        return event;
    }
}
