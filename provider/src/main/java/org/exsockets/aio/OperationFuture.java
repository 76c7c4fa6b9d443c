package org.exsockets.aio;

import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * What a program without a handler gets for an operation. Thread-safe; set once, by whoever took the operation out of
 * its {@link Direction}.
 *
 * @param <V> what the operation yields
 */
final class OperationFuture<V> implements Future<V> {
    /** Null for one that was done when it was made. */
    private final Direction direction;

    private final CountDownLatch done = new CountDownLatch(1);

    // Written before the latch is opened, read after.
    private V result;
    private Throwable failure;
    private boolean cancelled;

    OperationFuture(Direction direction) {
        this.direction = direction;
    }

    static <V> OperationFuture<V> done(V result, Throwable failure) {
        OperationFuture<V> future = new OperationFuture<>(null);
        future.set(result, failure);
        return future;
    }

    /** As in the JDK, exceptions that are not checked come as the cause of one that is. */
    void set(V value, Throwable cause) {
        result = value;
        failure = cause == null || cause instanceof IOException || cause instanceof SecurityException
                ? cause
                : new IOException(cause);
        done.countDown();
    }

    /** Whatever {@code closeChannel} says, no operation of this kind is possible afterwards: bytes may have been lost. */
    @Override
    public boolean cancel(boolean closeChannel) {
        if (direction == null || !direction.cancel(this)) {
            return false;
        }
        cancelled = true;
        try {
            if (closeChannel) {
                direction.closeChannel();
            }
        } finally {
            done.countDown(); // Whoever waits finds the channel closed.
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
    public V get() throws InterruptedException, ExecutionException {
        if (!isDone()) { // Of what is done the JDK's futures tell an interrupted thread, too.
            done.await();
        }
        return outcome();
    }

    @Override
    public V get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        if (!isDone() && !done.await(timeout, unit)) {
            throw new TimeoutException();
        }
        return outcome();
    }

    private V outcome() throws ExecutionException {
        if (cancelled) {
            throw new CancellationException();
        }
        if (failure != null) {
            throw new ExecutionException(failure);
        }
        return result;
    }
}
