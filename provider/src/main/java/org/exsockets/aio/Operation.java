package org.exsockets.aio;

import java.nio.ByteBuffer;
import java.nio.channels.CompletionHandler;
import org.exsockets.jdk.BufferSessions;

/**
 * An operation that could not be done at once. Whoever takes it out of its {@link Direction}, under that one's lock,
 * completes it, and nobody else: the leader of the group, a time-out, a cancel or a close. Run, it tells the handler.
 *
 * @param <V> what the operation yields
 * @param <A> the program's attachment
 */
final class Operation<V, A> implements Runnable {
    /** Of two deadlines the earlier one is known as long as they are not further apart than a long can count. */
    private static final long MAX_TIMEOUT_NS = Long.MAX_VALUE / 2;

    /** Null where the program has a future. */
    private final CompletionHandler<V, ? super A> handler;

    private final A attachment;

    /** Null where the program has a handler. */
    final OperationFuture<V> future;

    /** What is to be filled or emptied: exactly one of the two, for reads and writes. */
    final ByteBuffer buffer;

    final ByteBuffer[] buffers;

    /** By {@link System#nanoTime}; counts only if {@link #timed}. */
    final long deadlineNs;

    final boolean timed;

    /** Of {@link BufferSessions}: the arenas of the buffers, until it is complete. */
    private final Object held;

    // Written by the one who completes it, before it is handed to the thread that runs it.
    private V result;
    private Throwable failure;

    /** @param timeoutNs 0: none */
    Operation(
            CompletionHandler<V, ? super A> handler,
            A attachment,
            OperationFuture<V> future,
            ByteBuffer buffer,
            ByteBuffer[] buffers,
            Object held,
            long timeoutNs) {
        this.handler = handler;
        this.attachment = attachment;
        this.future = future;
        this.buffer = buffer;
        this.buffers = buffers;
        this.held = held;
        this.timed = timeoutNs > 0;
        this.deadlineNs = timed ? System.nanoTime() + Math.min(timeoutNs, MAX_TIMEOUT_NS) : 0;
    }

    /** {@return whether its time is over} */
    boolean isOverdue() {
        return timed && deadlineNs - System.nanoTime() <= 0;
    }

    /** {@return whether a handler is to be run now; a future is told here and now} */
    @SuppressWarnings("unchecked") // Each direction yields one type, that of the operations it takes.
    boolean complete(Object value, Throwable cause) {
        result = (V) value;
        failure = cause;
        BufferSessions.release(held);
        if (future != null) {
            future.set(result, cause);
            return false;
        }
        return true;
    }

    @Override
    public void run() {
        HandlerThread.call(handler, attachment, result, failure);
    }
}
