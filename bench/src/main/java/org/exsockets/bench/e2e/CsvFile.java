package org.exsockets.bench.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A table as {@link Csv} has written it. */
final class CsvFile {
    private final List<String> comments = new ArrayList<>();
    private final List<Map<String, String>> lines = new ArrayList<>();

    CsvFile(Path file) throws IOException {
        String[] names = null;
        for (String line : Files.readAllLines(file)) {
            if (line.startsWith("#")) {
                comments.add(line.substring(1).trim());
            } else if (names == null) {
                names = line.split(",", -1);
            } else {
                lines.add(named(names, line.split(",", -1), file));
            }
        }
    }

    private static Map<String, String> named(String[] names, String[] values, Path file) throws IOException {
        if (values.length != names.length) {
            throw new IOException(file + ": not a table of bench/compare: columns=" + names.length + ", values="
                    + String.join(",", values));
        }
        Map<String, String> line = new LinkedHashMap<>();
        for (int i = 0; i < names.length; i++) {
            line.put(names[i], values[i]);
        }
        return line;
    }

    /** {@return where and how the table was made} */
    List<String> comments() {
        return comments;
    }

    /** {@return the lines, each by name of column} */
    List<Map<String, String>> lines() {
        return lines;
    }

    /** {@return the value as a number, or NaN if there is none} */
    static double number(Map<String, String> line, String column) {
        String value = line.get(column);
        return value == null || value.isEmpty() ? Double.NaN : Double.parseDouble(value);
    }
}
