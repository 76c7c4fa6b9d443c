package org.exsockets.compat.programs;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.exsockets.compat.harness.Patience;

/** A server that is no Java program, on a port of the loopback interface, until it is closed. Owned by the test's thread. */
final class NativeServer implements AutoCloseable {
    private final Process process;

    /**
     * Starts it and waits until it serves.
     *
     * @param output a file for what it prints
     * @param ready what it prints when it serves
     */
    NativeServer(List<String> command, Path output, String ready) throws IOException, InterruptedException {
        process = new ProcessBuilder(command)
                .directory(output.getParent().toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        long deadlineNs = Patience.deadlineNs();
        while (!Files.readString(output).contains(ready)) {
            boolean late = System.nanoTime() - deadlineNs > 0;
            if (late || !process.isAlive()) {
                close();
                String printed = command + " does not serve: " + Files.readString(output);
                if (late) {
                    throw Patience.expired(printed, Patience.CALL_SECONDS);
                }
                throw new IOException(printed);
            }
            Thread.sleep(20);
        }
    }

    /** {@return a port that nobody listens on now} */
    static int unusedPort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0)) {
            return probe.getLocalPort();
        }
    }

    /** Runs a command to its end, which must be in order, and returns what it printed on standard output. */
    static byte[] run(Path directory, String... command) throws IOException, InterruptedException {
        Path errors = directory.resolve("errors");
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectError(errors.toFile())
                .start();
        byte[] printed = process.getInputStream().readAllBytes();
        if (process.waitFor() != 0) {
            throw new IOException(List.of(command) + " failed: " + Files.readString(errors));
        }
        return printed;
    }

    /** {@return whether it has not ended by itself} */
    boolean isAlive() {
        return process.isAlive();
    }

    /** Ends it as an operator would; kills it if that does not help. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(Patience.CALL_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
