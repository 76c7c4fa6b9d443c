package org.exsockets.bench.e2e;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The table for people: a line per row and placement, printed as soon as the row is done. */
final class Table {
    private static final List<String> LATENCIES = List.of("p50Ns", "p90Ns", "p99Ns", "p999Ns");
    private static final String LINE = "%-35s %-7s %10s %10s %7s  %-30s %-30s %-6s %9s %9s  %15s %9s  %-12s %-6s %s%n";

    private final PrintStream out;
    private final Transport baseline;
    private final Transport subject;
    private final Judge judge;

    Table(PrintStream out, Transport baseline, Transport subject, Judge judge) {
        this.out = out;
        this.baseline = baseline;
        this.subject = subject;
        this.judge = judge;
    }

    void printHead() {
        String base = baseline.label();
        String exs = subject.label();
        String latencies = " us p50/p90/p99/p99.9";
        out.printf(
                LINE,
                "row",
                "unit",
                base,
                exs,
                "gain",
                base + latencies,
                exs + latencies,
                "CPU",
                base,
                exs,
                "1/s",
                "same core",
                "cores",
                "target",
                "");
    }

    /** Prints a line for each placement of the cores that the row was seen in. */
    void print(RowResult result) {
        result.parts().forEach(this::line);
        for (Transport transport : List.of(baseline, subject)) {
            if (result.failure(transport) != null) {
                out.println("    FAILED: " + result.failure(transport));
            }
        }
        out.flush();
    }

    private void line(RowResult result) {
        Measure measure = result.row().measure();
        double base = result.median(baseline, measure::value);
        double value = result.median(subject, measure::value);
        out.printf(
                LINE,
                result.row().name(),
                measure.unit,
                cell(result, baseline, base),
                cell(result, subject, value),
                Double.isNaN(judge.gain(result)) ? "-" : number(judge.gain(result)) + "x",
                latencies(result, baseline),
                latencies(result, subject),
                measure.cpuUnit,
                number(result.median(baseline, measure::cpu)),
                number(result.median(subject, measure::cpu)),
                rates(result),
                sameCore(result, baseline) + "/" + sameCore(result, subject),
                result.cores(),
                judge.verdict(result),
                String.join(", ", judge.demands(result)));
    }

    private static String cell(RowResult result, Transport transport, double value) {
        return result.failure(transport) == null ? number(value) : "FAILED";
    }

    private static String latencies(RowResult result, Transport transport) {
        if (!result.row().measure().showsLatency()
                || Double.isNaN(result.median(transport, sample -> sample.get("p50Ns")))) {
            return "";
        }
        return LATENCIES.stream()
                .map(name -> number(result.median(transport, sample -> sample.get(name)) / 1e3))
                .collect(Collectors.joining("/"));
    }

    private String rates(RowResult result) {
        return number(result.median(baseline, Measure.RATE::value)) + "/"
                + number(result.median(subject, Measure.RATE::value));
    }

    /** How much of the time both threads were found on one core: 0 is never, 1 always. */
    private static String sameCore(RowResult result, Transport transport) {
        double part = result.median(transport, sample -> sample.get("sameCore"));
        return Double.isNaN(part) ? "-" : String.format(Locale.ROOT, "%.1f", part);
    }

    private static String number(double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        double size = Math.abs(value);
        return String.format(
                Locale.ROOT, size >= 1000 ? "%.0f" : size >= 100 ? "%.1f" : size >= 10 ? "%.2f" : "%.3f", value);
    }
}
