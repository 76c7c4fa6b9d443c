package org.exsockets.bench.demo;

import java.util.Locale;
import org.exsockets.bench.demo.program.StepResult;

/** How the demonstration writes its figures: the same in progress lines and tables. */
final class Figures {
    private static final String NONE = "-";

    private Figures() {}

    /** {@return operations or bytes per second, with the unit} */
    static String throughput(Workload.Step step, StepResult result) {
        double perSecond = perSecond(step, result);
        return step.unit() == Workload.Unit.OPERATIONS
                ? String.format(Locale.ROOT, "%,.0f/s", perSecond)
                : String.format(Locale.ROOT, "%.2f GB/s", perSecond / 1e9);
    }

    /** {@return throughput over EXS divided by throughput over TCP} */
    static String ratio(Workload.Step step, StepResult exs, StepResult tcp) {
        return String.format(Locale.ROOT, "%.2f", perSecond(step, exs) / perSecond(step, tcp));
    }

    /** {@return a latency in microseconds without the unit, or a dash if none was taken} */
    static String latencyUs(long latencyNs) {
        if (latencyNs == 0) {
            return NONE;
        }
        return String.format(Locale.ROOT, latencyNs < 100_000 ? "%,.1f" : "%,.0f", latencyNs / 1e3);
    }

    /** {@return a count with separators} */
    static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    private static double perSecond(Workload.Step step, StepResult result) {
        double amount = step.unit() == Workload.Unit.OPERATIONS
                ? result.operations()
                : Math.max(result.bytesToServer(), result.bytesToClient());
        return amount * 1e9 / result.elapsedNs();
    }
}
