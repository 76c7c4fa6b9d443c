package org.exsockets.bench.e2e;

import java.io.PrintStream;
import java.util.List;

/** The table of {@code bench/papers} for people: a line per row and placement, printed as soon as the row is done. */
final class PapersTable {
    private static final String CELL = " %9s";

    private final PrintStream out;
    private final List<Transport> transports;

    PapersTable(PrintStream out, List<Transport> transports) {
        this.out = out;
        this.transports = transports;
    }

    void printHead() {
        out.printf("%-28s %-6s", "row", "unit");
        transports.forEach(transport -> out.printf(CELL, transport.label()));
        out.print("  | CPU   ");
        transports.forEach(transport -> out.printf(CELL, transport.label()));
        out.println("  | cores");
    }

    void print(RowResult result) {
        for (RowResult part : result.parts()) {
            Measure measure = part.row().measure();
            out.printf("%-28s %-6s", part.row().name(), measure.unit.replace(" p50", ""));
            for (Transport transport : transports) {
                out.printf(
                        CELL,
                        part.failure(transport) == null
                                ? Papers.number(part.median(transport, measure::value))
                                : "FAILED");
            }
            out.printf("  | %-6s", measure.cpuUnit);
            for (Transport transport : transports) {
                out.printf(CELL, Papers.number(part.median(transport, measure::cpu)));
            }
            out.println("  | " + part.placement().label());
        }
        for (Transport transport : transports) {
            if (result.failure(transport) != null) {
                out.println("    FAILED: " + transport.label() + ": " + result.failure(transport));
            }
        }
        out.flush();
    }
}
