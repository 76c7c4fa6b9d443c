package org.exsockets.aio;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.CompletionHandler;
import java.nio.channels.InterruptedByTimeoutException;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.exsockets.jdk.BufferSessions;
import org.exsockets.observe.Log;
import org.jspecify.annotations.Nullable;

/**
 * One thing that a channel does at most once at a time: read, write, accept or connect. An operation is tried when it
 * starts. If it stays pending, the leader of the group tries it again whenever the selector says that it may succeed.
 *
 * <p>Thread-safe. The thread that removes {@link #pending} under {@link #lock} completes the operation.
 */
final class Direction implements ChannelRegistration.Part, Timers.Timed, PendingOperation.Source {
    /** Does the work without waiting. */
    @FunctionalInterface
    interface Attempt {
        /**
         * Tries once.
         *
         * @param buffer of a read or write, unless there are several; null otherwise
         * @param buffers of a read or write with several; null otherwise
         * @param waited whether the operation was pending before
         * @return the result, null for a connect, or {@link #WAIT}
         */
        @Nullable
        Object run(@Nullable ByteBuffer buffer, ByteBuffer @Nullable [] buffers, boolean waited) throws IOException;

        /**
         * The operation is not tried again. When this returns, only the program touches its buffer.
         *
         * @return its result, if it has succeeded meanwhile; otherwise {@link #WAIT}
         */
        default Object giveUp(@Nullable ByteBuffer buffer) {
            return WAIT;
        }

        /** Leader: an operation that was given up could have succeeded now. */
        default void onReadyInVain() {}
    }

    /** Not possible yet. */
    static final Object WAIT = new Object();

    /** Operations that are usually done at once: after others the selector stays interested, as one will follow. */
    private static final int SELDOM = SelectionKey.OP_WRITE | SelectionKey.OP_CONNECT;

    private final int op;
    private final ChannelRegistration registration;
    private final Attempt attempt;
    private final Supplier<RuntimeException> alreadyPending;
    private final Supplier<RuntimeException> noMore;

    /**
     * Serialises attempts; guards the fields below. Held for one non-blocking attempt, or for some milliseconds while a
     * buffer is taken back from a peer that does not answer.
     */
    private final ReentrantLock lock = new ReentrantLock();

    /** Null: none. */
    @GuardedBy("lock")
    private @Nullable PendingOperation<?, ?> pending;

    /** An operation was given up; what it had done is unknown. */
    @GuardedBy("lock")
    private boolean killed;

    /** The entry in {@link Timers}; null if there is none. Its deadline is not after that of the pending operation. */
    @GuardedBy("lock")
    private Timers.@Nullable Entry timer;

    /**
     * @param op to select for
     * @param alreadyPending makes the exception for a second operation at the same time
     * @param noMore makes the exception for operations after one that was given up
     */
    Direction(
            int op,
            ChannelRegistration registration,
            Attempt attempt,
            Supplier<RuntimeException> alreadyPending,
            Supplier<RuntimeException> noMore) {
        this.op = op;
        this.registration = registration;
        this.attempt = attempt;
        this.alreadyPending = alreadyPending;
        this.noMore = noMore;
    }

