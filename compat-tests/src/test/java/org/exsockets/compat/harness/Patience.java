package org.exsockets.compat.harness;

/**
 * How much more time than usual everything may take: 1, or the whole number in {@code exs.test.patience} where the
 * machine is emulated. It stretches upper bounds only; what a program waits for on purpose stays as long as it is.
 */
public final class Patience {
    private static final int FACTOR = Integer.getInteger("exs.test.patience", 1);

    private Patience() {}

    /** Stretches a bound, in its own unit. */
    public static long of(long bound) {
        return bound * FACTOR;
    }
}
