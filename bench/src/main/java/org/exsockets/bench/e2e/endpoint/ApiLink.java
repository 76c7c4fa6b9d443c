package org.exsockets.bench.e2e.endpoint;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.exsockets.api.Event;
import org.exsockets.api.EventQueue;
import org.exsockets.api.ExsMemory;
import org.exsockets.api.ExsServerSocket;
import org.exsockets.api.ExsSocket;
import org.exsockets.api.SocketType;

/**
 * Connections through the ES-API, all on one event queue, each with slots of memory for its messages. Used by one
 * thread.
 */
final class ApiLink implements Closeable {
    private static final int BATCH = 64;
    private static final int BACKLOG = 64;
    private static final int QUEUE_CAPACITY = 65_536;

    final EventQueue queue;
    final Event[] events = Event.array(BATCH);
    final Connection[] connections;
    private final SocketType type;
    private final int slots;
    private final int strideBytes;
    private ExsServerSocket listener;

    /** One connection, with memory for {@link #slots} messages. */
    static final class Connection {
        final ExsSocket socket;
        final ExsMemory memory;
        final ByteBuffer bytes;
        private final int strideBytes;

        /** Messages sent or received so far. */
        long sequence;

        boolean last;

        Connection(ExsSocket socket, ExsMemory memory, int strideBytes) {
            this.socket = socket;
            this.memory = memory;
            this.strideBytes = strideBytes;
            bytes = memory.buffer();
        }

        int offset(int slot) {
            return slot * strideBytes;
        }
    }

    /** The slot of an event's message; made once. */
    record Slot(Connection connection, int number) {}

    ApiLink(Fields spec, int sizeBytes, int slots) throws IOException {
        type = spec.has("type") ? SocketType.valueOf(spec.text("type")) : SocketType.STREAM;
        this.slots = slots;
        strideBytes = (sizeBytes + ExsMemory.PAGE_BYTES - 1) / ExsMemory.PAGE_BYTES * ExsMemory.PAGE_BYTES;
        connections = new Connection[spec.has("connections") ? spec.integer("connections") : 1];
        queue = EventQueue.create(QUEUE_CAPACITY);
    }

    int listen() throws IOException {
        listener = ExsServerSocket.listen(type, Listening.anyPort(), BACKLOG);
        return listener.localAddress().getPort();
    }

    void accept() throws IOException {
        for (int i = 0; i < connections.length; i++) {
            listener.accept(queue, null);
            connections[i] = connection(one().accepted());
        }
    }

    void connect(int port) throws IOException {
        for (int i = 0; i < connections.length; i++) {
            ExsSocket socket = ExsSocket.open(type);
            socket.connect(new InetSocketAddress(Listening.host(), port), ExsSocket.EXS_ONLY, queue, null);
            one();
            connections[i] = connection(socket);
        }
    }

    private Connection connection(ExsSocket socket) throws IOException {
        return new Connection(socket, ExsMemory.allocate(slots * strideBytes), strideBytes);
    }

    /** {@return the next event, which must be a success} */
    Event one() throws IOException {
        Event[] single = Event.array(1);
        take(single);
        return single[0];
    }

    /** {@return how many events there are, all of them successes} */
    int take() throws IOException {
        return take(events);
    }

    private int take(Event[] into) throws IOException {
        try {
            int count = queue.dequeue(into, 20, TimeUnit.SECONDS);
            if (count == 0) {
                throw new IOException("no event within 20 s");
            }
            for (int i = 0; i < count; i++) {
                if (into[i].status() != Event.Status.DONE || into[i].endOfStream()) {
                    throw new IOException(into[i].type() + " ended: " + into[i].status(), into[i].failure());
                }
            }
            return count;
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        for (Connection connection : connections) {
            if (connection != null) {
                connection.socket.close();
                connection.memory.close();
            }
        }
        if (listener != null) {
            listener.close();
        }
        queue.close();
    }
}
