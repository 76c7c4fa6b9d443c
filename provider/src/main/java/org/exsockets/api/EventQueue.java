package org.exsockets.api;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Where events are delivered and waited for ({@code exs_qcreate}). Any number of sockets may use a queue, and a socket
 * any number of queues: each operation names the queue of its event. Thread-safe.
 *
 * <p>For each socket, events of receives come in the receives' order, and events of sends and writes in theirs.
 */
public interface EventQueue extends AutoCloseable {
    /**
     * Creates a queue.
     *
     * @param capacity most operations under way and events not dequeued, in all, 1 to 1,000,000; one more operation is
     *     refused, so that there is room for each event
     * @throws IOException if the process has no descriptors left
     */
    static EventQueue create(int capacity) throws IOException {
        return Binding.provider().createQueue(capacity);
    }

    /**
     * Takes events, waiting for the first one ({@code exs_qdequeue}). A waiting thread spins where that pays, then
     * sleeps. Several threads may wait: one at a time does the work for all, the others wait for their turn.
     *
     * @param into from {@link Event#array}; the first ones are filled in
     * @param timeout longest wait; 0 to take only what is there, negative for no limit
     * @return events taken, 1 to {@code into.length}; 0 after the timeout
     * @throws InterruptedException if the thread was interrupted while it waited; no event is lost
     * @throws IllegalStateException if the queue is closed, before or during the call
     */
    int dequeue(Event[] into, long timeout, TimeUnit unit) throws InterruptedException;

    /** As {@link #dequeue(Event[], long, TimeUnit)} without a limit of time. */
    default int dequeue(Event[] into) throws InterruptedException {
        return dequeue(into, -1, TimeUnit.NANOSECONDS);
    }

    /**
     * Runs {@code callback} once, as soon as there is an event: at once if there is one already. For programs that also
     * wait for other things: {@code queue.notifyOnce(selector::wakeup)} before
     * {@link java.nio.channels.Selector#select()} makes any selector return when an event is there.
     *
     * <p>For a program that waits for nothing else, {@link #dequeue} is faster. Asking for a notification costs a
     * moment for each socket of the queue that has been busy since the last time, and the wake-up passes through one
     * more thread. Until the callback runs, the background does the work of {@link #dequeue}.
     *
     * @param callback runs in any thread that finds an event; must not block or call this API. A later call replaces it
     * @throws IllegalStateException if the queue is closed
     */
    void notifyOnce(Runnable callback);

    /**
     * Deletes the queue ({@code exs_qdelete}) and drops its events; accepted connections in them are closed. Its
     * operations are cancelled without an event: when this returns, none of them uses memory any more. Sockets stay
     * open. But a connection is reset if only that keeps the peer from memory of an operation, or if an operation was
     * half done, so that the next one would begin in the middle. Threads in {@link #dequeue} get an
     * {@link IllegalStateException}. Idempotent.
     */
    @Override
    void close();
}
