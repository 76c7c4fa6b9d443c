package org.exsockets.aio;

import java.nio.ByteBuffer;
import java.nio.channels.CompletionHandler;
import org.exsockets.jdk.BufferSessions;
import org.jspecify.annotations.Nullable;

/**
 * An operation that could not be done at once. Only the thread that removes it from its {@link Direction}, under the
 * direction's lock, completes it: the leader of the group, a time-out, a cancel or a close. {@link #run} calls the
 * handler.
 *
 * @param <V> what the operation yields
 * @param <A> the program's attachment
 */
final class PendingOperation<V, A> implements Runnable {
    /** Deadlines can be compared only if their difference fits into a long. */
    private static final long MAX_TIMEOUT_NS = Long.MAX_VALUE / 2;

    /** Null where the program has a future. */
    private final @Nullable CompletionHandler<V, ? super A> handler;

    private final @Nullable A attachment;

    /** Null where the program has a handler. */
    final @Nullable OperationFuture<V> future;

    /** To be filled or emptied: exactly one of the two, for reads and writes; null otherwise. */
    final @Nullable ByteBuffer buffer;

    final ByteBuffer @Nullable [] buffers;

    /** By {@link System#nanoTime}; valid only if {@link #timed}. */
    final long deadlineNs;

    final boolean timed;

    /** The arenas of the buffers, held by {@link BufferSessions} until the operation is complete; null: none. */
    private final @Nullable Object held;

    // Written by the completing thread, before the operation is handed to the thread that runs it.
    private @Nullable V result;
    private @Nullable Throwable failure;

    /** @param timeoutNs 0: none */
    PendingOperation(
            @Nullable CompletionHandler<V, ? super A> handler,
            @Nullable A attachment,
            @Nullable OperationFuture<V> future,
            @Nullable ByteBuffer buffer,
            ByteBuffer @Nullable [] buffers,
            @Nullable Object held,
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

    /** {@return whether it has timed out} */
    boolean isOverdue() {
        return timed && deadlineNs - System.nanoTime() <= 0;
    }

    /** {@return whether a handler must be run now; a future is set here} */
    @SuppressWarnings("unchecked") // Each direction yields one type, that of the operations it takes.
    boolean complete(@Nullable Object value, @Nullable Throwable cause) {
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
    @SuppressWarnings("NullAway") // Only if complete has said that there is a handler.
    public void run() {
        HandlerThread.call(handler, attachment, result, failure);
    }
}
