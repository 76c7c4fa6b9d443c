package org.exsockets.bench.e2e.endpoint;

import java.io.IOException;
import java.nio.channels.Selector;

/** A thread that waits on connections that do nothing. */
final class IdlePhase {
    /** Lets compilation of what has just run finish before CPU time is measured. */
    static final double SETTLING_SECONDS = 0.3;

    private IdlePhase() {}

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
