package org.exsockets.bench.e2e;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** A row's rounds, by transport. Filled and read by the parent's main thread. */
final class RowResult {
    private final Row row;
    private final Map<Transport, List<Sample>> samples = new LinkedHashMap<>();
    private final Map<Transport, String> failures = new LinkedHashMap<>();
    private final List<Double> probesNs = new ArrayList<>();

    RowResult(Row row) {
        this.row = row;
    }

    Row row() {
        return row;
    }

    void add(Transport transport, Sample sample) {
        samples.computeIfAbsent(transport, any -> new ArrayList<>()).add(sample);
    }

    void addProbe(double roundTripNs) {
        probesNs.add(roundTripNs);
    }

    void fail(Transport transport, String reason) {
        failures.put(transport, reason);
    }

    /** {@return why the transport failed in this row, or null} */
    String failure(Transport transport) {
        return failures.get(transport);
    }

    boolean failed() {
        return !failures.isEmpty();
    }

    List<Double> values(Transport transport, ToDoubleFunction<Sample> figure) {
        return samples.getOrDefault(transport, List.of()).stream()
                .map(figure::applyAsDouble)
                .toList();
    }

    /** {@return the median over the rounds; NaN if the transport failed or has no such figure} */
    double median(Transport transport, ToDoubleFunction<Sample> figure) {
        return failures.containsKey(transport) ? Double.NaN : Sample.median(values(transport, figure));
    }

    double probeNs() {
        return Sample.median(probesNs);
    }

    /** {@return what to print of where the cores were} */
    String placement() {
        return row.oneCore() ? "one core" : PlacementProbe.describe(probesNs);
    }
}
