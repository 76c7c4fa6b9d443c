package org.exsockets.aio;

import java.nio.channels.CompletionHandler;
import org.jspecify.annotations.Nullable;

/**
 * State of a thread that runs handlers of a group: the group, and how many handlers it has called within others. That
 * number is bounded, because each of them is on the stack. Used by its thread only.
 */
final class HandlerThread {
    /** As the JDK's default. */
    private static final int MAX_DIRECT = 16;

    private static final ThreadLocal<@Nullable HandlerThread> CURRENT = new ThreadLocal<>();

    /** Those of the group: to be compared only. */
    final Object threads;

    private int direct;

    /** The term of this thread's last lead, see {@link Leadership}; 0: none. */
    long term;

    private HandlerThread(Object threads) {
        this.threads = threads;
    }

    /** {@return the state of the calling thread; null if it runs no handler of any group} */
    static @Nullable HandlerThread current() {
        return CURRENT.get();
    }

    static HandlerThread enter(Object threads) {
        HandlerThread entered = new HandlerThread(threads);
        CURRENT.set(entered);
        return entered;
    }

    static void leave() {
        CURRENT.remove();
    }

    /** Runs a handler of that group: within another one, if an executor runs its tasks in the calling thread. */
    static void run(Object threads, Runnable handler) {
        HandlerThread before = CURRENT.get();
        enter(threads);
        try {
            handler.run();
        } finally {
            CURRENT.set(before);
            if (before == null) {
                leave();
            }
        }
    }

    /** A handler is called that is not within another one. */
    void startOver() {
        direct = 0;
    }

    /** {@return whether one more handler may be called right here} */
    boolean tryDirect() {
        if (direct >= MAX_DIRECT) {
            return false;
        }
        direct++;
        return true;
    }

    /** Calls a handler, and clears an interrupt that it has left, which is not for the next one. */
    static <V, A> void call(
            CompletionHandler<V, ? super A> handler,
            @Nullable A attachment,
            @Nullable V result,
            @Nullable Throwable failure) {
        if (failure == null) {
            handler.completed(result, attachment);
        } else {
            handler.failed(failure, attachment);
        }
        Thread.interrupted();
    }
}