    /** Starts an operation, which may stay pending. {@return null if there is a handler} @param timeout none if ≤ 0 */
    @SuppressWarnings("unchecked") // As in done.
    <V, A> @Nullable Future<V> start(
            @Nullable ByteBuffer buffer,
            ByteBuffer @Nullable [] buffers,
            long timeout,
            TimeUnit unit,
            @Nullable A attachment,
            @Nullable CompletionHandler<V, ? super A> handler) {
        Object result = null;
        Throwable failure = null;
        boolean overdue = false;
        Object held = null;
        lock.lock();
        try {
            if (killed) {
                throw noMore.get();
            }
            overdue = pending != null && pending.isOverdue();
            if (pending != null && !overdue) {
                throw alreadyPending.get();
            }
            if (!overdue) {
                try {
                    held = hold(buffer, buffers);
                    result = attempt.run(buffer, buffers, false);
                } catch (IOException | RuntimeException | Error e) {
                    failure = e; // Also if, for example, the buffer's memory is gone. Reported as after a wait.
                }
            }
            if (result == WAIT) {
                try {
                    long timeoutNs = timeout > 0 ? unit.toNanos(timeout) : 0;
                    PendingOperation<V, A> operation =
                            new PendingOperation<>(this, handler, attachment, buffer, buffers, held, timeoutNs);
                    await(operation);
                    held = null;
                    return handler == null ? operation : null;
                } catch (IOException | RuntimeException | Error e) {
                    // For example, the channel is being closed, or the time-out has no unit.
                    failure = e;
                    pending = null;
                    result = giveUp(buffer); // The peer may know the buffer already.
                }
            }
        } finally {
            lock.unlock();
            BufferSessions.release(held);
        }
        if (overdue) {
            endOverdue();
            return start(buffer, buffers, timeout, unit, attachment, handler);
        }
        if (failure != null && result != null && result != WAIT) {
            failure = null; // What could not be left pending has succeeded.
        }
        if (failure != null && op == SelectionKey.OP_CONNECT) {
            closeChannel();
        }
        if (handler != null && op == SelectionKey.OP_ACCEPT) {
            // Never within another handler, as in the JDK. The usual handler accepts again, then serves its client:
            // within each other, handlers would serve the waiting clients in reverse order.
            registration.group.tellLater(handler, attachment, failure == null ? (V) result : null, failure);
            return null;
        }
        return done(result, failure, attachment, handler);
    }

    /**
     * Refuses buffers that one thread alone may use, as JDKs from 26 on do before all else; of earlier ones the
     * operation tells.
     */
    static void ensureShareable(@Nullable ByteBuffer buffer, ByteBuffer @Nullable [] buffers) {
        try {
            BufferSessions.release(hold(buffer, buffers));
        } catch (IllegalArgumentException confined) {
            throw confined;
        } catch (RuntimeException toldLater) {
            return;
        }
    }

    /**
     * Other threads use the buffers of pending operations. As in the JDK, those of one thread are refused at once.
     * Where one is missing, none is held: the attempt refuses them, unless it has another reason to fail.
     */
    private static @Nullable Object hold(@Nullable ByteBuffer buffer, ByteBuffer @Nullable [] buffers) {
        if (buffer != null) {
            return BufferSessions.acquire(buffer, true);
        }
        return buffers == null || Arrays.asList(buffers).contains(null)
                ? null
                : BufferSessions.acquire(buffers, 0, buffers.length, true);
    }

    /** Ends an operation that is not pending. {@return null if there is a handler} */
    @SuppressWarnings("unchecked") // Each direction yields one type, that of the operations it takes.
    <V, A> @Nullable Future<V> done(
            @Nullable Object result,
            @Nullable Throwable failure,
            @Nullable A attachment,
            @Nullable CompletionHandler<V, ? super A> handler) {
        V value = failure == null ? (V) result : null;
        if (handler == null) {
            return new PendingOperation<V, A>(this, null, null, null, null, null, 0).endedAtOnce(value, failure);
        }
        registration.group.tell(handler, attachment, value, failure);
        return null;
    }

    @GuardedBy("lock")
    private void await(PendingOperation<?, ?> operation) throws AsynchronousCloseException {
        registration.raise(op);
        pending = operation;
        if (operation.timed) {
            setTimer(operation.deadlineNs);
        }
    }

    @GuardedBy("lock")
    private void setTimer(long deadlineNs) {
        Timers timers = registration.group.threads.selector.timers;
        if (timer != null) {
            if (timer.deadlineNs() - deadlineNs <= 0) {
                return;
            }
            timers.remove(timer);
        }
        timer = timers.add(this, deadlineNs);
        if (timers.isFirst(timer)) {
            registration.group.threads.selectorChanged();
        }
    }

    /** The pending operation has timed out, unnoticed because all threads of the group were busy. */
    private void endOverdue() {
        List<Runnable> completed = new ArrayList<>(1);
        expire(null, System.nanoTime(), completed);
        completed.forEach(registration.group.threads::submit);
    }

