package org.exsockets.compat.harness;

import java.lang.reflect.Method;
import java.util.concurrent.Callable;

/**
 * A call in a virtual thread, which the suite reaches by reflection because it is compiled for a JDK that has none.
 *
 * @param <T> what the call returns
 */
public final class VirtualThread<T> extends WatchedCall<T> {
    private final Thread thread;

    private VirtualThread(Callable<T> call) {
        super(call);
        try {
            thread = (Thread) starter().invoke(null, task);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this JDK has no virtual threads", e);
        }
    }

    private static Method starter() throws NoSuchMethodException {
        return Thread.class.getMethod("startVirtualThread", Runnable.class);
    }

    /** Tells whether this JDK has virtual threads that need no further switch. */
    public static boolean supported() {
        try {
            starter().invoke(null, (Runnable) () -> {});
            return true;
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }

    public static <T> VirtualThread<T> start(Callable<T> call) {
        return new VirtualThread<>(call);
    }

    @Override
    Thread caller() {
        return thread;
    }

    @Override
    boolean mayBeBlocked() {
        Thread.State state = thread.getState();
        return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
    }

    /** Waits until the thread has been seen parked inside the given method in several samples in a row. */
    public VirtualThread<T> awaitBlockedIn(String method) throws InterruptedException {
        awaitBlocked(method);
        return this;
    }

    public void interrupt() {
        thread.interrupt();
    }
}
