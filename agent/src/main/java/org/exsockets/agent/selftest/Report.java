package org.exsockets.agent.selftest;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prints a result, for people or as one object of JSON. */
final class Report {
    private static final int FORMAT = 1;
    private static final double TINY = 0.1;
    private static final double SMALL = 10;
    private static final double LARGE = 1_000;

    private final Result result;
    private final Verdict verdict;

    Report(Result result, Verdict verdict) {
        this.result = result;
        this.verdict = verdict;
    }

    // For people.

    void print(PrintStream out) {
        section(out, "This host", result.about);
        section(
                out,
                "The other host",
                result.aboutPeer.stream().filter(Report::isNews).toList());
        section(
                out,
                "What EXS finds",
                result.capabilities.stream().filter(Report::isNews).toList());
        List<String> checks = new ArrayList<>();
        for (Result.Checked each : result.checks) {
            checks.add(each.transport() + ", " + each.face().title + ": "
                    + (each.wrong().isEmpty() ? each.bytes() + " bytes there and back" : "WRONG: " + each.wrong()));
        }
        section(out, "Data", checks);
        List<Measured> rows = result.rows.stream().filter(Measured::complete).toList();
        if (!rows.isEmpty()) {
            out.println();
            out.println("Medians; p99: of 100 the slowest but one; cores: kept busy by the JVMs on this host");
            rows(rows).forEach(row -> printRow(out, row));
        }
        section(out, "Adapters (counters: by how much they grew)", result.adapters);
        if (!verdict.good()) {
            section(out, "Statistics of the clients over EXS", result.statistics);
            section(out, "Statistics of the servers over EXS", result.statisticsThere);
        }
        section(out, "What the JVMs said", result.said);
        out.println();
        out.println(verdict.text());
    }

    /** The doctor sets defaults apart by four spaces. */
    private static boolean isNews(String line) {
        return !line.startsWith("    ") || line.startsWith("           ");
    }

    private static void section(PrintStream out, String title, List<String> lines) {
        if (!lines.isEmpty()) {
            out.println();
            out.println(title);
            lines.forEach(line -> out.println(line.startsWith("  ") ? line : "  " + line));
        }
    }

    private static List<List<String>> rows(List<Measured> measured) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("", "", "TCP", "EXS", "EXS/TCP", "p99 TCP", "p99 EXS", "cores TCP", "cores EXS"));
        for (Measured each : measured) {
            double tcp = each.value(Transport.TCP);
            double exs = each.value(Transport.EXS);
            boolean tail = each.row.kind().hasTail();
            rows.add(List.of(
                    each.row.name(),
                    each.row.kind().unit,
                    number(tcp),
                    number(exs),
                    String.format(Locale.ROOT, "%.2f", exs / tcp),
                    tail ? number(each.tail(Transport.TCP)) : "",
                    tail ? number(each.tail(Transport.EXS)) : "",
                    String.format(Locale.ROOT, "%.2f", each.cores(Transport.TCP)),
                    String.format(Locale.ROOT, "%.2f", each.cores(Transport.EXS))));
        }
        return rows;
    }

    private static String number(double value) {
        return String.format(
                Locale.ROOT, value < TINY ? "%.4f" : value < SMALL ? "%.2f" : value < LARGE ? "%.1f" : "%,.0f", value);
    }

    private static void printRow(PrintStream out, List<String> row) {
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "  %-49s %-8s", row.get(0), row.get(1)));
        for (String each : row.subList(2, row.size())) {
            line.append(String.format(Locale.ROOT, " %9s", each));
        }
        out.println(line.toString().stripTrailing());
    }

    // For programs.

    String json() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("selftest", FORMAT);
        all.put("status", verdict.good() ? SelfTest.WELL : SelfTest.ILL);
        all.put("verdict", verdict.text());
        all.put("host", result.about);
        all.put("other_host", result.aboutPeer);
        all.put("capabilities", result.capabilities);
        all.put("checks", result.checks.stream().map(Report::values).toList());
        all.put(
                "rows",
                result.rows.stream()
                        .filter(Measured::complete)
                        .map(Report::values)
                        .toList());
        Usage usage = result.usage();
        Map<String, Object> connections = new LinkedHashMap<>();
        connections.put("made", usage.made());
        connections.put("soft", usage.soft());
        connections.put("disni", usage.disni());
        connections.put("reasons", usage.reasons());
        connections.put("reasons_there", usage.reasonsThere());
        all.put("connections", connections);
        all.put("statistics", result.statistics);
        all.put("statistics_there", result.statisticsThere);
        all.put("adapters", result.adapters);
        all.put("said", result.said);
        return Json.of(all);
    }

    private static Map<String, Object> values(Result.Checked check) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("face", check.face().title);
        values.put("transport", check.transport().key());
        values.put("bytes", check.bytes());
        values.put("right", check.wrong().isEmpty());
        values.put("wrong", check.wrong());
        return values;
    }

    private static Map<String, Object> values(Measured measured) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("name", measured.row.name());
        values.put("unit", measured.row.kind().unit);
        values.put("less_is_better", measured.row.kind().lessIsBetter);
        values.put("gain", measured.gain());
        for (Transport transport : Transport.values()) {
            Map<String, Object> of = new LinkedHashMap<>();
            of.put("median", measured.value(transport));
            if (measured.row.kind().hasTail()) {
                of.put("p99", measured.tail(transport));
            }
            of.put("cores", measured.cores(transport));
            of.put(
                    "slices",
                    measured.slices(transport).stream().map(Report::values).toList());
            values.put(transport.key(), of);
        }
        return values;
    }

    private static Map<String, Object> values(Slice slice) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("value", slice.value());
        values.put("p99", slice.tail());
        values.put("longest", slice.longest());
        values.put("count", slice.count());
        values.put("wall_ns", slice.wallNs());
        values.put("cpu_ns", slice.cpuNs());
        return values;
    }
}
