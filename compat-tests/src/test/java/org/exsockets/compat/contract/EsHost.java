package org.exsockets.compat.contract;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.exsockets.api.Event;
import org.exsockets.api.EventQueue;
import org.exsockets.api.ExsMemory;
import org.exsockets.api.ExsServerSocket;
import org.exsockets.api.ExsSocket;
import org.exsockets.api.SocketType;
import org.exsockets.compat.harness.Patience;

/** One event queue and what is done with it again and again; for peer processes, too. Used by one thread. */
public final class EsHost implements AutoCloseable {

    private final EventQueue queue;
    private final Event[] one = Event.array(1);

    public EsHost() throws IOException {
        this(256);
    }

    public EsHost(int capacity) throws IOException {
        this.queue = EventQueue.create(capacity);
    }

    public EventQueue queue() {
        return queue;
    }

    /** Returns the next event, which is overwritten by the next call; waits for it. */
    public Event next() throws InterruptedException {
        Patience.await("an event", (timeout, unit) -> queue.dequeue(one, timeout, unit) == 1);
        return one[0];
    }

    /** As {@link #next}, which must be that of the operation, and as asked. */
    public Event done(long operation) throws InterruptedException {
        Event event = next();
        if (event.status() != Event.Status.DONE || event.operation() != operation) {
            throw new AssertionError("not the end of operation " + operation + ": " + event);
        }
        return event;
    }

    /** Fails unless {@code event} says that the operation's memory could not be copied. */
    static void assertBadAddress(long operation, Event event) {
        if (event.operation() != operation
                || event.status() != Event.Status.FAILED
                || !"Bad address".equals(event.failure().getMessage())) {
            throw new AssertionError("not the failed copy of operation " + operation + ": " + event);
        }
    }

    /** Connects, and waits for it. */
    public ExsSocket connect(SocketType type, InetSocketAddress remote) throws IOException, InterruptedException {
        ExsSocket socket = ExsSocket.open(type);
        done(socket.connect(remote, 0, queue, null));
        return socket;
    }

    /** Accepts, and waits for it. */
    public ExsSocket accept(ExsServerSocket listener) throws IOException, InterruptedException {
        return done(listener.accept(queue, null)).accepted();
    }

    /** Starts to receive into all of the memory. */
    public long receive(ExsSocket socket, ExsMemory memory) throws IOException {
        return socket.receive(memory, 0, memory.length(), 0, queue, null);
    }

    /** Starts to send all of the memory. */
    public long send(ExsSocket socket, ExsMemory memory) throws IOException {
        return socket.send(memory, 0, memory.length(), 0, queue, null);
    }

    @Override
    public void close() {
        queue.close();
    }
}
