package org.exsockets.verbs.disni.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GrowthBudgetTest {
    private static final int KIB = 1 << 10;
    private static final int MIB = 1 << 20;

    @TempDir
    private Path root;

    private void machine(String limit, String capabilities) throws IOException {
        Path self = Files.createDirectories(root.resolve("proc/self"));
        Files.writeString(self.resolve("limits"), "Max locked memory         " + limit + "     bytes\n");
        Files.writeString(self.resolve("status"), "CapEff:\t" + capabilities + "\n");
        Files.writeString(root.resolve("proc/meminfo"), "MemTotal:       16777216 kB\n");
    }

    @Test
    void isAShareOfTheLimitOrOfTheMachinesMemory() throws IOException {
        machine("8388608", "0");
        assertEquals(MIB, GrowthBudget.bytes(root));
        machine("unlimited", "0");
        assertEquals(2L << 30, GrowthBudget.bytes(root));
        machine("8388608", "000001ffffffffff");
        assertEquals(2L << 30, GrowthBudget.bytes(root));
    }

    /** The limit that systemd gives to services, by default. */
    @Test
    void leavesRoomForSixteenConnectionsWith8Mebibytes() throws IOException {
        machine("8388608", "0");
        long rest = (8 << 20) - GrowthBudget.bytes(root);
        assertTrue(16 * ConnectionSizes.usual().lockedBytes(4 * KIB) <= rest);
    }

    @Test
    void givesAllAtOnceWhereThereIsPlenty() {
        GrowthBudget budget = new GrowthBudget(64 * MIB);
        for (int i = 0; i < 13; i++) {
            assertEquals(4 * MIB, budget.take(512 * KIB, 4 * MIB));
        }
        assertEquals(2 * MIB, budget.take(512 * KIB, 4 * MIB), "of 12 MiB");
    }

    @Test
    void givesLessTheLessThereIsAndNothingInTheEnd() {
        GrowthBudget budget = new GrowthBudget(4 * MIB);
        assertEquals(MIB, budget.take(512 * KIB, 4 * MIB));
        assertEquals(512 * KIB, budget.take(512 * KIB, 4 * MIB));
        assertEquals(MIB, budget.take(MIB, 4 * MIB));
        assertEquals(MIB, budget.take(MIB, MIB));
        assertEquals(0, budget.take(MIB, 4 * MIB));
        assertEquals(512 * KIB, budget.take(512 * KIB, 4 * MIB));
        assertEquals(0, budget.take(512 * KIB, 4 * MIB));
        budget.giveBack(MIB);
        assertEquals(MIB, budget.take(MIB, 4 * MIB));
        assertEquals(0, new GrowthBudget(0).take(KIB, KIB));
    }
}
