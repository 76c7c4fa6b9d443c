package org.exsockets.jdk;

import java.util.function.LongSupplier;

/**
 * {@link System#nanoTime}, for code that takes a clock. No method reference: the first use of one takes a millisecond.
 * Any thread.
 */
public final class NanoClock implements LongSupplier {
    private static final long NS_PER_MS = 1_000_000;

    public static final NanoClock SYSTEM = new NanoClock();

    private NanoClock() {}

    /** {@return what is left of a time-out, in milliseconds, ≥ 1; 0 if there is none} */
    public static int remainingMs(int timeoutMs, long startNs) {
        return timeoutMs == 0 ? 0 : (int) Math.max(1, timeoutMs - (System.nanoTime() - startNs) / NS_PER_MS);
    }

    @Override
    public long getAsLong() {
        return System.nanoTime();
    }
}
