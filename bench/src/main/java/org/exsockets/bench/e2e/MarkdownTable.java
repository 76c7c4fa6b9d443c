package org.exsockets.bench.e2e;

import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A table of {@code bench/compare} as it stands in {@code docs/performance.md}: a line per row and placement. */
final class MarkdownTable {
    private MarkdownTable() {}

    static void print(PrintStream out, CsvFile file) {
        file.comments().forEach(comment -> out.println("* " + comment));
        out.println();
        out.println(
                "| row | cores | unit | TCP | EXS | ratio | TCP p99 µs | EXS p99 µs | CPU | TCP | EXS | target | |");
        out.println("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
        Map<String, Map<String, Map<String, String>>> rows = new LinkedHashMap<>();
        for (Map<String, String> line : file.lines()) {
            rows.computeIfAbsent(line.get("row") + "|" + line.get("placement"), any -> new LinkedHashMap<>())
                    .put(line.get("transport"), line);
        }
        rows.values().forEach(transports -> print(out, List.copyOf(transports.values())));
    }

    private static void print(PrintStream out, List<Map<String, String>> transports) {
        Map<String, String> base = transports.get(0);
        Map<String, String> exs = transports.get(transports.size() - 1);
        String verdict = exs.get("verdict");
        out.println("| "
                + String.join(
                        " | ",
                        exs.get("row"),
                        exs.get("placement"),
                        exs.get("unit"),
                        figure(base, "median", 1),
                        figure(exs, "median", 1),
                        figure(exs, "gain", 1),
                        figure(base, "p99_ns", 1e-3),
                        figure(exs, "p99_ns", 1e-3),
                        exs.get("cpu_unit"),
                        figure(base, "cpu", 1),
                        figure(exs, "cpu", 1),
                        exs.get("target"),
                        verdict.equals("BELOW") ? "**below**" : verdict)
                + " |");
    }

    private static String figure(Map<String, String> line, String column, double factor) {
        double value = factor * CsvFile.number(line, column);
        if (Double.isNaN(value)) {
            return line.get("failure").isEmpty() ? "–" : "failed";
        }
        return String.format(Locale.ROOT, value >= 100 ? "%,.0f" : value >= 10 ? "%.1f" : "%.2f", value);
    }
}
