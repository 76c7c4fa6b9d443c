package org.exsockets.bench.e2e;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** A row's rounds, by transport. Filled and read by the parent's main thread. */
final class RowResult {
    /** Fewer rounds in a placement than this are not shown on a line of their own. */
    private static final int LEAST_ROUNDS = 2;

    private final Row row;
    private final Map<Transport, List<Sample>> samples = new LinkedHashMap<>();
    private final Map<Transport, String> failures = new LinkedHashMap<>();

    RowResult(Row row) {
        this.row = row;
    }

    Row row() {
        return row;
    }

    void add(Transport transport, Sample sample) {
        samples.computeIfAbsent(transport, any -> new ArrayList<>()).add(sample);
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

    /**
     * {@return the result by placement of the cores: a part for each in which every transport has enough rounds; this
     * result itself if there is none or the row does not depend on it}
     */
    List<RowResult> parts() {
        List<RowResult> parts = new ArrayList<>();
        if (row.depends()) {
            for (Placement placement : List.of(Placement.NEAR, Placement.FAR)) {
                RowResult part = part(placement);
                if (part != null) {
                    parts.add(part);
                }
            }
        }
        return parts.isEmpty() ? List.of(this) : parts;
    }

    /** {@return whether every transport has enough rounds in the placement, or failed} */
    boolean has(Placement placement) {
        return failed() || part(placement) != null;
    }

    private RowResult part(Placement placement) {
        RowResult part = new RowResult(row);
        part.failures.putAll(failures);
        samples.forEach((transport, all) -> part.samples.put(
                transport,
                all.stream().filter(sample -> sample.placement() == placement).toList()));
        boolean enough = !part.samples.isEmpty()
                && part.samples.values().stream().allMatch(some -> some.size() >= (row.runsOnce() ? 1 : LEAST_ROUNDS));
        return enough ? part : null;
    }

    /** {@return where the cores were in all rounds} */
    Placement placement() {
        List<Placement> seen = samples.values().stream()
                .flatMap(List::stream)
                .map(Sample::placement)
                .distinct()
                .toList();
        return seen.size() == 1 ? seen.get(0) : Placement.UNKNOWN;
    }

    /** {@return the median round trip of a cache line in nanoseconds; NaN if it was not probed} */
    double probeNs() {
        return Sample.median(samples.values().stream()
                .flatMap(List::stream)
                .map(sample -> sample.get("probeNs"))
                .toList());
    }

    /** {@return the placement of the cores, to be printed; "-": it does not matter, or was not probed} */
    String cores() {
        if (!row.depends() || Double.isNaN(probeNs())) {
            return row.condition() == Condition.ONE_CORE ? "one core" : "-";
        }
        Placement placement = placement();
        return placement == Placement.UNKNOWN ? "mixed" : String.format("%s %.0f ns", placement.label(), probeNs());
    }
}
