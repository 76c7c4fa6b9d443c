package org.exsockets.bench.e2e;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The rows of programs that end soon, started with each transport's arguments in turn. */
final class StartUp {
    /** Starts vary more than rounds do. */
    private static final int STARTS_PER_ROUND = 4;

    private static final long LIMIT_SECONDS = 30;

    /** In a row's spec: the class of the program. */
    static final String PROGRAM = "program";

    private StartUp() {}

    static void run(RowResult result, List<Transport> transports, Comparison.Settings settings) throws IOException {
        // The first starts bring the files into memory.
        for (int start = -1; start < settings.rounds() * STARTS_PER_ROUND; start++) {
            for (Transport transport : transports) {
                long startNs = System.nanoTime();
                String failure =
                        start(transport, settings.java(), result.row().spec().text(PROGRAM));
                double elapsedNs = System.nanoTime() - startNs;
                if (failure != null) {
                    result.fail(transport, failure);
                } else if (start >= 0) {
                    result.add(transport, Sample.of(Map.of("elapsedNs", elapsedNs)));
                }
            }
        }
    }

    /** {@return what went wrong, or null} */
    private static String start(Transport transport, String java, String program) throws IOException {
        List<String> command = new ArrayList<>(transport.prefix());
        command.addAll(List.of(java, "-cp", System.getProperty("java.class.path")));
        if (transport.isExs()) {
            command.add("-javaagent:" + transport.agentJar());
        }
        command.addAll(transport.jvmArgs());
        command.add(program);
        Process process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return "not over within " + LIMIT_SECONDS + " s";
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            throw new IOException("interrupted while a program was starting", interrupted);
        }
        return process.exitValue() == 0 ? null : "exit=" + process.exitValue();
    }
}
