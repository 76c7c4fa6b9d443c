package org.exsockets.aio;

import java.nio.channels.CompletionHandler;

/**
 * What a thread that runs handlers of a group knows: the group, and how many handlers it has called from within others.
 * That number is bounded, because each of them lies on the stack. Owned by its thread.
 */
final class HandlerThread {
    /** As the JDK's default. */
    private static final int MAX_DIRECT = 16;

    private static final ThreadLocal<HandlerThread> CURRENT = new ThreadLocal<>();

    final ExsChannelGroup group;
    private int direct;

    /** Of the lead that this thread had last, see {@link Leadership}; 0: none. */
    long turn;

    private HandlerThread(ExsChannelGroup group) {
        this.group = group;
    }

    /** {@return what is known of the calling thread; null if it runs no handler of any group} */
    static HandlerThread current() {
        return CURRENT.get();
    }

    static HandlerThread enter(ExsChannelGroup group) {
        HandlerThread entered = new HandlerThread(group);
        CURRENT.set(entered);
        return entered;
    }

    static void leave() {
        CURRENT.remove();
    }

    /** Runs a handler as one of {@code group}; within another one, if an executor lets its callers run what it is given. */
    static void run(ExsChannelGroup group, Runnable handler) {
        HandlerThread before = CURRENT.get();
        enter(group);
        try {
            handler.run();
        } finally {
            CURRENT.set(before);
            if (before == null) {
                leave();
            }
        }
    }

    /** A handler is called that none lies under. */
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

    /** Calls a handler; an interrupt that it leaves behind is not for the next one. */
    static <V, A> void call(CompletionHandler<V, ? super A> handler, A attachment, V result, Throwable failure) {
        if (failure == null) {
            handler.completed(result, attachment);
        } else {
            handler.failed(failure, attachment);
        }
        Thread.interrupted();
    }
}
