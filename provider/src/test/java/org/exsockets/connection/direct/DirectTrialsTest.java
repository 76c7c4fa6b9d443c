package org.exsockets.connection.direct;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.exsockets.adapt.SharedTrials;
import org.exsockets.adapt.Trials;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The trials of direct transfers, on a stream whose two ways take a given time per sample. */
class DirectTrialsTest {
    private static final int WRITE_BYTES = 1 << 20;
    private static final int SAMPLE_BYTES = (int) DirectWrites.SAMPLE_BYTES;
    private static final long WINDOW_WRITES = SAMPLE_BYTES / WRITE_BYTES;

    private long nowNs;
    private final SharedTrials turns = new SharedTrials();
    private final Trials trials = newTrials();

    /** Nanoseconds of all writes, and of those that went straight. */
    private long straightNs;

    private Trials newTrials() {
        return new Trials(DirectWrites.RULE, turns, SAMPLE_BYTES, false, () -> nowNs);
    }

    private void write(long samples, long straightWindowNs, long indirectWindowNs) {
        for (long i = 0; i < samples * WINDOW_WRITES; i++) {
            boolean straight = !trials.other();
            long ns = (straight ? straightWindowNs : indirectWindowNs) / WINDOW_WRITES;
            nowNs += ns;
            straightNs += straight ? ns : 0;
            trials.onWritten(WRITE_BYTES);
        }
    }

    @Test
    void beginsStraight() {
        assertFalse(trials.other());
        trials.onWritten(1);
        assertFalse(trials.other());
    }

    @ParameterizedTest
    @CsvSource({"1000000, 1500000", "1000000, 1000000", "1000000, 960000", "800000, 8000000"})
    void staysStraightUnlessTheOtherWayIsFaster(long straight, long indirect) {
        write(2000, straight, indirect);
        straightNs = 0;
        long startNs = nowNs;
        write(4000, straight, indirect);
        assertTrue(straightNs > 0.95 * (nowNs - startNs), "straight " + straightNs + " of " + (nowNs - startNs));
    }

    @ParameterizedTest
    @CsvSource({"1500000, 1000000", "4000000, 1000000", "1000000, 900000"})
    void goesTheOtherWayWhereThatIsFaster(long straight, long indirect) {
        write(2000, straight, indirect);
        straightNs = 0;
        long startNs = nowNs;
        write(4000, straight, indirect);
        assertTrue(straightNs < 0.05 * (nowNs - startNs), "straight " + straightNs + " of " + (nowNs - startNs));
    }

    @ParameterizedTest
    @CsvSource({"850000, true", "700000, false"})
    void besideOthersItMustBeClearlyFaster(long indirect, boolean straight) {
        Trials other = newTrials();
        for (int i = 0; i < 2000; i++) {
            write(1, 1_000_000, indirect);
            other.onWritten(SAMPLE_BYTES);
        }
        assertEquals(straight, !trials.other());
        write(4000, 1_000_000, indirect);
        assertTrue(trials.other(), "alone again");
    }

    @Test
    void comesBackWhenThePlacementHasChanged() {
        write(1000, 1_500_000, 1_000_000);
        assertTrue(trials.other());
        write(4000, 1_000_000, 1_500_000);
        straightNs = 0;
        long startNs = nowNs;
        write(4000, 1_000_000, 1_500_000); // One of them may be a trial.
        assertTrue(straightNs > 0.95 * (nowNs - startNs), "straight " + straightNs + " of " + (nowNs - startNs));
    }

    @Test
    void aSlowStreamGoesStraight() {
        write(1000, 1_500_000, 1_000_000);
        assertTrue(trials.other());
        write(3, 100_000_000, 100_000_000);
        assertFalse(trials.other());
        write(100, 100_000_000, 90_000_000);
        assertFalse(trials.other());
    }

    @Test
    void aWayThatIsTooSlowToBeJudgedIsSeldomTried() {
        write(2000, 800_000, 80_000_000);
        straightNs = 0;
        long startNs = nowNs;
        write(4000, 800_000, 80_000_000);
        assertTrue(straightNs > 0.95 * (nowNs - startNs), "straight " + straightNs + " of " + (nowNs - startNs));
    }

