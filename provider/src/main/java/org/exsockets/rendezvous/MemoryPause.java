package org.exsockets.rendezvous;

import java.util.function.LongSupplier;

/**
 * After the program's memory has run out, EXS is not used for a second. Each attempt would cost the JVM half a second
 * of garbage collection to find that there is still no memory; TCP needs none. Thread-safe.
 */
final class MemoryPause {
    static final long PAUSE_NS = 1_000_000_000L;

    private final LongSupplier clockNs;

    /** Read only if {@link #ranOut}, which is written after it. */
    private volatile long ranOutNs;

    private volatile boolean ranOut;

    /** @param clockNs nanoseconds since some moment */
    MemoryPause(LongSupplier clockNs) {
        this.clockNs = clockNs;
    }

    void begin() {
        ranOutNs = clockNs.getAsLong();
        ranOut = true;
    }

    boolean lasts() {
        return ranOut && clockNs.getAsLong() - ranOutNs < PAUSE_NS;
    }
}
