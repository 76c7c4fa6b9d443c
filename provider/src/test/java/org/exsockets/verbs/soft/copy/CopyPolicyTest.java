package org.exsockets.verbs.soft.copy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.exsockets.verbs.soft.copy.CopyPolicy.Hint;
import org.junit.jupiter.api.Test;

/** A stream whose pace depends on the copy that the policy chooses, on a clock of its own. */
class CopyPolicyTest {
    private static final int CHUNK = 64 << 10;
    private static final long SECOND_NS = 1_000_000_000;
    private static final double FAR_ORDINARY = 2.5;
    private static final double FAR_PAST = 14;
    private static final double NEAR_ORDINARY = 40;
    private static final double NEAR_PAST = 15;

    private final Hint hint = new Hint();
    private long nowNs = -SECOND_NS;
    private boolean available = true;
    private int asked;
    private CopyPolicy policy = newPolicy();

    // Of the two copies, GB/s.
    private double ordinary = FAR_ORDINARY;
    private double past = FAR_PAST;

    private CopyPolicy newPolicy() {
        return new CopyPolicy(
                () -> nowNs,
                () -> {
                    asked++;
                    return available;
                },
                hint);
    }

    /** {@return the share of the bytes that went past the caches} */
    private double stream(long bytes, long idleNsPerChunk) {
        long pastCaches = 0;
        for (long sent = 0; sent < bytes; sent += CHUNK) {
            boolean chosen = policy.pastCaches(CHUNK);
            pastCaches += chosen ? CHUNK : 0;
            nowNs += (long) (CHUNK / (chosen ? past : ordinary)) + idleNsPerChunk;
        }
        return pastCaches / (double) bytes;
    }

    private double stream(long bytes) {
        return stream(bytes, 0);
    }

    @Test
    void aShortStreamAsksForNothing() {
        assertEquals(0, stream(CopyPolicy.MIN_WINDOW_BYTES));
        assertEquals(0, asked);
    }

    @Test
    void betweenDistantCoresNearlyAllGoesPastTheCaches() {
        stream(4 << 20);
        double share = stream(4L << 30);
        assertTrue(share > 0.99, "share=" + share);
    }

    @Test
    void withALargeRingInASharedCacheNearlyAllIsOrdinary() {
        ordinary = NEAR_ORDINARY;
        past = NEAR_PAST;
        policy.ring(4 << 20);
        double share = stream(8L << 30);
        assertTrue(share > 0 && share < 0.02, "share=" + share);
    }

    @Test
    void trialsTakeLittleOfTheTime() {
        ordinary = 0.5;
        stream(1 << 30);
        long startNs = nowNs;
        stream(8L << 30);
        double slowdown = (nowNs - startNs) / ((8L << 30) / past);
        assertTrue(slowdown < 1.04, "slowdown=" + slowdown);
    }

    @Test
    void aMoveOfTheCoresIsFollowedBothWays() {
        for (int i = 0; i < 3; i++) {
            ordinary = FAR_ORDINARY;
            past = FAR_PAST;
            stream(256 << 20);
            assertTrue(stream(1 << 30) > 0.95, "far, time " + i);
            ordinary = NEAR_ORDINARY;
            past = NEAR_PAST;
            // Nothing gets slower here: the next regular trial finds it out.
            stream((long) (CopyPolicy.MAX_INTERVAL_NS * NEAR_PAST * 1.1));
            assertTrue(stream(1 << 30) < 0.05, "near, time " + i);
        }
    }

    @Test
    void aCopyThatGetsMuchSlowerIsLeftLongBeforeTheNextRegularTrial() {
        ordinary = NEAR_ORDINARY;
        past = NEAR_PAST;
        stream(64L << 30);
        ordinary = FAR_ORDINARY;
        past = FAR_PAST;
        long startNs = nowNs;
        while (!policy.pastCaches(CHUNK) || stream(16 << 20) < 1) {
            stream(CHUNK);
            assertTrue(nowNs - startNs < SECOND_NS / 20, "still ordinary");
        }
    }

    @Test
    void copiesThatAreEquallyFastAreNotExchangedForEachOther() {
        ordinary = 10;
        past = 10.5;
        assertTrue(stream(8L << 30) < 0.02);
    }

    @Test
    void aStreamThatItsProgramsHoldUpIsNotJudged() {
        assertEquals(0, stream(1 << 30, 1_000_000));
        assertEquals(0, asked);
    }

    @Test
    void withoutTheNativeHalfAllIsOrdinary() {
        available = false;
        assertEquals(0, stream(1 << 30));
        assertTrue(asked > 0);
    }

    @Test
    void oneInterruptedWindowDecidesNothing() {
        ordinary = NEAR_ORDINARY;
        past = NEAR_PAST;
        stream(8L << 30);
        for (int i = 0; i < 100; i++) {
            nowNs += 300_000;
            assertEquals(0, stream(2 * CopyPolicy.MIN_WINDOW_BYTES), "after interruption " + i);
        }
    }

    @Test
    void aNewConnectionBeginsWithWhatAnEarlierOneHasFound() {
        stream(1 << 30);
        policy = newPolicy();
        assertTrue(policy.pastCaches(CHUNK));
        ordinary = NEAR_ORDINARY;
        past = NEAR_PAST;
        stream(1 << 30);
        policy = newPolicy();
        assertFalse(policy.pastCaches(CHUNK));
    }

    @Test
    void aNewRingInTheMiddleOfATrialReturnsToTheCopyInUse() {
        ordinary = NEAR_ORDINARY;
        past = NEAR_PAST;
        while (!policy.pastCaches(CHUNK)) {
            stream(CHUNK);
        }
        policy.ring(4 << 20);
        assertFalse(policy.pastCaches(CHUNK));
        assertEquals(0, stream(8 << 20));
    }
}
