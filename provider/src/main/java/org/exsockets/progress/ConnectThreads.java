package org.exsockets.progress;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.exsockets.jdk.Threads;

/**
 * The threads "exs-connect-n", in which non-blocking channels try devices that need a moment to connect; a program's own
 * thread must not wait for them. Started when needed, ended when idle.
 */
public final class ConnectThreads {
    /** Each attempt is bounded, and most of them wait for somebody else. */
    private static final int MAX_THREADS = 32;

    private static final int IDLE_SECONDS = 10;
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private ConnectThreads() {}

    private static final class Holder {
        static final ThreadPoolExecutor POOL = create();

        private static ThreadPoolExecutor create() {
            ThreadPoolExecutor pool = new ThreadPoolExecutor(
                    MAX_THREADS,
                    MAX_THREADS,
                    IDLE_SECONDS,
                    TimeUnit.SECONDS,
                    new LinkedBlockingQueue<>(),
                    body -> Threads.daemon("exs-connect-" + NUMBER.incrementAndGet(), body));
            pool.allowCoreThreadTimeOut(true);
            return pool;
        }
    }

    /** Runs {@code attempt} soon. */
    public static void submit(Runnable attempt) {
        Holder.POOL.execute(attempt);
    }
}
