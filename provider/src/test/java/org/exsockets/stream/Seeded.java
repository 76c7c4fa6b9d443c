package org.exsockets.stream;

import java.time.Duration;
import org.junit.jupiter.api.Assertions;

/** Runs that a seed determines: a failure tells how to have it again. */
final class Seeded {
    private Seeded() {}

    /** @param limit of one run; one that hangs fails and is told of, too */
    static void run(long seed, Duration limit, Runnable body) {
        try {
            Assertions.assertTimeoutPreemptively(limit, body::run);
        } catch (Throwable e) {
            throw new AssertionError("seed=" + seed + " (-Dexs.test.seed=" + seed + "): " + e.getMessage(), e);
        }
    }
}
