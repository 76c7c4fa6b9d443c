package org.exsockets.bench.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The evidence, from what every EXS JVM wrote at its exit, that the connections went over EXS and none over TCP. A
 * comparison without it is worth nothing, so anything missing is a failure.
 */
final class StatsProof {
    private final Path directory;
    private final String device;
    private final List<String> failures = new ArrayList<>();
    private long deviceConnections;
    private long processes;

    StatsProof(Path directory, String device) {
        this.directory = directory;
        this.device = device;
    }

    Path directory() {
        return directory;
    }

    void take(Transport transport, List<Path> statsFiles) {
        for (Path file : statsFiles) {
            processes++;
            try {
                check(transport.label() + ": " + file.getFileName(), Files.readString(file));
            } catch (IOException missing) {
                fail(transport.label() + ": no statistics at exit: " + missing.getMessage());
            }
        }
    }

    void fail(String reason) {
        failures.add(reason);
    }

    /** {@return what went wrong; empty if every process proved EXS} */
    List<String> failures() {
        return failures;
    }

    /** {@return the proof in words} */
    String summary() {
        return deviceConnections + " " + device + " connections in " + processes + " processes, none over TCP";
    }

    private void check(String who, String json) {
        long overDevice = count(device, json);
        long tcp = count("tcp", json);
        deviceConnections += Math.max(overDevice, 0);
        if (overDevice <= 0 || tcp != 0) {
            fail(who + ": not all connections were " + device + ": " + json.trim());
        }
    }

    private static long count(String name, String json) {
        Matcher matcher = Pattern.compile("\"" + name + "\"\\s*:\\s*(\\d+)").matcher(json);
        return matcher.find() ? Long.parseLong(matcher.group(1)) : -1;
    }
}
