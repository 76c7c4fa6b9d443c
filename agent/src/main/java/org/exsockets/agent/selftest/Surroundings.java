package org.exsockets.agent.selftest;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.exsockets.agent.isolation.IsolatedCall;

/** What a result depends on: the machine, and what EXS finds on it. */
final class Surroundings {
    private static final String DOCTOR = "org.exsockets.doctor.Doctor";
    private static final String UNKNOWN = "unknown";

    private Surroundings() {}

    /** {@return lines on the machine and the JVM} */
    static List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("EXS sockets " + Surroundings.class.getPackage().getImplementationVersion());
        lines.add("Java " + Runtime.version() + ", " + System.getProperty("java.vm.name") + ", "
                + System.getProperty("java.vendor"));
        lines.add(System.getProperty("os.name") + " " + System.getProperty("os.version") + ", "
                + System.getProperty("os.arch"));
        lines.add(Runtime.getRuntime().availableProcessors() + " processors: " + field("/proc/cpuinfo", "model name"));
        lines.add("memory: " + field("/proc/meminfo", "MemTotal"));
        return lines;
    }

    private static String field(String file, String name) {
        try (Stream<String> lines = Files.lines(Path.of(file))) {
            return lines.filter(line -> line.startsWith(name))
                    .findFirst()
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .orElse(UNKNOWN);
        } catch (IOException e) {
            return UNKNOWN;
        }
    }

    /** {@return the doctor's report, about a destination if one is given: HOST:PORT} */
    static List<String> capabilities(String... target) {
        ByteArrayOutputStream report = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(report, true, StandardCharsets.UTF_8);
        IsolatedCall.of(
                DOCTOR,
                "run",
                new Class<?>[] {String[].class, Map.class, PrintStream.class},
                target,
                System.getenv(),
                out);
        return report.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isEmpty())
                .toList();
    }
}