    @Override
    public int op() {
        return op;
    }

    @Override
    public void onReady(List<Runnable> completed) {
        PendingOperation<?, ?> operation;
        Object result = null;
        Throwable failure = null;
        lock.lock();
        try {
            operation = pending;
            if (operation == null) {
                registration.lower(op);
                if (killed) {
                    attempt.onReadyInVain();
                }
                return;
            }
            if (operation.isOverdue()) {
                return; // Too late: the time-outs follow.
            }
            try {
                result = attempt.run(operation.buffer, operation.buffers, true);
            } catch (IOException | RuntimeException | Error e) {
                failure = e;
            }
            if (result == WAIT) {
                return;
            }
            pending = null;
            if ((op & SELDOM) != 0) {
                registration.lower(op);
            }
        } finally {
            lock.unlock();
        }
        if (failure != null && op == SelectionKey.OP_CONNECT) {
            Throwable why = failure;
            registration.group.threads.selector.afterSelection(() -> endNotConnected(operation, why, completed));
        } else if (operation.end(result, failure)) {
            completed.add(operation);
        }
    }

    /** Leader, between two selections: frees the descriptor and the port before the program learns of the failure. */
    private void endNotConnected(PendingOperation<?, ?> operation, Throwable why, List<Runnable> completed) {
        try {
            closeChannel();
        } finally {
            if (operation.end(null, why)) {
                completed.add(operation);
            }
        }
    }

    @Override
    public void expire(Timers.@Nullable Entry due, long nowNs, List<Runnable> completed) {
        PendingOperation<?, ?> operation;
        Object late;
        lock.lock();
        try {
            if (timer == due) {
                timer = null;
            }
            operation = pending;
            if (operation == null || !operation.timed) {
                return;
            }
            if (operation.deadlineNs - nowNs > 0) {
                setTimer(operation.deadlineNs);
                return;
            }
            late = giveUp(operation);
            killed = late == WAIT;
        } finally {
            lock.unlock();
        }
        if (end(operation, late, new InterruptedByTimeoutException())) {
            completed.add(operation);
        }
    }

    @Override
    public boolean cancel(PendingOperation<?, ?> operation) {
        lock.lock();
        try {
            if (operation != pending) {
                return false;
            }
            Object late = giveUp(operation);
            if (late != WAIT) {
                operation.end(late, null);
                return false;
            }
            killed = true;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Gives up the pending operation. {@return its result if it has succeeded; otherwise WAIT} */
    @GuardedBy("lock")
    private Object giveUp(PendingOperation<?, ?> operation) {
        pending = null;
        return giveUp(operation.buffer);
    }

    /** Never throws: the operation must be ended in any case. */
    private Object giveUp(@Nullable ByteBuffer buffer) {
        try {
            return attempt.giveUp(buffer);
        } catch (RuntimeException | Error e) {
            Log.error("channel: an operation was given up", e);
            return WAIT;
        }
    }

    /** {@return whether a handler is to be run now} */
    private static boolean end(PendingOperation<?, ?> operation, Object late, Throwable otherwise) {
        return late == WAIT ? operation.end(null, otherwise) : operation.end(late, null);
    }

    @Override
    public void closeChannel() {
        try {
            registration.close();
        } catch (IOException e) {
            Log.debug("close after a cancel: " + e);
        }
    }

    @Override
    public void channelClosed() {
        PendingOperation<?, ?> operation;
        Object late = WAIT;
        lock.lock();
        try {
            operation = pending;
            if (operation != null) {
                late = giveUp(operation);
            }
            if (timer != null) {
                registration.group.threads.selector.timers.remove(timer);
                timer = null;
            }
        } finally {
            lock.unlock();
        }
        if (operation == null) {
            return;
        }
        IOException why =
                operation.isOverdue() ? new InterruptedByTimeoutException() : new AsynchronousCloseException();
        if (end(operation, late, why)) {
            registration.group.threads.submit(operation);
        }
    }
}
