package org.exsockets.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.exsockets.config.Settings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SpinPolicyTest {
    private static final long FUTURE_STEP_NS = 3_600_000_000_000L;
    private static final AtomicLong FUTURES = new AtomicLong();

    private static final int CORES = Runtime.getRuntime().availableProcessors();

    private final SpinPolicy policy = new SpinPolicy();
    private final long nowNs = System.nanoTime();

    @AfterEach
    void restore() {
        SpinPolicy.configure(Settings.defaults());
    }

    private static void configure(String spin) {
        SpinPolicy.configure(Settings.read(Map.of("spin", spin), name -> null, Set.of(), Map.of()));
    }

    @Test
    void zeroNeverSpins() {
        configure("0");
        for (int i = 0; i < 10; i++) {
            assertEquals(0, policy.begin(nowNs));
        }
    }

    @Test
    void aFixedTimeIsKeptWhateverItPays() {
        configure("20");
        for (int i = 0; i < 100; i++) {
            assertEquals(20_000, policy.begin(nowNs));
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
            assertTrue(each.begin(nowNs) > 0);
            spinning.add(each);
        }
        assertEquals(0, policy.begin(nowNs));
        spinning.get(0).end(false);
        assertTrue(policy.begin(nowNs) > 0);
        policy.end(true);
        spinning.subList(1, limit).forEach(each -> each.end(true));
    }

    @Test
    void whoWaitsForOperationsSpinsLonger() {
        long ns = SpinPolicy.forOperations().boundNs();
        assertTrue(ns > policy.boundNs() && ns < SpinPolicy.PUSH_NS, "spins " + ns);
    }

    private static final long WINDOW = SpinPolicy.WINDOW_NS + 1;

    /** Lets one window pass in which so many spins and sleeps were counted. {@return the state after it} */
    private SpinPolicy.State window(long[] nowNs, int paid, int failed, int shortSleeps, int longSleeps) {
        for (int i = 0; i < paid; i++) {
            policy.count(true);
        }
        for (int i = 0; i < failed; i++) {
            policy.count(false);
        }
        for (int i = 0; i < shortSleeps; i++) {
            policy.slept(SpinPolicy.SHORT_SLEEP_NS - 1);
        }
        for (int i = 0; i < longSleeps; i++) {
            policy.slept(SpinPolicy.SHORT_SLEEP_NS);
        }
        nowNs[0] += WINDOW;
        return policy.update(nowNs[0]);
    }

    /** A time at which a push is permitted, whatever other tests have done. */
    private static long[] farFuture() {
        return new long[] {System.nanoTime() + FUTURE_STEP_NS * FUTURES.incrementAndGet()};
    }

    @Test
    void aPlaceGoesOnTryingWhileEnoughSpinsPay() {
        long[] nowNs = farFuture();
        policy.update(nowNs[0]);
        assertEquals(
                SpinPolicy.State.TRYING, window(nowNs, 4, 12, 100, 0), "three failures for one success are enough");
        assertEquals(SpinPolicy.State.RESTING, window(nowNs, 4, 13, 0, 100));
    }

    @Test
    void aWindowWithFewSpinsIsExtended() {
        long[] nowNs = farFuture();
        assertEquals(SpinPolicy.State.TRYING, window(nowNs, 0, 3, 0, 0));
        assertEquals(SpinPolicy.State.RESTING, window(nowNs, 0, 1, 0, 0));
    }

    @Test
    void restsDoubleUntilAWindowPays() {
        long[] nowNs = farFuture();
        assertEquals(SpinPolicy.State.RESTING, window(nowNs, 0, 4, 0, 4));
        long restNs = SpinPolicy.MIN_REST_NS;
        for (int i = 0; i < 10; i++) {
            assertEquals(SpinPolicy.State.RESTING, policy.update(nowNs[0] + restNs - 1), "rest " + i);
            nowNs[0] += restNs;
            assertEquals(SpinPolicy.State.TRYING, policy.update(nowNs[0]), "rest " + i);
            assertEquals(SpinPolicy.State.RESTING, window(nowNs, 0, 4, 0, 4));
            restNs = Math.min(2 * restNs, SpinPolicy.MAX_REST_NS);
        }
        nowNs[0] += restNs;
        assertEquals(SpinPolicy.State.TRYING, policy.update(nowNs[0]));
        assertEquals(SpinPolicy.State.TRYING, window(nowNs, 4, 0, 0, 0));
        assertEquals(SpinPolicy.State.RESTING, window(nowNs, 0, 4, 0, 4));
        assertEquals(
                SpinPolicy.State.TRYING, policy.update(nowNs[0] + SpinPolicy.MIN_REST_NS), "the shortest rest again");
    }

    @Test
    void shortSleepsLeadToOnePushAndAFailedPushToRest() {
        long[] nowNs = farFuture();
        policy.update(nowNs[0]);
        assertEquals(SpinPolicy.State.PUSHING, window(nowNs, 0, 4, 5, 4));
        assertEquals(SpinPolicy.State.RESTING, window(nowNs, 0, 2, 5, 0));
        nowNs[0] += SpinPolicy.MIN_REST_NS;
        assertEquals(SpinPolicy.State.TRYING, policy.update(nowNs[0]));
        assertEquals(SpinPolicy.State.RESTING, window(nowNs, 0, 4, 5, 4), "too soon for another push of this process");
    }

    @Test
    void aPushThatPaysLeadsBackToTryingAndPermitsTheNext() {
        long[] nowNs = farFuture();
        policy.update(nowNs[0]);
        assertEquals(SpinPolicy.State.PUSHING, window(nowNs, 0, 4, 5, 4));
        assertEquals(SpinPolicy.State.TRYING, window(nowNs, 1000, 1, 0, 0));
        assertEquals(SpinPolicy.State.PUSHING, window(nowNs, 0, 4, 5, 4));
    }

    @Test
    void spinsAsLongAsTheDearestOfItsDevicesIsWorth() {
        SpinPolicy policy = new SpinPolicy(2 * SpinPolicy.AUTO_NS);
        policy.raise(SpinPolicy.AUTO_NS);
        assertEquals(2 * SpinPolicy.AUTO_NS, policy.boundNs());
        policy.raise(5 * SpinPolicy.AUTO_NS);
        assertEquals(5 * SpinPolicy.AUTO_NS, policy.boundNs());
    }
}
