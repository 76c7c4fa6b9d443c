package org.exsockets.bench.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Runs the stress tests in a JVM of their own; a forbidden outcome fails the build. {@code -Dexs.test.stress} names the
 * {@link Form}; without it nothing is run.
 */
class StressIT {
    private static final String HOW = System.getProperty("exs.test.stress", "none");

    /** How long each test is run. The limits are at least ten times what the forms take. */
    private enum Form {
        /** The gate's. */
        SHORT(60, "-iters", "1", "-time", "300", "-sc", "false"),
        /** Every compilation mode, for five iterations of {@code exs.test.stress.millis}, 1 s if not set: an hour in all. */
        MODES(1_200, "-iters", "5", "-time", Integer.toString(Integer.getInteger("exs.test.stress.millis", 1_000)));

        private final long limitMinutes;
        private final List<String> options;

        Form(long limitMinutes, String... options) {
            this.limitMinutes = limitMinutes;
            this.options = List.of(options);
        }

        static Form named(String name) {
            for (Form each : values()) {
                if (each.name().equalsIgnoreCase(name)) {
                    return each;
                }
            }
            throw new AssertionError("-Dexs.test.stress=" + name + ": one of " + Arrays.toString(values()));
        }
    }

    @Test
    void noForbiddenOutcomeIsSeen() throws IOException, InterruptedException {
        assumeTrue(!HOW.equals("none"), "not asked for: -Dexs.test.stress=short or modes");
        Form form = Form.named(HOW);
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "stress tests need two cores");
        Path results = Files.createDirectories(Path.of("target", "stress").toAbsolutePath());
        Path output = results.resolve("output.txt");
        Process stress = new ProcessBuilder(command(form, results))
                .directory(results.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertTrue(
                    stress.waitFor(form.limitMinutes, TimeUnit.MINUTES), () -> "machine too slow or hung: " + output);
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

    private static List<String> command(Form form, Path results) {
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
                "NONE",
                // One JVM for each test and compilation mode.
                "-f",
                "1"));
        command.addAll(form.options);
        command.addAll(List.of("-jvmArgs", JVM));
        return command;
    }

    private static String end(String text) {
        int results = text.indexOf("RUN RESULTS");
        return results < 0 ? text : text.substring(results);
    }
}
