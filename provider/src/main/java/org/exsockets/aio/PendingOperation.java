package org.exsockets.aio;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CompletionHandler;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.exsockets.jdk.BufferSessions;
import org.jspecify.annotations.Nullable;

/**
 * An operation that could not be done at once, and what a program without a handler gets for it. Only the thread that
 * removes it from its {@link Direction}, under the direction's lock, ends it: the leader of the group, a time-out, a
 * cancel or a close. {@link #run} calls the handler.
 *
 * @param <V> what the operation yields
 * @param <A> the program's attachment
 */
final class PendingOperation<V, A> implements Runnable, Future<V> {
    /** What an operation is pending in. */
    interface Source {
        /** {@return whether the operation was pending, and is not any more} */
        boolean cancel(PendingOperation<?, ?> operation);

        void closeChannel();
    }

    /** Deadlines can be compared only if their difference fits into a long. */
    private static final long MAX_TIMEOUT_NS = Long.MAX_VALUE / 2;

    private final Source source;

    /** Null where the program has a future. */
    private final @Nullable CompletionHandler<V, ? super A> handler;

    private final @Nullable A attachment;

    // To be filled or emptied: exactly one of the two, for reads and writes; null otherwise, and once the operation has
    // ended, as the program may keep its future.
    @Nullable
    ByteBuffer buffer;

    ByteBuffer @Nullable [] buffers;

    /** By {@link System#nanoTime}; valid only if {@link #timed}. */
    final long deadlineNs;

    final boolean timed;

    /** The arenas of the buffers, held by {@link BufferSessions} until the operation has ended; null: none. */
    private @Nullable Object held;

    /** Of a future; null where there is a handler. */
    private final CountDownLatch done;

    // Written by the thread that ends the operation, before the latch is opened or a thread gets the operation to run.
    private @Nullable V result;
    private @Nullable Throwable failure;
    private boolean cancelled;

    /** Never pending: as in the JDK, its future looks at the unit of a time. Written before the program has it. */
    private boolean atOnce;

    /** @param timeoutNs 0: none */
    @SuppressWarnings("NullAway") // Of an operation with a handler nobody has the future.
    PendingOperation(
            Source source,
            @Nullable CompletionHandler<V, ? super A> handler,
            @Nullable A attachment,
            @Nullable ByteBuffer buffer,
            ByteBuffer @Nullable [] buffers,
            @Nullable Object held,
            long timeoutNs) {
        this.source = source;
        this.handler = handler;
        this.attachment = attachment;
        this.buffer = buffer;
        this.buffers = buffers;
        this.held = held;
        this.done = handler == null ? new CountDownLatch(1) : null;
        this.timed = timeoutNs > 0;
        this.deadlineNs = timed ? System.nanoTime() + Math.min(timeoutNs, MAX_TIMEOUT_NS) : 0;
    }

    /** {@return whether it has timed out} */
    boolean isOverdue() {
        return timed && deadlineNs - System.nanoTime() <= 0;
    }

    /**
     * {@return whether a handler must be run now; a future is set here} As in the JDK, anything but an IOException or
     * SecurityException becomes the cause of an IOException in a future.
     */
    @SuppressWarnings("unchecked") // Each direction yields one type, that of the operations it takes.
    boolean end(@Nullable Object value, @Nullable Throwable cause) {
        letGo();
        result = (V) value;
        if (handler != null) {
            failure = cause;
            return true;
        }
        failure = cause == null || cause instanceof IOException || cause instanceof SecurityException
                ? cause
                : new IOException(cause);
        done.countDown();
        return false;
    }

    /** Ends a future that the program does not have yet. {@return it} */
    PendingOperation<V, A> endedAtOnce(@Nullable V value, @Nullable Throwable cause) {
        end(value, cause);
        atOnce = true;
        return this;
    }

    private void letGo() {
        BufferSessions.release(held);
        held = null;
        buffer = null;
        buffers = null;
    }

    @Override
    @SuppressWarnings("NullAway") // Only if end has said that there is a handler.
    public void run() {
        HandlerThread.call(handler, attachment, result, failure);
    }

    /** With or without {@code closeChannel}, no such operation is possible afterwards: bytes may have been lost. */
    @Override
    public boolean cancel(boolean closeChannel) {
        if (!source.cancel(this)) {
            return false;
        }
        letGo();
        cancelled = true;
        try {
            if (closeChannel) {
                source.closeChannel();
            }
        } finally {
            done.countDown(); // A waiting thread finds the channel closed.
        }
        return true;
    }

    @Override
    public boolean isCancelled() {
        return isDone() && cancelled;
    }

    @Override
    public boolean isDone() {
        return done.getCount() == 0;
    }

    @Override
    public @Nullable V get() throws InterruptedException, ExecutionException {
        if (!isDone()) { // As in the JDK, an interrupted thread gets a result that is there.
            done.await();
        }
        return outcome();
    }

    @Override
    public @Nullable V get(long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        if (atOnce) {
            Objects.requireNonNull(unit);
        }
        if (!isDone() && !done.await(timeout, unit)) {
            throw new TimeoutException();
        }
        return outcome();
    }

    private @Nullable V outcome() throws ExecutionException {
        if (cancelled) {
            throw new CancellationException();
        }
        if (failure != null) {
            throw new ExecutionException(failure);
        }
        return result;
    }
}
