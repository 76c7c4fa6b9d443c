package org.exsockets.compat.harness;

import java.io.IOException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A call in a virtual thread, which the suite reaches by reflection because it is compiled for a JDK that has none.
 *
 * @param <T> what the call returns
 */
public final class VirtualThread<T> {
    private static final long RESULT_SECONDS = Patience.of(15);

    private final FutureTask<T> task;
    private final Thread thread;

    private VirtualThread(Callable<T> call) {
        task = new FutureTask<>(call);
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

    /** Waits until the thread has been seen parked inside the given method in several samples in a row. */
    public VirtualThread<T> awaitBlockedIn(String method) throws InterruptedException {
        int seen = 0;
        long deadlineNs = System.nanoTime() + Duration.ofSeconds(RESULT_SECONDS).toNanos();
        while (seen < 8) {
            if (task.isDone()) {
                throw new AssertionError(method + ": did not block");
            }
            if (System.nanoTime() > deadlineNs) {
                AssertionError never = new AssertionError(method + ": the virtual thread never parked there");
                never.setStackTrace(thread.getStackTrace());
                throw never;
            }
            seen = isParkedIn(method) ? seen + 1 : 0;
            Thread.sleep(2);
        }
        return this;
    }

    private boolean isParkedIn(String method) {
        Thread.State state = thread.getState();
        if (state != Thread.State.WAITING && state != Thread.State.TIMED_WAITING) {
            return false;
        }
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (frame.getClassName().startsWith("org.exsockets.compat.")) {
                return false;
            }
            if (frame.getMethodName().equals(method)) {
                return true;
            }
        }
        return false;
    }

    public void interrupt() {
        thread.interrupt();
    }

    public boolean isDone() {
        return task.isDone();
    }

    /** Waits for what the call returns; what it threw becomes the cause of an IOException. */
    public T result() throws InterruptedException, IOException {
        try {
            return task.get(RESULT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } catch (TimeoutException e) {
            throw stuck();
        }
    }

    /** Waits for the exception of a call that must throw. */
    public Throwable thrown() throws InterruptedException {
        try {
            throw new AssertionError("returned normally: " + task.get(RESULT_SECONDS, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (TimeoutException e) {
            throw stuck();
        }
    }

    private AssertionError stuck() {
        AssertionError stuck = new AssertionError("the virtual thread did not end in " + RESULT_SECONDS + " s");
        stuck.setStackTrace(thread.getStackTrace());
        return stuck;
    }
}
