package org.exsockets.bench.e2e.endpoint;

import java.io.IOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.channels.Selector;

/** A thread that waits on connections that do nothing. */
final class IdlePhase {
    private static final double LOOK_SECONDS = 0.5;
    private static final int MOST_LOOKS = 20;

    private IdlePhase() {}

    /** As {@link #hold}, until the compilers rest, which go on for a while with what has just run; 10 s at most. */
    static void settle(Selector selector) throws IOException {
        CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
        long beforeMs;
        int looks = 0;
        do {
            beforeMs = compilers.getTotalCompilationTime();
            hold(selector, LOOK_SECONDS);
            looks++;
        } while (compilers.getTotalCompilationTime() != beforeMs && looks < MOST_LOOKS);
    }

    /**
     * Selects until the time is over.
     *
     * @return the nanoseconds it took
     * @throws IllegalStateException if a connection became ready
     */
    static long hold(Selector selector, double seconds) throws IOException {
        long startNs = System.nanoTime();
        long lengthNs = (long) (seconds * 1e9);
        long elapsedNs = 0;
        while (elapsedNs < lengthNs) {
            if (selector.select(Math.max(1, (lengthNs - elapsedNs) / 1_000_000)) > 0) {
                throw new IllegalStateException("idle connections: unexpected readiness");
            }
            elapsedNs = System.nanoTime() - startNs;
        }
        return elapsedNs;
    }
}
