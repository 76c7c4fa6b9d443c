package org.exsockets.stream;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The engine under a random scheduler. {@code -Dexs.test.steps} sets how long; {@code -Dexs.test.seed} repeats a run. */
class DirectTransfersTest {
    private static final long SEED = Long.getLong("exs.test.seed", 1);
    /** So many that the share of direct bytes, 5.7 per cent, varies by little from seed to seed. */
    private static final long STEPS = Long.getLong("exs.test.steps", 5_000_000);

    private static final int STEPS_PER_RUN = 700;

    @Test
    void everyByteArrivesOnceInItsPlaceAndNoneInMemoryThatWasGivenBack() {
        long steps = 0;
        long direct = 0;
        long received = 0;
        int runs = 0;
        int directRuns = 0;
        long failures = 0;
        for (long seed = SEED; steps < STEPS; seed++) {
            DirectSimulation simulation = new DirectSimulation(seed, new SmallRules(), DirectSimulation.Driving.RIGHT);
            try {
                simulation.run(STEPS_PER_RUN);
            } catch (Throwable e) {
                throw new AssertionError("seed=" + seed + " (-Dexs.test.seed=" + seed + "): " + e.getMessage(), e);
            }
            steps += simulation.steps();
            direct += simulation.directBytes();
            received += simulation.receivedBytes();
            failures += simulation.failures();
            runs++;
            directRuns += simulation.directBytes() > 0 ? 1 : 0;
        }
        System.out.println("steps=" + steps + ", bytes=" + received + ", direct=" + direct + ", runs=" + runs
                + ", with direct bytes=" + directRuns + ", failed writes=" + failures);
        assertTrue(direct > received / 20 && direct < received, "direct bytes: " + direct + " of " + received);
        assertTrue(failures > runs / 4, "failed writes: " + failures);
        assertTrue(directRuns > runs / 2, "runs with direct bytes: " + directRuns + " of " + runs);
    }
}
