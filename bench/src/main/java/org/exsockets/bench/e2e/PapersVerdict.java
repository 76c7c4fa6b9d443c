package org.exsockets.bench.e2e;

import java.io.PrintStream;
import java.util.List;

/**
 * What the papers let us expect, and whether it is so here: dynamic switching within 5 % of the better pure mode at
 * every point; direct transfers of 1 MB at least 1.2 times as fast as indirect ones for at most 60 % of their CPU per
 * byte; a stream with 8 messages of 1 MB outstanding at 70 % or more of the bandwidth with which one core copies them.
 */
final class PapersVerdict {
    private static final double DYNAMIC_TO_BETTER = 0.95;
    private static final double DIRECT_TO_INDIRECT = 1.2;
    private static final double DIRECT_CPU_TO_INDIRECT = 0.6;
    private static final double STREAM_TO_COPY = 0.7;

    private final Transport indirect;
    private final Transport direct;
    private final Transport dynamic;
    private int missed;

    /** @param transports TCP, indirect, direct, dynamic */
    PapersVerdict(List<Transport> transports) {
        indirect = transports.get(1);
        direct = transports.get(2);
        dynamic = transports.get(3);
    }

    void print(PrintStream out, List<RowResult> results) {
        out.println();
        double copy = Double.NaN;
        for (RowResult result : results) {
            if (result.row().name().startsWith("one core copies")) {
                copy = result.median(dynamic, Measure.THROUGHPUT::value);
            }
        }
        for (RowResult result : results) {
            for (RowResult part : result.parts()) {
                judge(out, part, copy);
            }
        }
        out.println(missed == 0 ? "all expectations met" : missed + " expectations not met");
    }

    private void judge(PrintStream out, RowResult part, double copy) {
        Measure measure = part.row().measure();
        double viaBuffer = part.median(indirect, measure::value);
        double placed = part.median(direct, measure::value);
        double switched = part.median(dynamic, measure::value);
        String where = part.row().name() + " (" + part.placement().label() + ")";
        if (!Double.isNaN(viaBuffer + placed + switched)) {
            double gain = Math.min(measure.gain(viaBuffer, switched), measure.gain(placed, switched));
            expect(out, where + ": dynamic to the better of direct and indirect", gain, DYNAMIC_TO_BETTER);
        }
        if (part.row().name().equals("stream 1 MB")) {
            expect(out, where + ": direct to indirect", placed / viaBuffer, DIRECT_TO_INDIRECT);
            double cpu = part.median(direct, measure::cpu) / part.median(indirect, measure::cpu);
            expect(out, where + ": CPU of indirect to direct", 1 / cpu, 1 / DIRECT_CPU_TO_INDIRECT);
            expect(out, where + ": dynamic to one core's copies", switched / copy, STREAM_TO_COPY);
        }
    }

    private void expect(PrintStream out, String what, double value, double atLeast) {
        if (!Double.isNaN(value) && value < atLeast) {
            missed++;
            out.println("not met: " + what + ": " + Papers.number(value) + ", expected " + Papers.number(atLeast));
        }
    }
}
