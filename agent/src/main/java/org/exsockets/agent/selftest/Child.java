package org.exsockets.agent.selftest;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A JVM of the test. It answers lines by lines and ends when its standard input does. Used by one thread. */
final class Child implements AutoCloseable {
    private static final long ANSWER_SECONDS = 60;
    private static final long END_SECONDS = 20;
    private static final long STACKS_SECONDS = 2;
    private static final String OVER = "";

    private final String name;
    private final Process process;
    private final PrintStream commands;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final Path statistics;
    private final Path errors;
    private final List<String> stacks = new ArrayList<>();

    /** An answer did not come; if it does later, it would be taken for another one. */
    private boolean lost;

    /** @param name of it in reports, and of its files; each is used once */
    Child(Workplace workplace, Transport transport, String name, Class<?> program, String... arguments)
            throws IOException {
        this.name = name;
        statistics = workplace.file(name + ".json");
        errors = workplace.file(name + ".err");
        process = workplace
                .jvm(transport, statistics, program, arguments)
                .redirectError(errors.toFile())
                .start();
        commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        Thread reader = new Thread(this::read, "selftest-" + name);
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try (BufferedReader from = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = from.readLine(); line != null; line = from.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            lines.add("failed " + e);
        }
        lines.add(OVER);
    }

    /** {@return the words of the answer, but for {@code ok}} */
    String[] ask(String command) throws IOException {
        if (lost) {
            throw new IOException(name + ": answers no more");
        }
        commands.println(command);
        return answer(command);
    }

    /**
     * @param what is waited for
     * @throws IOException if it fails, or nothing comes
     */
    String[] answer(String what) throws IOException {
        String line;
        try {
            line = lines.poll(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IOException("interrupted", e);
        }
        if (line == null) {
            lost = true;
            takeStacks();
            throw new IOException(name + ": no answer within " + ANSWER_SECONDS + " s: " + what);
        }
        if (!line.startsWith("ok")) {
            String why = line.equals(OVER) ? "its JVM has ended" : line.replaceFirst("^failed ", "");
            throw new IOException(name + ": " + what + ": " + why);
        }
        return line.length() < 3 ? new String[0] : line.substring(3).split(" ");
    }

    /** What it waits for is the first question about a hang. */
    private void takeStacks() throws IOException {
        new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid())).start();
        try {
            for (String line; (line = lines.poll(STACKS_SECONDS, TimeUnit.SECONDS)) != null; ) {
                stacks.add(line);
            }
        } catch (InterruptedException e) {
            throw new IOException("interrupted", e);
        }
    }

    long cpuNs() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
    }

    /** Lets it end, so that it writes its statistics. */
    @Override
    public void close() throws IOException {
        commands.close();
        try {
            if (lost) {
                process.destroyForcibly().waitFor();
            } else if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                takeStacks();
                process.destroyForcibly().waitFor();
                stacks.add("did not end within " + END_SECONDS + " s");
            } else if (process.exitValue() != 0) {
                stacks.add("ended with status " + process.exitValue());
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
        }
    }

    /** {@return its statistics, after its end; empty if there are none} */
    String statistics() throws IOException {
        return Files.exists(statistics) ? Files.readString(statistics).strip() : "";
    }

    /** {@return what it said on standard error, and its stacks if it hung, after its end} */
    List<String> said() throws IOException {
        List<String> said = new ArrayList<>();
        for (String line : Files.readAllLines(errors)) {
            said.add(name + ": " + line);
        }
        for (String line : stacks) {
            said.add(name + ": " + line);
        }
        return said;
    }
}
