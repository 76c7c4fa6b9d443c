package org.exsockets.api;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Where events are delivered and waited for ({@code exs_qcreate}). Any number of sockets may use a queue, and a socket any
 * number of queues: each operation names the one that its event goes to. Thread-safe.
 *
 * <p>Events of the receives of one socket come in the order of the receives, those of its sends and writes in theirs.
 */
public interface EventQueue extends AutoCloseable {
    /**
     * Creates a queue.
     *
     * @param capacity operations under way and events not dequeued that the queue can have in all, 1 to 1,000,000; starting
     *     one more is refused, so that no event is ever lost
     * @throws IOException if the process has no descriptors left
     */
    static EventQueue create(int capacity) throws IOException {
        return Binding.provider().createQueue(capacity);
    }

    /**
     * Takes events, waiting for the first one ({@code exs_qdequeue}). Waits by looking at memory for a while, where that
     * pays, then by sleeping. Several threads may wait: one at a time does the work for all, the others wait for it.
     *
     * @param into from {@link Event#array}; the first ones are filled in
     * @param timeout longest wait; 0 to take only what is there, negative for no limit
     * @return events taken, 1 to {@code into.length}; 0 if the time was over
     * @throws InterruptedException if the thread was interrupted while it waited; no event is lost
     * @throws IllegalStateException if the queue is closed, before or during the call
     */
    int dequeue(Event[] into, long timeout, TimeUnit unit) throws InterruptedException;

    /** As {@link #dequeue(Event[], long, TimeUnit)} without a limit of time. */
    default int dequeue(Event[] into) throws InterruptedException {
        return dequeue(into, -1, TimeUnit.NANOSECONDS);
    }

    /**
     * Has {@code callback} run once, as soon as there is an event: at once if there is one already. For programs that wait
     * for other things, too: {@code queue.notifyOnce(selector::wakeup)} before {@link java.nio.channels.Selector#select()}
     * makes any selector return when an event is there.
     *
     * <p>Until then the work that {@link #dequeue} does goes on in the background; it costs a moment for each socket of the
     * queue that has been busy since the last time, and waking goes through one more thread: {@link #dequeue} is faster
     * where nothing else is waited for.
     *
     * @param callback runs in any thread that finds an event; must neither block nor call this API. A later call replaces it
     * @throws IllegalStateException if the queue is closed
     */
    void notifyOnce(Runnable callback);

    /**
     * Deletes the queue ({@code exs_qdelete}). Its events are dropped, and with them connections accepted that nobody has
     * been told of, which are closed. Its operations are cancelled without an event: when this returns, none of them uses
     * memory any more. Sockets stay open. But where the peer cannot be kept from memory it was given by other means, or an
     * operation was half done so that what follows would begin in the middle, the connection is reset. Threads in
     * {@link #dequeue} are told. Idempotent.
     */
    @Override
    void close();
}
