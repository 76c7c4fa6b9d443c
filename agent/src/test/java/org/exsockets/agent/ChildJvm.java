package org.exsockets.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A program run to its end in a JVM of its own, with a clean environment and the test programs on its class path. */
public final class ChildJvm {
    /** Takes seconds; less than the limit of a test in {@code junit-platform.properties}. */
    private static final long LIMIT_SECONDS = 300;

    private final Path home;
    private final List<String> jvmArguments = new ArrayList<>();
    private final List<String> launcher = new ArrayList<>();
    private final List<Path> classPath = new ArrayList<>();
    private final Map<String, String> environment = new HashMap<>();

    private ChildJvm(Path home) {
        this.home = home;
        classPath.add(TestJars.programs());
    }

    public static ChildJvm of(Path jdkHome) {
        return new ChildJvm(jdkHome);
    }

    /** The JDK under test, then those that the property {@code exs.test.jdks} names. */
    public static Stream<Path> jdks() {
        Stream<String> further =
                Arrays.stream(System.getProperty("exs.test.jdks", "").split(","));
        return Stream.concat(Stream.of(System.getProperty("java.home")), further)
                .filter(home -> !home.isBlank())
                .map(Path::of);
    }

    static int featureOf(Path jdkHome) {
        try (Stream<String> lines = Files.lines(jdkHome.resolve("release"))) {
            String version = lines.filter(line -> line.startsWith("JAVA_VERSION="))
                    .findFirst()
                    .orElseThrow()
                    .replaceAll("[^0-9.]", "");
            return Runtime.Version.parse(version).feature();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return where the test programs' classes are} */
    public static String programs() {
        return TestJars.programs().toString();
    }

    ChildJvm agent(Path jar) {
        return jvm("-javaagent:" + jar);
    }

    ChildJvm agent(Path jar, String options) {
        return jvm("-javaagent:" + jar + "=" + options);
    }

    public ChildJvm jvm(String... arguments) {
        jvmArguments.addAll(List.of(arguments));
        return this;
    }

    /** Sets a variable of its environment. */
    public ChildJvm environment(String name, String value) {
        environment.put(name, value);
        return this;
    }

    /** Has a command become the JVM, which follows it. */
    ChildJvm by(String... command) {
        launcher.addAll(List.of(command));
        return this;
    }

    /** Puts {@code entry} before everything else. */
    ChildJvm classPath(Path entry) {
        classPath.add(0, entry);
        return this;
    }

    Outcome run(Class<?> program, String... arguments) {
        String path = String.join(
                File.pathSeparator, classPath.stream().map(Path::toString).toList());
        return run(List.of("-cp", path, program.getName()), arguments);
    }

    /** Runs a command of the agent's jar. */
    public Outcome runAgent(String... arguments) {
        return run(List.of("-jar", TestJars.agent().toString()), arguments);
    }

    /** Starts a command of the agent's jar, for the caller to end. What it says on standard error is ours, too. */
    public Process startAgent(String... arguments) throws IOException {
        return startAgent(TestJars.agent(), arguments);
    }

    /** As {@link #startAgent(String...)}, with another such jar. */
    public Process startAgent(Path jar, String... arguments) throws IOException {
        return start(List.of("-jar", jar.toString()), arguments);
    }

    /** {@return a copy of the agent's jar whose protocols are a version older} */
    public static Path olderAgent(Path directory) throws IOException {
        return TestJars.olderAgent(directory);
    }

    /** Runs a tool of the JDK, which is no JVM that this class has arguments for. */
    Outcome runTool(String name, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(launcher);
        command.add(home.resolve("bin").resolve(name).toString());
        command.addAll(List.of(arguments));
        return run(command);
    }

    /** {@return the packaged agent} */
    public static Path agentJar() {
        return TestJars.agent();
    }

    /** Starts a program with the packaged agent, for the caller to end. What it says on standard error is ours, too. */
    public Process startWithAgent(Class<?> program) throws IOException {
        jvmArguments.add(0, "-javaagent:" + TestJars.agent()); // Before other agents, whose sockets it serves, too.
        return start(List.of("-cp", TestJars.programs().toString(), program.getName()));
    }

    private Process start(List<String> program, String... arguments) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command(program, arguments)).redirectError(ProcessBuilder.Redirect.INHERIT);
        clean(builder);
        return builder.start();
    }

    private List<String> command(List<String> program, String... arguments) {
        List<String> command = new ArrayList<>(launcher);
        command.add(home.resolve("bin/java").toString());
        command.add("-XX:TieredStopAtLevel=1"); // They live shortly: a third of the processor time less.
        command.addAll(jvmArguments);
        command.addAll(program);
        command.addAll(List.of(arguments));
        return command;
    }

    private void clean(ProcessBuilder builder) {
        builder.environment().keySet().removeIf(name -> name.startsWith("EXS_") || name.endsWith("JAVA_OPTIONS"));
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        builder.environment().putAll(environment);
    }

    private Outcome run(List<String> program, String... arguments) {
        try {
            return run(command(program, arguments));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    private Outcome run(List<String> command) throws IOException, InterruptedException {
        Path out = Files.createTempFile("exs-agent-test", ".out");
        Path err = Files.createTempFile("exs-agent-test", ".err");
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
            clean(builder);
            Process process = builder.start();
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
                throw new AssertionError("machine too slow or hung: it ends, limit=" + LIMIT_SECONDS + " s: " + command
                        + "\n" + Files.readString(out) + Files.readString(err));
            }
            return new Outcome(process.exitValue(), Files.readString(out), Files.readString(err));
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }

    public record Outcome(int status, String out, String err) {
        /** {@return the same but for lines of standard error with this text, such as warnings of some JDKs} */
        Outcome withoutLines(String text) {
            String rest = err.lines()
                    .filter(line -> !line.contains(text))
                    .map(line -> line + "\n")
                    .collect(Collectors.joining());
            return new Outcome(status, out, rest);
        }

        /** Nothing but this came from the JVM, on either stream. */
        void printed(String expectedOut) {
            printed(expectedOut, "");
        }

        void printed(String expectedOut, String expectedErr) {
            assertEquals(expectedErr, err);
            assertEquals(expectedOut, out);
            assertEquals(0, status);
        }
    }
}
