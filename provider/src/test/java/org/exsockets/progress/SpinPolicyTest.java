package org.exsockets.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.exsockets.config.Settings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SpinPolicyTest {
    private static final int CORES = Runtime.getRuntime().availableProcessors();

    private final SpinPolicy policy = new SpinPolicy();

    @AfterEach
    void restore() {
        SpinPolicy.configure(Settings.defaults());
    }

    private static void configure(String spin) {
        SpinPolicy.configure(Settings.read(Map.of("spin", spin), name -> null, Set.of(), Map.of()));
    }

    @Test
    void spinningThatPaysGoesOn() {
        assumeTrue(CORES > 1, "a single core never spins by itself");
        configure("auto");
        for (int i = 0; i < 1000; i++) {
            assertEquals(50_000, policy.begin());
            policy.end(true);
        }
    }

    @Test
    void eachFailureDoublesTheWaitsThatSleepAtOnce() {
        assumeTrue(CORES > 1, "a single core never spins by itself");
        configure("auto");
        int[] sleepsAfterFailure = {0, 0, 2, 4, 8, 16, 32, 64, 128, 256, 256, 256};
        assertEquals(0, sleepsBeforeSpin());
        for (int expected : sleepsAfterFailure) {
            policy.end(false);
            assertEquals(expected, sleepsBeforeSpin());
        }
        policy.end(true);
        assertEquals(0, sleepsBeforeSpin());
        policy.end(false);
        assertEquals(0, sleepsBeforeSpin(), "failures before a success are forgotten");
        policy.end(true);
    }

    /** {@return how many waits sleep at once until one may spin; that one has begun} */
    private int sleepsBeforeSpin() {
        int sleeps = 0;
        while (policy.begin() == 0) {
            sleeps++;
        }
        return sleeps;
    }

    @Test
    void zeroNeverSpins() {
        configure("0");
        for (int i = 0; i < 10; i++) {
            assertEquals(0, policy.begin());
        }
    }

    @Test
    void aFixedTimeIsKeptWhateverItPays() {
        configure("20");
        for (int i = 0; i < 100; i++) {
            assertEquals(20_000, policy.begin());
            policy.end(false);
        }
    }

    @Test
    void noMoreThreadsSpinThanCanBeSpared() {
        configure("20");
        int limit = Math.max(1, CORES - 1);
        List<SpinPolicy> spinning = new ArrayList<>();
        for (int i = 0; i < limit; i++) {
            SpinPolicy each = new SpinPolicy();
            assertTrue(each.begin() > 0);
            spinning.add(each);
        }
        assertEquals(0, policy.begin());
        spinning.get(0).end(false);
        assertTrue(policy.begin() > 0);
        policy.end(true);
        spinning.subList(1, limit).forEach(each -> each.end(true));
    }
}
