package org.exsockets.bench.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Where and on what a table was made. */
record Host(String javaVersion, String commit, String conditions) {
    List<String> lines() {
        return List.of(
                "JDK " + javaVersion + ", kernel " + read("/proc/sys/kernel/osrelease") + ", " + cpuModel() + ", "
                        + Runtime.getRuntime().availableProcessors() + " cores, commit " + commit,
                conditions);
    }

    private static String cpuModel() {
        return read("/proc/cpuinfo")
                .lines()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 1).trim())
                .findFirst()
                .orElse("unknown CPU");
    }

    private static String read(String file) {
        try {
            return Files.readString(Path.of(file)).trim();
        } catch (IOException missing) {
            return "unknown";
        }
    }
}
