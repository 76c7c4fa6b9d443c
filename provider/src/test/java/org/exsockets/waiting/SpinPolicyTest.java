package org.exsockets.waiting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule, walked by hand, and two places that follow it against a clock that is only counted. */
class SpinPolicyTest {
    private static final long BOUND_NS = 30_000;

    /** One wake-up: the bound is what two of them cost. */
    private static final long WAKE_UP_NS = BOUND_NS / 2;

    private static final long SHORT_SLEEP_NS = SpinPolicy.SHORT_SLEEP_BOUNDS * BOUND_NS - 1;
    private static final long LONG_SLEEP_NS = SpinPolicy.SHORT_SLEEP_BOUNDS * BOUND_NS;
    private static final long ANSWER_NS = 1_000;

    private final SpinPolicy policy = new SpinPolicy(BOUND_NS);

    @Test
    void spinsThatPayAreFollowedBySpins() {
        for (int i = 0; i < 1_000; i++) {
            assertEquals(BOUND_NS, policy.begin());
            policy.spun(true);
        }
    }

    @Test
    void afterALongSleepAPlaceSleepsUntilOneIsShort() {
        policy.slept(LONG_SLEEP_NS);
        for (int i = 0; i < 1_000; i++) {
            assertEquals(0, policy.begin());
            policy.slept(LONG_SLEEP_NS);
        }
        assertEquals(0, policy.begin());
        policy.slept(SHORT_SLEEP_NS);
        assertEquals(BOUND_NS, policy.begin());
    }

    @Test
    void afterEachFailedSpinTwiceAsManyWaitsSleep() {
        for (int expected : new int[] {1, 2, 4, 8, 16, 16, 16}) {
            fail();
            assertEquals(expected, sleepsBeforeTheNextSpin());
        }
        policy.spun(true);
        fail();
        assertEquals(1, sleepsBeforeTheNextSpin(), "a spin has paid");
    }

    private void fail() {
        policy.spun(false);
        policy.slept(SHORT_SLEEP_NS);
    }

    private int sleepsBeforeTheNextSpin() {
        int sleeps = 0;
        while (policy.begin() == 0) {
            policy.slept(SHORT_SLEEP_NS);
            sleeps++;
        }
        return sleeps;
    }

    @Test
    void onceWaitsAreShortAllSpinAfterSeventeenSleeps() {
        for (int i = 0; i < 10; i++) {
            fail();
        }
        policy.slept(LONG_SLEEP_NS);
        assertEquals(SpinPolicy.MAX_SKIPPED + 1, sleepsBeforeTheNextSpin());
    }

    @Test
    void theBoundIsThatOfTheDearestSleep() {
        SpinPolicy several = new SpinPolicy(0);
        assertEquals(0, several.begin(), "there is nothing to wait for yet");
        several.raise(BOUND_NS);
        several.raise(BOUND_NS - 1);
        assertEquals(BOUND_NS, several.begin());
    }

    /** What one place does and pays. */
    private static final class Place {
        final SpinPolicy policy = new SpinPolicy(BOUND_NS);
        long costNs;
        int spins;
        int sleeps;

        /** Waits for what takes so long. {@return how much later the place goes on because it has slept} */
        long await(long waitNs) {
            long boundNs = policy.begin();
            if (boundNs > 0) {
                spins++;
                policy.spun(waitNs <= boundNs);
                costNs += Math.min(waitNs, boundNs);
            }
            if (waitNs <= boundNs) {
                return 0;
            }
            sleeps++;
            costNs += BOUND_NS;
            policy.slept(waitNs - boundNs + WAKE_UP_NS);
            return WAKE_UP_NS;
        }

        void forget() {
            costNs = 0;
            spins = 0;
            sleeps = 0;
        }
    }

    /** A client that asks at a pace, and a server: each waits for the other, and longer if that one must wake up. */
    private static final class Talk {
        final Place client = new Place();
        final Place server = new Place();
        private long serverLateNs;

        void requests(int count, long gapNs) {
            for (int i = 0; i < count; i++) {
                long clientLateNs = client.await(serverLateNs + ANSWER_NS);
                serverLateNs = server.await(clientLateNs + gapNs + ANSWER_NS);
            }
        }

        void forget() {
            client.forget();
            server.forget();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 5_000, 20_000})
    void twoThatSleepBeginToSpinWhenRequestsComeFast(long gapNs) {
        Talk talk = new Talk();
        talk.requests(100, 1_000_000);
        talk.requests(20, gapNs);
        talk.forget();
        talk.requests(1_000, gapNs);
        assertEquals(0, talk.client.sleeps);
        assertEquals(0, talk.server.sleeps);
    }

    @ParameterizedTest
    @ValueSource(longs = {100_000, 1_000_000, 20_000_000})
    void aServerSleepsAtOnceWhenRequestsComeSeldom(long gapNs) {
        Talk talk = new Talk();
        talk.requests(100, 0);
        talk.requests(1, gapNs);
        talk.forget();
        talk.requests(1_000, gapNs);
        assertEquals(0, talk.server.spins);
        assertEquals(0, talk.client.sleeps, "the answer comes after one wake-up");
    }

    @Test
    void whoWaitsForItsOwnCoreSpinsAtEverySeventeenthWait() {
        Place place = new Place();
        long costNs = 0;
        for (int i = 0; i < 17_000; i++) {
            long boundNs = place.policy.begin();
            if (boundNs > 0) {
                place.spins++;
                place.policy.spun(false);
            }
            place.policy.slept(WAKE_UP_NS); // The peer runs as soon as this one sleeps.
            costNs += boundNs + BOUND_NS;
        }
        assertTrue(place.spins <= 1_005, "spins=" + place.spins);
        assertTrue(costNs <= 18_005 * BOUND_NS, "cost=" + costNs);
    }

    /** Short and long waits in random order, and in runs: never twice the better of sleeping always and spinning always. */
    @ParameterizedTest
    @CsvSource({
        "0, 1", "5, 1", "20, 1", "50, 1", "80, 1", "95, 1", "100, 1", "5, 100", "20, 100", "50, 100", "80, 100",
        "95, 100"
    })
    void theRuleIsNearTheBetterOfTheFixedOnes(int shortPercent, int run) {
        Random random = new Random(shortPercent + 1_000L * run);
        Place place = new Place();
        long sleepingNs = 0;
        long spinningNs = 0;
        for (int i = 0; i < 1_000; i++) {
            boolean small = random.nextInt(100) < shortPercent;
            for (int j = 0; j < run; j++) {
                long waitNs = small ? random.nextInt((int) BOUND_NS) : BOUND_NS * (2 + random.nextInt(100));
                place.await(waitNs);
                sleepingNs += BOUND_NS;
                spinningNs += waitNs <= BOUND_NS ? waitNs : 2 * BOUND_NS;
            }
        }
        long bestNs = Math.min(sleepingNs, spinningNs);
        assertTrue(place.costNs <= 1.5 * bestNs, "times the best: " + (double) place.costNs / bestNs);
    }
}
