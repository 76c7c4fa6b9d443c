package org.exsockets.bench.e2e;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The table of {@code bench/rdma} for people: a line per row, printed as soon as the row is done. */
final class RdmaTable {
    private static final String EXS = "EXS";
    private static final String CELL = " %9s";

    private final PrintStream out;
    private final List<Transport> transports;
    private final List<Transport> rsockets;
    private final List<Transport> jvms;

    RdmaTable(PrintStream out, List<Transport> transports) {
        this.out = out;
        this.transports = transports;
        rsockets = transports.stream()
                .filter(transport ->
                        transport.label().startsWith("rs-") || transport.label().equals("preload"))
                .toList();
        jvms = transports.stream().filter(transport -> transport.tool() == null).toList();
    }

    /** The ratios are of times or of rates, as the unit says; rsockets is the best one of its columns. */
    void printHead() {
        out.printf("%-26s %-6s", "row", "unit");
        transports.forEach(transport -> out.printf(CELL, transport.label()));
        out.printf("  | EXS /" + CELL.repeat(3) + "  | p99 us:", "TCP", "rsockets", "ib_write");
        transports.forEach(transport -> out.printf(CELL, transport.label()));
        out.printf("  | CPU");
        jvms.forEach(transport -> out.printf(CELL, transport.label()));
        out.println();
    }

    void print(RowResult result) {
        Measure measure = result.row().measure();
        out.printf("%-26s %-6s", result.row().name(), measure.unit.replace(" p50", ""));
        cells(transports, result, measure::value);
        out.print("  |      ");
        double exs = median(result, EXS, measure::value);
        ratio(exs, median(result, "TCP", measure::value));
        ratio(exs, bestOfRsockets(result));
        ratio(exs, median(result, "ib_write", measure::value));
        out.print("  |        ");
        cells(transports, result, sample -> sample.get("p99Ns") / 1e3);
        out.printf("  | %-5s", measure.cpuUnit);
        cells(jvms, result, RdmaTable::cpu);
        out.println();
        for (Transport transport : transports) {
            if (result.failure(transport) != null) {
                out.println("    FAILED: " + result.failure(transport));
            }
        }
        out.flush();
    }

    /**
     * The whole machine's time: the kernel does the device's work, and charges it to the process that happens to run.
     */
    private static double cpu(Sample sample) {
        double bytes = sample.get("bytes");
        return Double.isNaN(bytes)
                ? sample.get("machineCpuNs") / sample.get("operations") / 1e3
                : sample.get("machineCpuNs") / bytes;
    }

    private double bestOfRsockets(RowResult result) {
        Measure measure = result.row().measure();
        double best = Double.NaN;
        for (Transport transport : rsockets) {
            double value = result.median(transport, measure::value);
            if (Double.isNaN(best) || measure.gain(best, value) > 1) {
                best = value;
            }
        }
        return best;
    }

    private double median(RowResult result, String label, ToDoubleFunction<Sample> figure) {
        return transports.stream()
                .filter(transport -> transport.label().equals(label))
                .mapToDouble(transport -> result.median(transport, figure))
                .findFirst()
                .orElse(Double.NaN);
    }

    private void cells(List<Transport> columns, RowResult result, ToDoubleFunction<Sample> figure) {
        for (Transport transport : columns) {
            out.printf(CELL, result.failure(transport) == null ? number(result.median(transport, figure)) : "FAILED");
        }
    }

    private void ratio(double exs, double other) {
        out.printf(CELL, Double.isNaN(exs + other) ? "-" : String.format(Locale.ROOT, "%.2f", exs / other));
    }

    private static String number(double value) {
        return Double.isNaN(value)
                ? "-"
                : String.format(Locale.ROOT, value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value);
    }
}
