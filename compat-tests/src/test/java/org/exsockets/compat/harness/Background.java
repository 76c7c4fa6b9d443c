package org.exsockets.compat.harness;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A call that runs on a thread of its own, so that the test can watch it block and then end it. Started at once;
 * over when {@link #result} or {@link #thrown} returns.
 *
 * @param <T> what the call returns
 */
public final class Background<T> {
    private static final long RESULT_SECONDS = Patience.of(15);

    private static final Set<Background<?>> RUNNING = ConcurrentHashMap.newKeySet();

    private final FutureTask<T> task;
    private final Thread thread;

    private Background(Callable<T> call) {
        task = new FutureTask<>(call);
        thread = new Thread(
                () -> {
                    task.run();
                    RUNNING.remove(this);
                },
                "background");
        thread.setDaemon(true);
    }

    public static <T> Background<T> start(Callable<T> call) {
        Background<T> started = new Background<>(call);
        RUNNING.add(started);
        started.thread.start();
        return started;
    }

    /** Waits until every call that was started in this process is over: no test leaves a thread to the next. */
    public static void awaitAll() throws InterruptedException {
        for (Background<?> running : RUNNING) {
            running.thread.join(Duration.ofSeconds(RESULT_SECONDS).toMillis());
            if (running.thread.isAlive()) {
                throw running.stuck();
            }
        }
    }

    public Thread thread() {
        return thread;
    }

    /**
     * Waits until the thread has been seen inside the given method of the platform in several samples in a row,
     * that is until it blocks there (or spins there: a transport may do either).
     *
     * @param method the simple name, such as {@code "read"}
     */
    public Background<T> awaitBlockedIn(String method) throws InterruptedException {
        int seen = 0;
        long deadlineNs = System.nanoTime() + Duration.ofSeconds(RESULT_SECONDS).toNanos();
        while (seen < 8) {
            if (task.isDone()) {
                throw new AssertionError(method + ": did not block: " + outcome());
            }
            if (System.nanoTime() > deadlineNs) {
                throw new AssertionError(method + ": the thread never got there");
            }
            seen = isIn(method) ? seen + 1 : 0;
            Thread.sleep(2);
        }
        return this;
    }

    private boolean isIn(String method) {
        StackTraceElement[] frames = thread.getStackTrace();
        for (int i = 0; i < frames.length; i++) {
            if (frames[i].getClassName().startsWith("org.exsockets.compat.")) {
                return false;
            }
            if (frames[i].getMethodName().equals(method)) {
                return true;
            }
        }
        return false;
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
        AssertionError stuck = new AssertionError("the call did not return in " + RESULT_SECONDS + " s");
        stuck.setStackTrace(thread.getStackTrace());
        return stuck;
    }

    private Object outcome() throws InterruptedException {
        try {
            return task.get();
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }
}
