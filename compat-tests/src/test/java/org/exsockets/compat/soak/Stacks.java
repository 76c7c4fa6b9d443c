package org.exsockets.compat.soak;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The stacks of all threads of the processes, for who has to find out what hangs. Stateless. */
final class Stacks {
    private static final long LIMIT_SECONDS = 20;

    private Stacks() {}

    static void print(List<Node> nodes, PrintStream out) throws IOException {
        for (Node node : nodes) {
            if (node.jvm() != null && node.jvm().isAlive()) {
                out.println("soak: stacks of " + node + ":");
                out.println(of(node.jvm().pid()));
            }
        }
    }

    private static String of(long pid) throws IOException {
        Process jstack = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jstack")
                                .toString(),
                        Long.toString(pid))
                .redirectErrorStream(true)
                .start();
        try {
            String printed = new String(jstack.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!jstack.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                jstack.destroyForcibly();
            }
            return printed;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
