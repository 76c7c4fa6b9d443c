package org.exsockets.compat.harness;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * A call on a thread of its own, so that the test can watch it block and then end it.
 *
 * @param <T> what the call returns
 */
public abstract class WatchedCall<T> {
    /** In a row, two milliseconds apart: on its way into the method a thread is seen there, too, as long as it gets no core. */
    private static final long SAMPLES = Patience.lasting(8);

    static final String RETURNS = "the call returns";

    private static final Set<String> LOADERS = Set.of("java.lang.ClassLoader", "java.lang.System");

    final FutureTask<T> task;

    WatchedCall(Callable<T> call) {
        task = new FutureTask<>(call);
    }

    /** The thread that makes the call. */
    abstract Thread caller();

    /** Tells whether the thread may count as blocked, wherever it is. */
    abstract boolean mayBeBlocked();

    final void awaitBlocked(String method) throws InterruptedException {
        int seen = 0;
        long deadlineNs = Patience.deadlineNs();
        while (seen < SAMPLES) {
            if (task.isDone()) {
                throw new AssertionError(method + ": did not block: " + outcome());
            }
            if (System.nanoTime() - deadlineNs > 0) {
                throw Patience.expired("the thread blocks in " + method, Patience.CALL_SECONDS);
            }
            seen = mayBeBlocked() && isIn(method) ? seen + 1 : 0;
            Thread.sleep(2);
        }
    }

    /** Not while classes or libraries are loaded on its behalf, which read files, too. */
    private boolean isIn(String method) {
        boolean in = false;
        for (StackTraceElement frame : caller().getStackTrace()) {
            String name = frame.getClassName();
            if (name.startsWith("org.exsockets.compat.")) {
                return in;
            }
            if (LOADERS.contains(name)) {
                return false;
            }
            in |= frame.getMethodName().equals(method);
        }
        return in;
    }

    public final boolean isDone() {
        return task.isDone();
    }

    /** Waits for what the call returns; what it threw becomes the cause of an IOException. */
    public final T result() throws InterruptedException, IOException {
        try {
            return Patience.get(RETURNS, task);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        }
    }

    /** Waits for the exception of a call that must throw. */
    public final Throwable thrown() throws InterruptedException {
        try {
            throw new AssertionError("returned normally: " + Patience.get(RETURNS, task));
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    private Object outcome() throws InterruptedException {
        try {
            return task.get();
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }
}
