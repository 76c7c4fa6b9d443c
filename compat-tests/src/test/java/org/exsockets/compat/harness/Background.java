package org.exsockets.compat.harness;

import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * A call in a platform thread. Started at once; over when {@link #result} or {@link #thrown} returns.
 *
 * @param <T> what the call returns
 */
public final class Background<T> extends WatchedCall<T> {
    private static final Set<Background<?>> RUNNING = ConcurrentHashMap.newKeySet();

    private final Thread thread;

    private Background(Callable<T> call, Function<Runnable, Thread> threads) {
        super(call);
        thread = threads.apply(() -> {
            task.run();
            RUNNING.remove(this);
        });
        thread.setName("background");
        thread.setDaemon(true);
    }

    public static <T> Background<T> start(Callable<T> call) {
        return start(Thread::new, call);
    }

    /** As {@link #start(Callable)}, in a thread of the test's own making. */
    public static <T> Background<T> start(Function<Runnable, Thread> threads, Callable<T> call) {
        Background<T> started = new Background<>(call, threads);
        RUNNING.add(started);
        started.thread.start();
        return started;
    }

    /** Waits until every call that was started in this process is over: no test leaves a thread to the next. */
    public static void awaitAll() throws InterruptedException {
        for (Background<?> running : RUNNING) {
            Patience.await(RETURNS, (timeout, unit) -> {
                unit.timedJoin(running.thread, timeout);
                return !running.thread.isAlive();
            });
        }
    }

    public Thread thread() {
        return thread;
    }

    @Override
    Thread caller() {
        return thread;
    }

    @Override
    boolean mayBeBlocked() {
        return true;
    }

    /**
     * Waits until the thread has been seen inside the given method of the platform in several samples in a row,
     * that is until it blocks there (or spins there: a transport may do either).
     *
     * @param method the simple name, such as {@code "read"}
     */
    public Background<T> awaitBlockedIn(String method) throws InterruptedException {
        awaitBlocked(method);
        return this;
    }
}
