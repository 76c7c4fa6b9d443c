package org.exsockets.bench.e2e;

import java.io.IOException;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** What the first seconds of programs cost, for more contenders than the main table has columns. */
final class FirstTable {
    /** By name, as in the table for programs. */
    static final Map<String, ToDoubleFunction<Sample>> FIGURES = figures();

    private FirstTable() {}

    private static Map<String, ToDoubleFunction<Sample>> figures() {
        Map<String, ToDoubleFunction<Sample>> figures = new LinkedHashMap<>();
        figures.put("process_ms", Measure.FIRST::value);
        figures.put("main_ms", sample -> sample.get("mainNs") / 1e6);
        figures.put("slowest_first_ms", sample -> sample.get("firstNs") / 1e6);
        figures.put("cpu_ms", Measure.FIRST::cpu);
        figures.put("agent_classes", sample -> sample.get("agentClasses"));
        figures.put("jdk_classes", sample -> sample.get("jdkClasses"));
        figures.put("compiled_methods", sample -> sample.get("compiledMethods"));
        return figures;
    }

    static void print(PrintStream out, List<Transport> transports, List<RowResult> results) throws IOException {
        for (RowResult result : results) {
            if (result.row().measure() == Measure.FIRST) {
                print(out, FirstRun.contenders(transports), result);
            }
        }
    }

    private static void print(PrintStream out, List<Transport> contenders, RowResult result) {
        out.printf("%n%-34s", result.row().name());
        contenders.forEach(transport -> out.printf(" %12s", transport.label()));
        out.println();
        FIGURES.forEach((name, figure) -> {
            out.printf("%-34s", name);
            contenders.forEach(transport -> out.print(cell(result.median(transport, figure))));
            out.println();
        });
    }

    private static String cell(double median) {
        return Double.isNaN(median) ? String.format("%13s", "-") : String.format(Locale.ROOT, " %12.0f", median);
    }
}
