package org.exsockets.agent.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.exsockets.agent.ChildJvm;
import org.exsockets.agent.programs.Echo;
import org.exsockets.agent.programs.PrintProperty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code exs-run}. */
class ExsRunIT {
    private static final long LIMIT_SECONDS = 300;

    @TempDir
    Path directory;

    private record Outcome(int status, String out, String err) {}

    private Outcome run(String... arguments) throws IOException, InterruptedException {
        return run(Path.of("exs-run"), arguments);
    }

    private Outcome run(Path script, String... arguments) throws IOException, InterruptedException {
        Process process = started(script, arguments);
        assertTrue(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS));
        return new Outcome(
                process.exitValue(),
                Files.readString(directory.resolve("out")),
                Files.readString(directory.resolve("err")));
    }

    private Process started(Path script, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("sh", script.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(directory.resolve("out").toFile())
                .redirectError(directory.resolve("err").toFile());
        builder.environment().remove("JDK_JAVA_OPTIONS");
        return builder.start();
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin/java").toString();
    }

    @Test
    void aProgramUsesExs() throws Exception {
        Outcome outcome = run("stats=stderr", "log=off", java(), "-cp", ChildJvm.programs(), Echo.class.getName());
        assertEquals(0, outcome.status, outcome.err);
        assertEquals("echo ok\n", outcome.out);
        assertTrue(outcome.err.startsWith("{\"connections\":{\"soft\":4,"), outcome.err);
    }

    @Test
    void theProgramsOfACommandUseExsToo() throws Exception {
        String inner = "exec '" + java() + "' -cp '" + ChildJvm.programs() + "' " + Echo.class.getName();
        Outcome outcome = run("stats=stderr", "sh", "-c", inner);
        assertEquals(0, outcome.status, outcome.err);
        assertEquals("echo ok\n", outcome.out);
        assertTrue(outcome.err.contains("{\"connections\":{\"soft\":4,"), outcome.err);
    }

    @Test
    void argumentsAreWhatTheyWere() throws Exception {
        Outcome outcome =
                run(java(), "-Da=x  \"y' $z*", "-cp", ChildJvm.programs(), PrintProperty.class.getName(), "a");
        assertEquals("x  \"y' $z*\n", outcome.out, outcome.err);
    }

    @Test
    void statusAndSignalsAreTheCommands() throws Exception {
        assertEquals(7, run("sh", "-c", "exit 7").status);
        Process process = started(Path.of("exs-run"), "sleep", "3600");
        process.destroy();
        assertTrue(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS));
        assertEquals(128 + 15, process.exitValue());
    }

    @Test
    void wrongUseIsExplained() throws Exception {
        assertEquals(2, run().status);
        assertTrue(run("--help").err.contains("exs-run java -jar server.jar"));
        assertEquals(2, run("log=debug").status);
    }

    @Test
    void aMissingJarIsNamed() throws Exception {
        Path alone = Files.copy(Path.of("exs-run"), directory.resolve("exs-run"));
        Outcome outcome = run(alone, "true");
        assertEquals(2, outcome.status);
        assertTrue(outcome.err.contains("there is no exs-agent.jar beside"), outcome.err);
        assertFalse(outcome.err.contains("java"), outcome.err);
    }
}
