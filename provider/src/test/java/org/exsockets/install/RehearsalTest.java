package org.exsockets.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.exsockets.observe.Statistics;
import org.junit.jupiter.api.Test;

/** The program's own connections are not disturbed by what the process exchanges with itself. */
class RehearsalTest {
    private static final int REPEATS = 6;

    @Test
    void itCountsNowhereAndLeavesNothing() throws Exception {
        Rehearsal rehearsal = new Rehearsal(Long.MAX_VALUE);
        rehearsal.rehearse(); // What every later connection uses, too, is made.
        String counted = Statistics.jvm().toJson();
        long descriptors = descriptors();
        for (int i = 0; i < REPEATS; i++) {
            assertEquals(2 * Rehearsal.ROUNDS, rehearsal.rehearse());
        }
        assertEquals(counted, Statistics.jvm().toJson());
        // Some are closed in the background.
        assertTrue(descriptors() < descriptors + REPEATS, descriptors + " before, now " + descriptors());
        assertEquals(
                0,
                Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread.getName().equals("exs-rehearsal"))
                        .count());
    }

    @Test
    void aBusyProgramNeedsNone() throws Exception {
        assertEquals(0, new Rehearsal(0).rehearse());
    }

    @Test
    void itEndsWithTheJvm() throws Exception {
        Rehearsal rehearsal = new Rehearsal(Long.MAX_VALUE);
        rehearsal.end();
        assertEquals(0, rehearsal.rehearse());
    }

    private static long descriptors() throws Exception {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }
}
