package org.exsockets.bench.e2e;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.exsockets.bench.e2e.endpoint.Fields;

/**
 * A {@link Tool} as a contender: a round is one short run. The first round of a row finds how many iterations make a
 * run of the right length. Every run is bounded.
 */
final class ToolRuns implements Contender {
    /** How many times shorter a run is than a round: an average contains stalls, the more the longer the run is. */
    private static final int PARTS = 3;

    private static final int LEAST_ITERATIONS = 6;
    private static final int MOST_ITERATIONS = 20_000;
    private static final long FIRST_BYTES = 256 * 1024;
    private static final long RUN_LIMIT_NS = TimeUnit.SECONDS.toNanos(20);
    private static final int ATTEMPTS = 4;
    private static final long RETRY_MS = 100;
    private static final int FIRST_PORT = 7000;
    private static final int PORTS = 1000;

    private final Tool tool;
    private final Path output;
    private int runs;
    private Fields spec;
    private int iterations;
    private boolean calibrated;
    private volatile Process server;
    private volatile Process client;

    ToolRuns(Tool tool) throws IOException {
        this.tool = tool;
        output = Files.createTempFile("exs-bench", ".txt");
        output.toFile().deleteOnExit();
    }

    @Override
    public String version() {
        return tool.label();
    }

    @Override
    public void open(Fields row) {
        spec = row;
        calibrated = false;
        iterations = iterations(FIRST_BYTES / Math.max(spec.integer("size"), 1024));
    }

    @Override
    public Sample round(double seconds) throws EndpointFailure {
        if (!calibrated) {
            Sample first = runUntilItWorks();
            iterations = iterations((long) (seconds / PARTS * 1e9 / first.get("operationNs")));
            calibrated = true;
            return first;
        }
        return runUntilItWorks();
    }

    private static int iterations(long wanted) {
        return (int) Math.min(Math.max(wanted, LEAST_ITERATIONS), MOST_ITERATIONS);
    }

    /** Under emulation perftest sometimes fails to measure how fast its clock runs, and prints infinities. */
    private Sample runUntilItWorks() throws EndpointFailure {
        for (int attempt = 1; attempt < ATTEMPTS; attempt++) {
            try {
                return run();
            } catch (IllegalArgumentException noResult) {
                System.err.println("once more: "
                        + noResult.getMessage().lines().findFirst().orElse(""));
            }
        }
        try {
            return run();
        } catch (IllegalArgumentException noResult) {
            throw new EndpointFailure(tool.label() + " failed: " + noResult.getMessage());
        }
    }

    /** One server, one client; the client is started again while the server does not listen yet. */
    private Sample run() throws EndpointFailure {
        long deadlineNs = System.nanoTime() + RUN_LIMIT_NS;
        int port = FIRST_PORT + runs++ % PORTS;
        try {
            server = start(tool.server(spec, port, iterations), Redirect.DISCARD);
            while (true) {
                Thread.sleep(RETRY_MS);
                client = start(tool.client(spec, port, iterations), Redirect.to(output.toFile()));
                if (!client.waitFor(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    throw new EndpointFailure(tool.label() + " hung in: " + spec);
                }
                if (client.exitValue() == 0) {
                    break;
                }
                if (!server.isAlive() || System.nanoTime() > deadlineNs) {
                    throw new EndpointFailure(tool.label() + " failed: "
                            + Files.readString(output).trim());
                }
            }
            server.waitFor(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS);
            return Sample.of(tool.figures(spec, Files.readString(output, StandardCharsets.UTF_8)));
        } catch (IOException failure) {
            throw new EndpointFailure(tool.label() + " failed: " + failure.getMessage());
        } catch (InterruptedException interrupted) {
            throw new EndpointFailure("interrupted while waiting for " + tool.label());
        } finally {
            kill();
        }
    }

    private static Process start(List<String> command, Redirect to) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(to)
                .start();
    }

    @Override
    public void close() {
        // Every run has ended.
    }

    @Override
    public List<Path> quit() {
        return List.of();
    }

    @Override
    public void kill() {
        for (Process process : new Process[] {client, server}) {
            if (process != null) {
                process.destroyForcibly();
            }
        }
    }
}
