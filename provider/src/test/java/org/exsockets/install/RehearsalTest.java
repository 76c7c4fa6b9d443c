package org.exsockets.install;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.exsockets.observe.Statistics;
import org.junit.jupiter.api.Test;

/** The program's own connections are not disturbed by what the process exchanges with itself. */
class RehearsalTest {
    @Test
    void itCountsNowhereAndLeavesNothing() throws Exception {
        Rehearsal.rehearse(); // What every later connection uses, too, is made.
        String counted = Statistics.jvm().toJson();
        long descriptors = descriptors();
        Rehearsal.rehearse();
        assertEquals(counted, Statistics.jvm().toJson());
        assertEquals(descriptors, descriptors());
        assertEquals(
                0,
                Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread.getName().equals("exs-rehearsal"))
                        .count());
    }

    private static long descriptors() throws Exception {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }
}
