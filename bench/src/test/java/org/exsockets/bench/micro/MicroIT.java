package org.exsockets.bench.micro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Runs every micro-benchmark once, in a JVM of its own: that they still work, not how fast. */
class MicroIT {
    /** At least ten times what it takes. */
    private static final long LIMIT_MINUTES = 60;

    private static final List<String> FIGURES =
            List.of("ArrivalRing.message", "Stream.roundTrip", "Selection.consumer", "Selection.selectedKeys");

    @Test
    void everyBenchmarkRuns() throws IOException, InterruptedException {
        Path output = Path.of("target", "micro.txt").toAbsolutePath();
        Process benchmarks = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "org.openjdk.jmh.Main",
                        "org.exsockets.bench.micro",
                        "-foe",
                        "true",
                        "-f",
                        "0",
                        "-wi",
                        "0",
                        "-i",
                        "1",
                        "-r",
                        "50ms",
                        "-prof",
                        "gc")
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertTrue(
                    benchmarks.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES), () -> "machine too slow or hung: " + output);
        } finally {
            benchmarks.destroyForcibly();
        }
        String text = Files.readString(output);
        assertEquals(0, benchmarks.exitValue(), text);
        FIGURES.forEach(name -> assertTrue(text.contains(name + ":gc.alloc.rate.norm"), () -> name + ": " + text));
    }
}
