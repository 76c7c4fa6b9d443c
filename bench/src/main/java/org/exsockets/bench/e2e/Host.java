package org.exsockets.bench.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Where, on what and by what a table was made.
 *
 * @param command as typed
 */
record Host(String javaVersion, String commit, String conditions, String command) {
    /** @param tool its path in the repository */
    static Host here(String javaVersion, String conditions, String tool, List<String> arguments) {
        List<String> told = new ArrayList<>(List.of(tool));
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (argument.equals("--csv")) {
                i++; // Where the table goes does not matter.
            } else if (!argument.startsWith("--csv=")) {
                told.add(argument);
            }
        }
        return new Host(
                javaVersion, System.getProperty("exs.bench.commit", "unknown"), conditions, String.join(" ", told));
    }

    List<String> lines() {
        return List.of(
                "JDK " + javaVersion + ", kernel " + read("/proc/sys/kernel/osrelease") + ", " + cpuModel() + ", "
                        + Runtime.getRuntime().availableProcessors() + " cores, commit " + commit,
                command + ": " + conditions);
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
