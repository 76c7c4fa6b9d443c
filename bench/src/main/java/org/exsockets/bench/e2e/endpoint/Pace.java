package org.exsockets.bench.e2e.endpoint;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * When the requests of one thread are due: one after the other, or one per gap, or one burst of them per gap. A late
 * thread asks at once, and does not catch up. Used by one thread.
 */
final class Pace {
    /** With a shorter gap the thread computes, as programs do; a thread that sleeps takes longer to wake up. */
    private static final long LEAST_SLEEP_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private final long gapNs;
    private final int burst;
    private long dueNs;
    private int left;

    /**
     * @param gapNs nanoseconds between the beginnings of requests, or of bursts; 0: there is no pace
     * @param burst requests at a time, ≥ 1
     */
    Pace(long gapNs, int burst) {
        this.gapNs = gapNs;
        this.burst = burst;
    }

    static Pace of(Fields spec) {
        return new Pace(spec.has("gapNs") ? spec.integer("gapNs") : 0, spec.has("burst") ? spec.integer("burst") : 1);
    }

    /** A round begins. {@return when the first request is sent; this waits for it} */
    long start(long nowNs, int index, int threads) {
        left = burst;
        dueNs = nowNs + gapNs * index / threads; // So that not all threads ask at the same time.
        return awaitDue(nowNs);
    }

    /** A request has been answered. {@return when the next one is sent; this waits for it} */
    long next(long nowNs) {
        left--;
        if (gapNs == 0 || left > 0) {
            return nowNs;
        }
        left = burst;
        dueNs = Math.max(dueNs + gapNs, nowNs);
        return awaitDue(nowNs);
    }

    private long awaitDue(long nowNs) {
        long now = nowNs;
        while (dueNs - now > 0) {
            if (gapNs < LEAST_SLEEP_NS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(dueNs - now);
            }
            now = System.nanoTime();
        }
        return now;
    }
}
