package org.exsockets.waiting;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.exsockets.jdk.Threads;

/**
 * The threads "exs-connect-n", in which non-blocking channels try devices that need a moment to connect, because a
 * thread of the program must not wait for them. Started when needed, ended when idle.
 */
public final class ConnectThreads {
    /** Each attempt is bounded, and most of them only wait. */
    private static final int MAX_THREADS = 128;

    private static final int IDLE_SECONDS = 10;
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private ConnectThreads() {}

    private static final class Holder {
        static final ThreadPoolExecutor POOL = create();

        private static ThreadPoolExecutor create() {
            return new ThreadPoolExecutor(
                    0,
                    MAX_THREADS,
                    IDLE_SECONDS,
                    TimeUnit.SECONDS,
                    new SynchronousQueue<>(),
                    body -> Threads.daemon("exs-connect-" + NUMBER.incrementAndGet(), body));
        }
    }

    /** Runs {@code attempt} now. {@return false if no thread is left for it; queueing would take too long} */
    public static boolean trySubmit(Runnable attempt) {
        try {
            Holder.POOL.execute(attempt);
            return true;
        } catch (RejectedExecutionException | OutOfMemoryError tooMany) {
            return false;
        }
    }
}
