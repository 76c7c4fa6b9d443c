package org.exsockets.packet;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The engine under a random scheduler. {@code -Dexs.test.steps} sets how long; {@code -Dexs.test.seed} repeats a run. */
class PacketsAtRandomTest {
    private static final long SEED = Long.getLong("exs.test.seed", 1);
    private static final long STEPS = Long.getLong("exs.test.steps", 400_000);
    private static final int STEPS_PER_RUN = 500;

    @Test
    void everyPacketArrivesOnceAndNothingReachesMemoryThatWasGivenBack() {
        long steps = 0;
        long packets = 0;
        long direct = 0;
        long notifications = 0;
        long failures = 0;
        for (long seed = SEED; steps < STEPS; seed++) {
            PacketSimulation simulation = new PacketSimulation(seed, new SmallPacketRules());
            try {
                simulation.run(STEPS_PER_RUN);
            } catch (Throwable e) {
                throw new AssertionError("seed=" + seed + " (-Dexs.test.seed=" + seed + "): " + e.getMessage(), e);
            }
            steps += simulation.steps();
            packets += simulation.packets();
            direct += simulation.directPackets();
            notifications += simulation.notifications();
            failures += simulation.failures();
        }
        System.out.println("steps=" + steps + ", packets=" + packets + ", direct=" + direct + ", notifications="
                + notifications + ", failures=" + failures);
        assertTrue(direct > packets / 20 && direct < packets, "direct packets: " + direct + " of " + packets);
        assertTrue(notifications > 0, "no notifications");
        assertTrue(failures > 0, "no memory failed");
    }
}
