package org.exsockets.stream;

import java.time.Duration;
import org.junit.jupiter.api.Assertions;

/** Runs that a seed determines: a failure tells how to have it again. */
final class Seeded {
    /** Of one run, which takes milliseconds; less than that of a test in {@code junit-platform.properties}. */
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private Seeded() {}

    /** One that hangs fails and is told of, too. */
    static void run(long seed, Runnable body) {
        try {
            Assertions.assertTimeoutPreemptively(LIMIT, body::run, "machine too slow or hung");
        } catch (Throwable e) {
            throw new AssertionError("seed=" + seed + " (-Dexs.test.seed=" + seed + "): " + e.getMessage(), e);
        }
    }
}
