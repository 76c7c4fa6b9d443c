package org.exsockets.compat.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * One side of a program in its own JVM, in a directory of its own. It ends when its standard input does, and this JVM's end
 * is its end. Every wait is bounded; what does not come in time is reported with the JVM's threads and last words. Owned
 * by the test's thread; one daemon thread collects the output.
 */
public final class ProgramJvm implements AutoCloseable {
    /** For what lives shortly, where the second compiler is not what is tested: a third of the processor time less. */
    public static final String QUICK = "-XX:TieredStopAtLevel=1";

    private static final int LAST_WORDS = 60;

    /** Options from the environment could put an agent in front of a plain side. */
    public static final Set<String> INHERITED_OPTIONS =
            Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    private final String name;
    private final Path directory;
    private final Process process;
    private final BlockingQueue<Optional<String>> output = new LinkedBlockingQueue<>();

    /**
     * Starts it.
     *
     * @param name of a directory for it, and for messages
     * @param parent where to make the directory
     */
    public ProgramJvm(
            String name, Path parent, boolean agent, List<String> options, String classPath, List<String> program)
            throws IOException {
        this(
                name,
                parent,
                Path.of(javaTool("java")),
                arguments(parent.resolve(name), agent, options, classPath, program));
    }

    /**
     * Starts it, with other than the usual arguments.
     *
     * @param java what to run
     * @param arguments all of them
     */
    public ProgramJvm(String name, Path parent, Path java, List<String> arguments) throws IOException {
        this.name = name;
        this.directory = Files.createDirectory(parent.resolve(name));
        List<String> command = new ArrayList<>(List.of(java.toString(), "-Djava.io.tmpdir=" + directory));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.redirectError(directory.resolve("err").toFile());
        builder.environment().keySet().removeAll(INHERITED_OPTIONS);
        process = builder.start();
        Thread collector = new Thread(this::collectOutput, "output of " + name);
        collector.setDaemon(true);
        collector.start();
    }

    private static List<String> arguments(
            Path directory, boolean agent, List<String> options, String classPath, List<String> program) {
        List<String> arguments = new ArrayList<>(options);
        if (agent) {
            arguments.addAll(agent(directory));
        }
        arguments.add("-cp");
        arguments.add(classPath);
        arguments.addAll(program);
        return arguments;
    }

    /**
     * {@return the agent and what it writes}
     *
     * @param directory of the program
     */
    public static List<String> agent(Path directory) {
        return List.of(
                "-javaagent:" + Path.of(System.getProperty("compat.agent")).toAbsolutePath(),
                "-Dexs.stats=" + directory.resolve("stats"),
                "-Dexs.log=debug:" + directory.resolve("log"));
    }

    /** {@return the path of a tool of the JDK that runs this} */
    public static String javaTool(String tool) {
        return Path.of(System.getProperty("java.home"), "bin", tool).toString();
    }

    private void collectOutput() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                output.add(Optional.of(line));
            }
        } catch (IOException e) {
            output.add(Optional.of("output lost: " + e.getMessage()));
        } finally {
            output.add(Optional.empty());
        }
    }

    /** Reads the output up to a line that begins with a word, and returns the rest of it. */
    public String await(String word) throws IOException, InterruptedException {
        while (true) {
            String line = nextLine();
            if (line == null) {
                throw new AssertionError(name + ": ended before it said '" + word + "'" + lastWords());
            }
            if (line.startsWith(word + " ")) {
                return line.substring(word.length() + 1);
            }
        }
    }

    /** Reads the output to its end, and returns the lines. */
    public List<String> awaitOutput() throws IOException, InterruptedException {
        List<String> lines = new ArrayList<>();
        for (String line = nextLine(); line != null; line = nextLine()) {
            lines.add(line);
        }
        return lines;
    }

    /** Reads the output to its end, waits for the JVM's, which must be in order, and returns the lines. */
    public List<String> awaitEnd() throws IOException, InterruptedException {
        List<String> lines = awaitOutput();
        if (awaitCode() != 0) {
            throw new AssertionError(name + ": failed: code=" + process.exitValue() + lastWords());
        }
        return lines;
    }

    /** {@return what it has written to standard error so far} */
    public String errors() throws IOException {
        return Files.readString(directory.resolve("err"));
    }

    /** {@return its process} */
    public ProcessHandle process() {
        return process.toHandle();
    }

    /** {@return the code with which it has ended} */
    public int awaitCode() throws IOException, InterruptedException {
        if (!process.waitFor(Patience.PROGRAM_SECONDS, TimeUnit.SECONDS)) {
            throw expired("it ends");
        }
        return process.exitValue();
    }

    /** Sends it a line. */
    public void tell(String line) throws IOException {
        process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    /** Lets a server end. */
    public void end() throws IOException {
        process.getOutputStream().close();
    }

    /** {@return null at the end} */
    private String nextLine() throws IOException, InterruptedException {
        Optional<String> line = output.poll(Patience.PROGRAM_SECONDS, TimeUnit.SECONDS);
        if (line == null) {
            throw expired("it says something");
        }
        return line.orElse(null);
    }

    private AssertionError expired(String what) throws IOException, InterruptedException {
        AssertionError expired = Patience.expired(name + ": " + what, Patience.PROGRAM_SECONDS);
        expired.addSuppressed(new AssertionError(lastWords()));
        return expired;
    }

    /** {@return what the agent counted; after the end} */
    public String statistics() throws IOException {
        return Files.readString(directory.resolve("stats"));
    }

    /** {@return what the agent counted, and what it says of each connection, for messages} */
    public String quoted() {
        try {
            return name + ": " + statistics() + Files.readString(directory.resolve("log"));
        } catch (IOException e) {
            return name + ": " + e;
        }
    }

    /** What helps to understand a failure: threads if it lives, standard error, the agent's log. */
    public String lastWords() throws IOException, InterruptedException {
        StringBuilder words = new StringBuilder();
        if (process.isAlive()) {
            words.append("\n---- ").append(name).append(": threads\n").append(Stacks.of(process.pid()));
        }
        for (String kind : List.of("err", "log")) {
            Path file = directory.resolve(kind);
            List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
            words.append("\n---- ")
                    .append(name)
                    .append(": end of ")
                    .append(kind)
                    .append('\n');
            words.append(String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_WORDS), lines.size())));
        }
        return words.toString();
    }

    /** Kills it if it still lives. */
    @Override
    public void close() {
        try {
            process.destroyForcibly().waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