    @Test
    void whatDisturbsForAWhileDoesNotDecide() {
        write(1000, 600_000, 700_000);
        for (int i = 0; i < 20; i++) {
            write(45, 2_000_000, 1_000_000); // Over before a second trial.
            straightNs = 0;
            long startNs = nowNs;
            write(3000, 600_000, 700_000);
            assertTrue(straightNs > 0.95 * (nowNs - startNs), "straight " + straightNs + " of " + (nowNs - startNs));
        }
    }

    @Test
    void waitsUntilTheHiddenBufferHasGrown() {
        boolean wasStraight = true;
        int samples = 0;
        for (int i = 0; i < 4000; i++) {
            samples = !trials.other() == wasStraight ? samples + 1 : 0;
            wasStraight = !trials.other();
            write(1, 1_000_000, 600_000 + (3_000_000 >> Math.min(samples, 20)));
        }
        assertTrue(trials.other());
    }

    @Test
    void aPauseChangesNothing() {
        write(1000, 1_500_000, 1_000_000);
        int straight = 0;
        for (int i = 0; i < 50; i++) {
            nowNs += 1_000_000_000;
            straight += !trials.other() ? 1 : 0;
            write(100, 1_500_000, 1_000_000);
        }
        assertTrue(straight < 5, "straight after " + straight + " of 50 pauses");
    }

    @Test
    void someWindowsThatAreInterruptedDoNotDecide() {
        for (int i = 0; i < 4000; i++) {
            write(1, 1_000_000 + (i % 5 == 0 ? 10_000_000 : 0), 800_000 + (i % 5 == 0 ? 10_000_000 : 0));
        }
        assertTrue(trials.other());
    }

    @Test
    void noiseAloneSeldomCostsMuch() {
        SplittableRandom random = new SplittableRandom(7);
        long bestNs = 0;
        for (int i = 0; i < 20_000; i++) {
            long noise = random.nextInt(8) == 0 ? 500_000 : random.nextInt(100_000);
            bestNs += 1_000_000 + noise;
            write(1, 1_000_000 + noise, 1_200_000 + noise);
        }
        assertTrue(nowNs < bestNs * 1.03, "took " + (double) nowNs / bestNs);
    }

    @Test
    void aStreamThatStaysAsItIsSeldomTries() {
        write(20_000, 1_000_000, 1_500_000);
        straightNs = 0;
        long startNs = nowNs;
        write(20_000, 1_000_000, 1_500_000);
        assertTrue(straightNs > 0.99 * (nowNs - startNs), "straight " + straightNs + " of " + (nowNs - startNs));
        write(500, 1_500_000, 1_000_000); // Not long after the last trial.
        assertTrue(trials.other());
    }

    @Test
    void streamsOfOneProcessTryOneAtATime() {
        List<Trials> streams = Stream.generate(this::newTrials).limit(16).toList();
        long indirectWindows = 0;
        long samples = 0;
        for (int i = 0; i < 4000; i++) {
            int trying = 0;
            for (Trials stream : streams) {
                trying += !stream.other() ? 0 : 1;
                nowNs += !stream.other() ? 1_000_000 : 1_200_000;
                stream.onWritten(SAMPLE_BYTES);
                samples++;
            }
            assertTrue(trying <= 1, trying + " try");
            indirectWindows += trying;
        }
        assertTrue(indirectWindows > 0, "none tried");
        assertTrue(
                indirectWindows < samples / 200,
                indirectWindows + " of " + samples); // A 25th of the time, a 16th of the streams
    }

    @Test
    void aStreamThatEndsInATrialDoesNotKeepTheOthersFromTheirs() {
        while (!trials.other()) {
            write(1, 1_500_000, 1_000_000);
        }
        Trials other = newTrials();
        for (int i = 0; i < 500; i++) {
            nowNs += !other.other() ? 1_500_000 : 1_000_000;
            other.onWritten(SAMPLE_BYTES);
        }
        assertFalse(other.other(), "too soon");
        for (int i = 0; i < 1000; i++) {
            nowNs += !other.other() ? 1_500_000 : 1_000_000;
            other.onWritten(SAMPLE_BYTES);
        }
        assertTrue(other.other());
    }
}
