package org.exsockets.compat.noagent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.exsockets.compat.harness.Patience;

/** A JVM that runs a program with the jar on its class path and the providers named in their properties; no agent. */
final class ProgramJvm implements AutoCloseable {
    /** What programs without the agent need, to have EXS. */
    static final List<String> OPEN = List.of("--add-opens", "java.base/java.nio.channels.spi=ALL-UNNAMED");

    private final Process process;
    private final BufferedReader out;
    private final CompletableFuture<String> errors;

    private ProgramJvm(Process process) {
        this.process = process;
        this.out = process.inputReader(StandardCharsets.UTF_8);
        this.errors = CompletableFuture.supplyAsync(() -> {
            try {
                return new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /**
     * Starts a program of this project's tests.
     *
     * @param jdk the home of the JDK to run it
     */
    static ProgramJvm start(Path jdk, List<String> options, Class<?> program, String... arguments) throws Exception {
        Path classes = Path.of(
                program.getProtectionDomain().getCodeSource().getLocation().toURI());
        List<String> command = new ArrayList<>();
        command.add(jdk.resolve("bin/java").toString());
        command.add("-Xmx256m");
        command.add("--enable-native-access=ALL-UNNAMED"); // Otherwise JDKs from 24 on warn.
        command.add(org.exsockets.compat.harness.ProgramJvm.QUICK);
        command.add("-Djava.nio.channels.spi.SelectorProvider=org.exsockets.ExsSelectorProvider");
        command.add("-Djava.nio.channels.spi.AsynchronousChannelProvider=org.exsockets.ExsAsynchronousChannelProvider");
        command.add("-Dexs.stats=stderr");
        command.addAll(options);
        command.add("-cp");
        command.add(classes + File.pathSeparator + System.getProperty("compat.agent"));
        command.add(program.getName());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeAll(org.exsockets.compat.harness.ProgramJvm.INHERITED_OPTIONS);
        return new ProgramJvm(builder.start());
    }

    /** {@return the next line of its output} */
    String line() throws IOException {
        String line = out.readLine();
        assertTrue(line != null, () -> "the program ended: " + errors.join());
        return line;
    }

    /** Waits for its end, which must be orderly. {@return the statistics, all that it may print on standard error} */
    String end() throws Exception {
        String printed = errorsAtEnd();
        assertEquals(1, printed.lines().count(), () -> "more than the statistics on standard error: " + printed);
        return printed;
    }

    /** Waits for its end, which must be orderly. {@return what it printed on standard error} */
    String errorsAtEnd() throws Exception {
        Patience.await("the program ends", Patience.PROGRAM_SECONDS, process::waitFor);
        String printed = Patience.get("its standard error ends", errors);
        assertEquals(0, process.exitValue(), printed);
        return printed;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
