package org.exsockets.compat.esapi.examples;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.exsockets.api.Event;
import org.exsockets.api.EventQueue;
import org.exsockets.api.Export;
import org.exsockets.api.ExsMemory;
import org.exsockets.api.ExsServerSocket;
import org.exsockets.api.ExsSocket;
import org.exsockets.api.SocketType;

/** Lets the client write into a table of the server, and be told of each row. */
public final class PlacementExample {
    private static final int ROW = ExsMemory.PAGE_BYTES;
    private static final int ROWS = 16;

    private PlacementExample() {}

    public static void main(String[] args) throws Exception {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (EventQueue queue = EventQueue.create(16);
                ExsServerSocket listener = ExsServerSocket.listen(SocketType.SEQPACKET, anyPort, 0);
                ExsSocket client = ExsSocket.open(SocketType.SEQPACKET)) {
            client.connect(listener.localAddress(), 0, queue, null);
            next(queue);
            listener.accept(queue, null);
            ExsSocket server = next(queue).accepted();

            // The server exports the table and tells the client its number.
            ExsMemory table = ExsMemory.allocate(ROWS * ROW);
            ExsMemory note = ExsMemory.allocate(4);
            Export export = server.export(table, 0, ROWS * ROW);
            ExsMemory told = ExsMemory.allocate(4);
            client.receive(told, 0, 4, 0, queue, null);
            note.buffer().putInt(export.number());
            server.send(note, 0, 4, 0, queue, null);
            next(queue);
            next(queue);

            // The client writes row 5; the server's next receive tells of it.
            ExsMemory row = ExsMemory.allocate(ROW);
            row.buffer().putInt(42);
            server.receive(note, 0, 0, 0, queue, null);
            client.write(told.buffer().getInt(), 5L * ROW, row, 0, ROW, ExsSocket.MSG_NOTIFY, queue, null);
            for (int i = 0; i < 2; i++) {
                Event event = next(queue);
                if (event.type() == Event.Type.RECEIVE) {
                    System.out.println("row " + event.notifiedOffset() / ROW + " begins with "
                            + table.buffer().getInt((int) event.notifiedOffset()));
                }
            }

            // When the event is there, the table is the server's alone.
            server.unexport(export, queue, null);
            next(queue);
            table.close();
            server.close();
        }
    }

    private static Event next(EventQueue queue) throws Exception {
        Event[] one = Event.array(1);
        queue.dequeue(one);
        if (one[0].status() != Event.Status.DONE) {
            throw new IllegalStateException(one[0].toString(), one[0].failure());
        }
        return one[0];
    }
}
