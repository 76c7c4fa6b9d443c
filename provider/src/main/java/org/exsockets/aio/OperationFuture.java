package org.exsockets.aio;

import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * What a program without a handler gets for an operation. Thread-safe; set once, by the thread that removed the
 * operation from its {@link Direction}.
 *
 * @param <V> what the operation yields
 */
final class OperationFuture<V> implements Future<V> {
    /** What an operation is pending in. */
    interface Source {
        /** {@return whether the operation was pending, and is not any more} */
        boolean cancel(OperationFuture<?> future);

        void closeChannel();
    }

    /** Null if the operation was done at its start. */
    private final @Nullable Source source;

    private final CountDownLatch done = new CountDownLatch(1);

    // Written before the latch is opened, read after.
    private @Nullable V result;
    private @Nullable Throwable failure;
    private boolean cancelled;

    OperationFuture(@Nullable Source source) {
        this.source = source;
    }

    static <V> OperationFuture<V> done(@Nullable V result, @Nullable Throwable failure) {
        OperationFuture<V> future = new OperationFuture<>(null);
        future.set(result, failure);
        return future;
    }

    /** As in the JDK, anything but an IOException or SecurityException becomes the cause of an IOException. */
    void set(@Nullable V value, @Nullable Throwable cause) {
        result = value;
        failure = cause == null || cause instanceof IOException || cause instanceof SecurityException
                ? cause
                : new IOException(cause);
        done.countDown();
    }

    /** With or without {@code closeChannel}, no such operation is possible afterwards: bytes may have been lost. */
    @Override
    public boolean cancel(boolean closeChannel) {
        if (source == null || !source.cancel(this)) {
            return false;
        }
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
