package org.exsockets.bench.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Runs the stress tests in a JVM of their own; a forbidden outcome fails the build. {@code -Dexs.test.stress} says for how long:
 * {@code short} is the gate's, {@code modes} runs each test for 5 s in every compilation mode, {@code long} for 10 s in each of
 * three JVMs per mode.
 */
class StressIT {
    private static final String HOW = System.getProperty("exs.test.stress", "none");

    private static final Map<String, List<String>> OPTIONS = Map.of(
            "short", List.of("-iters", "1", "-time", "300", "-f", "1", "-sc", "false"),
            "modes", List.of("-iters", "5", "-time", "1000", "-f", "1"),
            "long", List.of("-iters", "5", "-time", "2000", "-f", "3"));

    /** At least ten times what each takes. */
    private static final Map<String, Long> LIMIT_MINUTES = Map.of("short", 60L, "modes", 800L, "long", 3_000L);

    @Test
    void noForbiddenOutcomeIsSeen() throws IOException, InterruptedException {
        assumeTrue(!HOW.equals("none"), "not asked for: -Dexs.test.stress=short, modes or long");
        assertTrue(OPTIONS.containsKey(HOW), () -> "-Dexs.test.stress=" + HOW + ": one of " + OPTIONS.keySet());
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "stress tests need two cores");
        Path results = Files.createDirectories(Path.of("target", "stress").toAbsolutePath());
        Path output = results.resolve("output.txt");
        Process stress = new ProcessBuilder(command(results))
                .directory(results.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertTrue(
                    stress.waitFor(LIMIT_MINUTES.get(HOW), TimeUnit.MINUTES),
                    () -> "machine too slow or hung: " + output);
        } finally {
            stress.destroyForcibly();
        }
        String text = Files.readString(output);
        assertEquals(0, stress.exitValue(), () -> end(text));
        assertTrue(
                text.contains("RUN RESULTS") && text.contains(" 0 failed, 0 soft errs, 0 hard errs"), () -> end(text));
    }

    /** As with the agent, words of shared memory are reached by the JDK's own Unsafe. */
    private static final String JVM = "-Xmx256m --add-exports=java.base/jdk.internal.misc=ALL-UNNAMED";

    private static List<String> command(Path results) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "org.openjdk.jcstress.Main",
                "-t",
                "org.exsockets.bench.stress",
                "-r",
                results.toString(),
                // Few states at a time: each holds a segment.
                "-strideSize",
                "32",
                "-strideCount",
                "8",
                "-af",
                "NONE"));
        command.addAll(OPTIONS.get(HOW));
        command.addAll(List.of("-jvmArgs", JVM));
        return command;
    }

    private static String end(String text) {
        int results = text.indexOf("RUN RESULTS");
        return results < 0 ? text : text.substring(results);
    }
}
