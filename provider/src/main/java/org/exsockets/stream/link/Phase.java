package org.exsockets.stream.link;

/**
 * A direction of the stream alternates between phases: even ones are direct, odd ones indirect. They begin with 0, only
 * grow, and are compared serially, so that they may wrap.
 */
public final class Phase {
    /** A stream begins with a direct phase. */
    public static final int FIRST = 0;

    private Phase() {}

    /** {@return whether bytes of the phase go directly} */
    public static boolean isDirect(int phase) {
        return (phase & 1) == 0;
    }

    /** {@return whether {@code phase} comes behind {@code other}} */
    public static boolean isLater(int phase, int other) {
        return phase - other > 0;
    }
}
