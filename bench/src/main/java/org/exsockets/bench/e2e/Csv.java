package org.exsockets.bench.e2e;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The table for programs: a line per row, placement of the cores and transport, medians with the least and the greatest
 * round.
 */
final class Csv {
    private Csv() {}

    static void write(Path file, Host host, List<Transport> transports, List<RowResult> results, Judge judge)
            throws IOException {
        try (PrintStream out = new PrintStream(Files.newOutputStream(file), false, StandardCharsets.UTF_8)) {
            host.lines().forEach(line -> out.println("# " + line));
            out.println(
                    "row,transport,unit,median,min,max,p50_ns,p90_ns,p99_ns,p999_ns,max_ns,cpu_unit,cpu,operations_per_s,same_core,"
                            + "placement,probe_ns,rounds,gain,target,verdict,failure,"
                            + String.join(",", FirstTable.FIGURES.keySet()));
            for (RowResult result : results) {
                boolean first = result.row().measure() == Measure.FIRST;
                List<Transport> contenders = first ? FirstRun.contenders(transports) : transports;
                for (RowResult part : result.parts()) {
                    contenders.forEach(transport -> out.println(line(part, transport, judge)));
                }
            }
        }
    }

    private static String line(RowResult result, Transport transport, Judge judge) {
        Measure measure = result.row().measure();
        List<Double> values = result.values(transport, measure::value);
        boolean judged = judge.isSubject(transport);
        String failure = result.failure(transport);
        return String.join(
                ",",
                result.row().name(),
                transport.label(),
                measure.unit,
                number(result.median(transport, measure::value)),
                number(values.isEmpty() ? Double.NaN : Collections.min(values)),
                number(values.isEmpty() ? Double.NaN : Collections.max(values)),
                figure(result, transport, "p50Ns"),
                figure(result, transport, "p90Ns"),
                figure(result, transport, "p99Ns"),
                figure(result, transport, "p999Ns"),
                figure(result, transport, "maxNs"),
                measure.cpuUnit,
                number(result.median(transport, measure::cpu)),
                number(result.median(transport, Measure.RATE::value)),
                figure(result, transport, "sameCore"),
                result.cores().replaceAll(" [0-9]+ ns", ""),
                number(result.probeNs()),
                Integer.toString(values.size()),
                judged ? number(judge.gain(result)) : "",
                judged ? String.join("; ", judge.demands(result)) : "",
                judged ? judge.verdict(result) : "",
                failure == null ? "" : failure.replace(',', ';'),
                FirstTable.FIGURES.values().stream()
                        .map(figure -> measure == Measure.FIRST ? number(result.median(transport, figure)) : "")
                        .collect(Collectors.joining(",")));
    }

    private static String figure(RowResult result, Transport transport, String name) {
        return number(result.median(transport, sample -> sample.get(name)));
    }

    private static String number(double value) {
        return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%.4f", value);
    }
}
