package org.exsockets.bench.e2e;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** Heap bytes allocated per operation on the steady path, by face, side and operation. */
final class AllocationTable {
    static final List<String> OPERATIONS = List.of("write", "read", "select", "selectConsumer");

    private AllocationTable() {}

    static void print(PrintStream out, List<Transport> transports, List<RowResult> results) {
        List<RowResult> allocations = results.stream()
                .filter(result -> result.row().measure() == Measure.ALLOCATION)
                .toList();
        if (allocations.isEmpty()) {
            return;
        }
        out.printf("%n%-34s", "bytes allocated per operation");
        transports.forEach(transport -> out.printf(" %10s", transport.label()));
        out.println();
        for (RowResult result : allocations) {
            printSide(out, transports, result, "client", "");
            printSide(out, transports, result, "server", "server.");
        }
    }

    private static void printSide(
            PrintStream out, List<Transport> transports, RowResult result, String side, String prefix) {
        for (String operation : OPERATIONS) {
            String figure = prefix + operation + "AllocatedBytes";
            List<Double> medians = transports.stream()
                    .map(transport -> result.median(transport, sample -> sample.get(figure)))
                    .toList();
            if (medians.stream().allMatch(median -> median.isNaN())) {
                continue;
            }
            String face = result.row().name().replace("allocation ", "");
            out.printf("%-34s", face + " " + side + " " + operation);
            medians.forEach(median -> out.printf(Locale.ROOT, " %10.2f", median));
            out.println();
        }
    }
}
