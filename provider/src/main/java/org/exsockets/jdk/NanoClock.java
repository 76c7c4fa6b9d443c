package org.exsockets.jdk;

import java.util.function.LongSupplier;

/**
 * {@link System#nanoTime}, for code that takes a clock. No method reference: the first use of one takes a millisecond.
 * Any thread.
 */
public final class NanoClock implements LongSupplier {
    public static final NanoClock SYSTEM = new NanoClock();

    private NanoClock() {}

    @Override
    public long getAsLong() {
        return System.nanoTime();
    }
}
