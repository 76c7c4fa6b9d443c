package org.exsockets.agent.selftest;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the kernel tells of RDMA adapters: attributes, and counters by how much they grew while this was measured, those
 * of faults among them. Empty where there is none.
 */
final class Adapters {
    private static final Path ALL = Path.of("/sys/class/infiniband");
    private static final List<String> ATTRIBUTES = List.of("fw_ver", "hca_type", "board_id", "node_type");
    private static final List<String> PORT_ATTRIBUTES = List.of("state", "rate", "link_layer");
    private static final List<String> COUNTERS = List.of("counters", "hw_counters");

    private final Map<String, Long> before = counters();

    /** {@return lines, of each adapter and port} */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (Path adapter : in(ALL)) {
            lines.add(adapter.getFileName() + ": " + values(adapter, ATTRIBUTES));
            for (Path port : in(adapter.resolve("ports"))) {
                lines.add(name(port) + ": " + values(port, PORT_ATTRIBUTES));
            }
        }
        counters().forEach((name, count) -> {
            long grown = count - before.getOrDefault(name, 0L);
            if (grown != 0) {
                lines.add(name + " +" + grown);
            }
        });
        return lines;
    }

    private static Map<String, Long> counters() {
        Map<String, Long> counters = new TreeMap<>();
        for (Path adapter : in(ALL)) {
            for (Path port : in(adapter.resolve("ports"))) {
                for (String kind : COUNTERS) {
                    for (Path counter : in(port.resolve(kind))) {
                        try {
                            counters.put(
                                    name(port) + " " + counter.getFileName(), Long.parseUnsignedLong(text(counter)));
                        } catch (NumberFormatException e) {
                            continue; // Such as the life span of counters on adapters that have none.
                        }
                    }
                }
            }
        }
        return counters;
    }

    private static String name(Path port) {
        return port.getName(ALL.getNameCount()) + " port " + port.getFileName();
    }

    private static String values(Path directory, List<String> names) {
        StringBuilder values = new StringBuilder();
        for (String name : names) {
            String value = text(directory.resolve(name));
            values.append(value.isEmpty() ? "" : name + "=" + value + " ");
        }
        return values.toString().strip();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            return "";
        }
    }

    private static List<Path> in(Path directory) {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
            all.forEach(found::add);
        } catch (IOException e) {
            return List.of();
        }
        found.sort(null);
        return found;
    }
}
