package org.exsockets.verbs.soft.copy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.exsockets.adapt.SharedTrials;
import org.exsockets.adapt.Trials;
import org.junit.jupiter.api.Test;

/** A stream whose pace depends on the copy that the policy chooses, on a clock of its own. */
class CopyTrialsTest {
    private static final int CHUNK = 64 << 10;
    private static final long SECOND_NS = 1_000_000_000;
    private static final double FAR_ORDINARY = 2.5;
    private static final double FAR_PAST = 14;
    private static final double NEAR_ORDINARY = 40;
    private static final double NEAR_PAST = 15;

    private long nowNs = -SECOND_NS;
    private boolean available = true;
    private int asked;
    private boolean found;
    private Trials trials = newTrials();

    // Of the two copies, GB/s.
    private double ordinary = FAR_ORDINARY;
    private double past = FAR_PAST;

    private Trials newTrials() {
        return new Trials(RegionWriter.RULE, new SharedTrials(), RegionWriter.MIN_SAMPLE_BYTES, found, () -> nowNs);
    }

    /** Writes as {@link RegionWriter} does. {@return whether past the caches} */
    private boolean write() {
        if (trials.other()) {
            asked++;
            if (!available) {
                trials.refuse();
            }
        }
        boolean pastCaches = trials.other();
        nowNs += (long) (CHUNK / (pastCaches ? past : ordinary));
        boolean before = trials.otherInUse();
        trials.onWritten(CHUNK);
        if (trials.otherInUse() != before) {
            found = !before;
        }
        return pastCaches;
    }

    /** {@return the share of the bytes that went past the caches} */
    private double stream(long bytes, long idleNsPerChunk) {
        long pastCaches = 0;
        for (long sent = 0; sent < bytes; sent += CHUNK) {
            nowNs += idleNsPerChunk;
            pastCaches += write() ? CHUNK : 0;
        }
        return pastCaches / (double) bytes;
    }

    private double stream(long bytes) {
        return stream(bytes, 0);
    }

    @Test
    void aShortStreamAsksForNothing() {
        assertEquals(0, stream(RegionWriter.MIN_SAMPLE_BYTES));
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
        trials.restart(4 << 20);
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
            stream((long) (RegionWriter.RULE.maxIntervalNs() * NEAR_PAST * 1.1));
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
        while (!trials.other() || stream(16 << 20) < 1) {
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
            assertEquals(0, stream(2 * RegionWriter.MIN_SAMPLE_BYTES), "after interruption " + i);
        }
    }

    @Test
    void aNewConnectionBeginsWithWhatAnEarlierOneHasFound() {
        stream(1 << 30);
        trials = newTrials();
        assertTrue(trials.other());
        ordinary = NEAR_ORDINARY;
        past = NEAR_PAST;
        stream(1 << 30);
        trials = newTrials();
        assertFalse(trials.other());
    }

    @Test
    void aNewRingInTheMiddleOfATrialReturnsToTheCopyInUse() {
        ordinary = NEAR_ORDINARY;
        past = NEAR_PAST;
        while (!trials.other()) {
            stream(CHUNK);
        }
        trials.restart(4 << 20);
        assertFalse(trials.other());
        assertEquals(0, stream(8 << 20));
    }

    /** Each end's samples have the time of both: the other's trials must not look like a change, or a slower copy. */
    @Test
    void twoEndsThatAnswerEachOtherBothGoPastTheCaches() {
        Trials[] ends = {trials, newTrials()};
        long[] ordinaryWrites = {0, 0};
        for (int round = 0; nowNs < 20 * SECOND_NS; round++) {
            for (int i = 0; i < ends.length; i++) {
                boolean pastCaches = ends[i].other();
                // Of 16 KiB past the caches the copy is a part of the time.
                nowNs += pastCaches ? 2_100 : 3_300;
                ends[i].onWritten(16 << 10);
                ordinaryWrites[i] += pastCaches ? 0 : 1;
                if (nowNs < SECOND_NS) {
                    ordinaryWrites[i] = 0;
                }
            }
            if (round % 100_003 == 0) {
                nowNs += 100_000; // Interrupted.
            }
        }
        long rounds = 19 * SECOND_NS / 4_200;
        assertTrue(ordinaryWrites[0] < rounds / 100, "of the first, ordinary: " + ordinaryWrites[0] + " of " + rounds);
        assertTrue(ordinaryWrites[1] < rounds / 100, "of the second, ordinary: " + ordinaryWrites[1] + " of " + rounds);
    }
}
