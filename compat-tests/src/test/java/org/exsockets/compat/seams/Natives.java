package org.exsockets.compat.seams;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.exsockets.compat.harness.Patience;
import org.junit.jupiter.api.Assumptions;

/** Programs in C ({@code src/test/c}), compiled for each test, and the listeners that they come to. */
final class Natives {
    private static final Path SOURCES = Path.of("src/test/c");
    private static final Path SOCKETS = Path.of("/proc/net/unix");
    private static final String OF_LISTENERS = "@exs/";

    private Natives() {}

    /** {@return the program of that name, in {@code directory}, for everybody} The test is not run if there is no compiler. */
    static Path compile(String name, Path directory) throws IOException, InterruptedException {
        Path program = directory.resolve(name + ".program");
        Path printed = directory.resolve(name + ".compiler");
        ProcessBuilder compiler = new ProcessBuilder(
                        "cc",
                        "-O1",
                        "-o",
                        program.toString(),
                        SOURCES.resolve(name + ".c").toString())
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile());
        Process process = null;
        try {
            process = compiler.start();
        } catch (IOException e) {
            Assumptions.abort("no C compiler: " + e.getMessage());
        }
        Patience.await("cc", process::waitFor);
        if (process.exitValue() != 0) {
            throw new AssertionError("cc: " + Files.readString(printed));
        }
        return program;
    }

    /** {@return the name of the listener at a port, without the zero byte} */
    static String listener(int port) throws IOException {
        return names().filter(name -> name.endsWith("/" + port))
                .findFirst()
                .orElseThrow(() -> new AssertionError("nobody listens over EXS: port=" + port));
    }

    /** {@return whether a listener is at a port} */
    static boolean listens(int port) throws IOException {
        return names().anyMatch(name -> name.endsWith("/" + port));
    }

    private static Stream<String> names() throws IOException {
        List<String> lines = Files.readAllLines(SOCKETS);
        return lines.stream()
                .filter(line -> line.contains(OF_LISTENERS))
                .map(line -> line.substring(line.indexOf(OF_LISTENERS) + 1));
    }
}
