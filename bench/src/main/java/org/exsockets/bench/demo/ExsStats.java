package org.exsockets.bench.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What one JVM reported through {@code exs.stats}. Immutable.
 *
 * @param exsConnections connections over any EXS device
 * @param tcpConnections connections that stayed on TCP
 * @param sentBytes stream bytes sent over EXS
 * @param receivedBytes stream bytes received over EXS
 * @param fallbacks reasons for staying on TCP with their counts
 */
record ExsStats(
        long exsConnections,
        long tcpConnections,
        long sentBytes,
        long receivedBytes,
        SortedMap<String, Long> fallbacks) {
    private static final Pattern TOKEN = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"\\s*:\\s*(\\{|\\d+)|(})");

    /** Reads the one JSON line a JVM leaves in its statistics file. */
    static ExsStats read(Path file) throws DemoFailure {
        List<String> lines;
        try {
            lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new DemoFailure("cannot read " + file + ": " + e.getMessage(), e);
        }
        if (lines.isEmpty()) {
            throw new DemoFailure("no statistics in " + file + ": the agent did not report, so nothing went over EXS");
        }
        return parse(lines.get(lines.size() - 1));
    }

    /**
     * Reads a line of objects that hold numbers and objects.
     *
     * @throws DemoFailure if a figure is missing
     */
    static ExsStats parse(String line) throws DemoFailure {
        TreeMap<String, Long> figures = new TreeMap<>();
        String path = "";
        Matcher token = TOKEN.matcher(line);
        while (token.find()) {
            if (token.group(3) != null) {
                path = path.substring(0, Math.max(0, path.lastIndexOf('/')));
            } else if (token.group(2).equals("{")) {
                path = path + "/" + token.group(1);
            } else {
                figures.put(path + "/" + token.group(1), Long.parseLong(token.group(2)));
            }
        }
        TreeMap<String, Long> reasons = new TreeMap<>();
        figures.forEach((name, count) -> {
            if (name.startsWith("/fallbacks/")) {
                reasons.put(name.substring("/fallbacks/".length()), count);
            }
        });
        return new ExsStats(
                sum(line, figures, "/connections/soft", "/connections/disni"),
                sum(line, figures, "/connections/tcp"),
                sum(line, figures, "/bytes/sent/direct", "/bytes/sent/indirect"),
                sum(line, figures, "/bytes/received/direct", "/bytes/received/indirect"),
                reasons);
    }

    private static long sum(String line, TreeMap<String, Long> figures, String... names) throws DemoFailure {
        long sum = 0;
        for (String name : names) {
            Long figure = figures.get(name);
            if (figure == null) {
                throw new DemoFailure("statistics without " + name + ": " + line);
            }
            sum += figure;
        }
        return sum;
    }
}
