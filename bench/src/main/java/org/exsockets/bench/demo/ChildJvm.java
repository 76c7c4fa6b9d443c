package org.exsockets.bench.demo;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * One side of a demonstrated program in its own JVM. Every wait is bounded. A child that does not answer in time is
 * reported with its thread dump; none outlives the demonstration. Owned by the main thread; one daemon thread per child
 * collects its output.
 */
final class ChildJvm {
    private static final Duration HEARTBEAT = Duration.ofSeconds(2);
    private static final Duration DUMP_LIMIT = Duration.ofSeconds(10);
    private static final int TAIL_LINES = 40;

    private final String name;
    private final Process process;
    private final Path jdk;
    private final Path logs;
    private final Progress progress;
    private final Writer orders;
    private final BlockingQueue<Optional<String>> output = new LinkedBlockingQueue<>();
    private final Thread collector;

    ChildJvm(String name, Process process, Path jdk, Path logs, Progress progress) {
        this.name = name;
        this.process = process;
        this.jdk = jdk;
        this.logs = logs;
        this.progress = progress;
        orders = new BufferedWriter(process.outputWriter(StandardCharsets.UTF_8));
        collector = new Thread(this::collectOutput, "output of " + name);
        collector.setDaemon(true);
        collector.start();
        Runtime.getRuntime().addShutdownHook(new Thread(this::kill, "end of " + name));
    }

    String name() {
        return name;
    }

    /** Sends one line to the child's standard input. */
    void order(String line) throws DemoFailure {
        try {
            orders.write(line + "\n");
            orders.flush();
        } catch (IOException e) {
            throw new DemoFailure(name + ": does not take orders: " + e.getMessage(), e);
        }
    }

    /**
     * Waits for a line of output.
     *
     * @param activity what the child is doing, for progress and failure messages
     * @param wanted which line; other lines are skipped
     * @throws DemoFailure if the child ends, or the line does not come within the limit
     */
    String await(String activity, Predicate<String> wanted, Duration limit) throws DemoFailure, InterruptedException {
        long beganNs = System.nanoTime();
        while (true) {
            Optional<String> line = output.poll(HEARTBEAT.toMillis(), TimeUnit.MILLISECONDS);
            if (line == null) {
                Duration waited = Duration.ofNanos(System.nanoTime() - beganNs);
                if (waited.compareTo(limit) > 0) {
                    throw new DemoFailure(name + ": no end of '" + activity + "' after " + limit.toSeconds() + " s");
                }
                progress.line("  ... " + name + ": " + activity + ", " + waited.toSeconds() + " s so far");
            } else if (line.isEmpty()) {
                throw new DemoFailure(name + ": ended during '" + activity + "'" + exitCode());
            } else if (wanted.test(line.get())) {
                return line.get();
            }
        }
    }

    /** Asks the JVM to end as an operator would, with SIGTERM. */
    void terminate() {
        process.destroy();
    }

    /** Waits for the JVM to end. */
    void awaitEnd(Duration limit) throws DemoFailure, InterruptedException {
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new DemoFailure(name + ": does not end within " + limit.toSeconds() + " s");
        }
        collector.join(HEARTBEAT.toMillis());
    }

    /** {@return the exit code; only after the end} */
    int exitValue() {
        return process.exitValue();
    }

    /** Ends the JVM at once, without its shutdown hooks. */
    void kill() {
        process.destroyForcibly();
    }

    /** {@return the threads' stacks if the JVM is alive, and the last lines it wrote} */
    String lastWords() throws DemoFailure {
        StringBuilder words = new StringBuilder();
        if (process.isAlive()) {
            words.append("---- ").append(name).append(": thread dump\n").append(threadDump());
        }
        for (String kind : List.of("out", "err")) {
            Path log = logs.resolve(name + "." + kind);
            List<String> lines = readLines(log);
            words.append("---- ").append(name).append(": last lines of std").append(kind);
            words.append(lines.isEmpty() ? " (none)\n" : "\n");
            for (String line : lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size())) {
                words.append(line).append('\n');
            }
        }
        return words.toString();
    }

    private String threadDump() {
        Path dump = logs.resolve(name + ".threads");
        String jstack = jdk.resolve("bin").resolve("jstack").toString();
        try {
            Process dumper = new ProcessBuilder(jstack, Long.toString(process.pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(dump.toFile())
                    .start();
            if (!dumper.waitFor(DUMP_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                dumper.destroyForcibly();
                return "(jstack got no answer within " + DUMP_LIMIT.toSeconds() + " s)\n";
            }
            return Files.readString(dump);
        } catch (IOException e) {
            return "(no thread dump: " + e.getMessage() + ")\n";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "(interrupted while jstack ran)\n";
        }
    }

    private String exitCode() throws InterruptedException {
        boolean ended = process.waitFor(HEARTBEAT.toMillis(), TimeUnit.MILLISECONDS);
        return ended ? ", exit code " + process.exitValue() : ", its output is closed";
    }

    private static List<String> readLines(Path log) throws DemoFailure {
        try {
            return Files.exists(log) ? Files.readAllLines(log) : List.of();
        } catch (IOException e) {
            throw new DemoFailure("cannot read " + log + ": " + e.getMessage(), e);
        }
    }

    private void collectOutput() {
        Path log = logs.resolve(name + ".out");
        try (BufferedReader lines =
                        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
                Writer copy = Files.newBufferedWriter(log)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                copy.write(line + "\n");
                copy.flush();
                output.add(Optional.of(line));
            }
        } catch (IOException e) {
            output.add(Optional.of("output lost: " + e.getMessage()));
        } finally {
            output.add(Optional.empty());
        }
    }
}
