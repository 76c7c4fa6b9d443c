package org.exsockets.compat.esapi.examples;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.Selector;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.exsockets.api.Event;
import org.exsockets.api.EventQueue;
import org.exsockets.api.ExsMemory;
import org.exsockets.api.ExsServerSocket;
import org.exsockets.api.ExsSocket;
import org.exsockets.api.SocketType;

/** Sends packets, one of them too long for its receive, and waits for them in a selector. */
public final class PacketExample {
    private PacketExample() {}

    public static void main(String[] args) throws Exception {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (EventQueue queue = EventQueue.create(16);
                Selector selector = Selector.open();
                ExsServerSocket listener = ExsServerSocket.listen(SocketType.SEQPACKET, anyPort, 0);
                ExsSocket client = ExsSocket.open(SocketType.SEQPACKET)) {
            client.connect(listener.localAddress(), 0, queue, null);
            next(queue, selector);
            listener.accept(queue, null);
            ExsSocket server = next(queue, selector).accepted();

            ExsMemory in = ExsMemory.allocate(20);
            server.receive(in, 0, 10, 0, queue, null);
            server.receive(in, 10, 10, 0, queue, null);
            ExsMemory out = ExsMemory.allocate(64);
            for (String text : new String[] {"short", "much too long"}) {
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                out.buffer().put(bytes);
                client.send(out, 0, bytes.length, 0, queue, null);
                // One event says that the packet is here, the other one that its memory may be used again.
                for (int i = 0; i < 2; i++) {
                    Event event = next(queue, selector);
                    if (event.type() == Event.Type.RECEIVE) {
                        System.out.println(event.length() + " of " + event.packetLength() + " bytes"
                                + (event.truncated() ? ", truncated" : ""));
                    }
                }
            }
            server.receive(in, 0, 10, 0, queue, null);
            client.shutdownOutput();
            System.out.println("end: " + next(queue, selector).endOfStream());
            server.close();
        }
    }

    /** Channels could be registered with the selector, too: it returns for whatever comes first. */
    private static Event next(EventQueue queue, Selector selector) throws Exception {
        Event[] one = Event.array(1);
        while (queue.dequeue(one, 0, TimeUnit.NANOSECONDS) == 0) {
            queue.notifyOnce(selector::wakeup);
            selector.select();
        }
        if (one[0].status() != Event.Status.DONE) {
            throw new IllegalStateException(one[0].toString(), one[0].failure());
        }
        return one[0];
    }
}
