package org.exsockets.bench.e2e;

import java.util.Locale;

/** How far apart the two cores were during a round. */
enum Placement {
    /** They share a cache. */
    NEAR,
    /** A cache line between them crosses the interconnect. */
    FAR,
    /** It changed during the round, or is unknown. */
    UNKNOWN;

    private static final double NEAR_NS = 200;

    /** @param probeNs the round trip of a cache line, or NaN */
    static Placement of(double probeNs) {
        return Double.isNaN(probeNs) ? UNKNOWN : probeNs <= NEAR_NS ? NEAR : FAR;
    }

    /** @param beforeNs a probe before a round, @param afterNs one after it */
    static Placement of(double beforeNs, double afterNs) {
        Placement before = of(beforeNs);
        return before == of(afterNs) ? before : UNKNOWN;
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
