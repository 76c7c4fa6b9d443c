package org.exsockets.agent.selftest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The slices of a row. */
final class Measured {
    final Row row;
    private final Map<Transport, List<Slice>> slices = new EnumMap<>(Transport.class);

    Measured(Row row) {
        this.row = row;
        for (Transport transport : Transport.values()) {
            slices.put(transport, new ArrayList<>());
        }
    }

    void add(Transport transport, Slice slice) {
        slices.get(transport).add(slice);
    }

    List<Slice> slices(Transport transport) {
        return slices.get(transport);
    }

    /** {@return whether both have been measured} */
    boolean complete() {
        return slices.values().stream().noneMatch(List::isEmpty);
    }

    /** {@return the median of the slices} */
    double value(Transport transport) {
        return median(transport, Slice::value);
    }

    /** {@return the median of the slices' 99th percentiles} */
    double tail(Transport transport) {
        return median(transport, Slice::tail);
    }

    /** {@return how many cores the JVMs on this host kept busy} */
    double cores(Transport transport) {
        double wallNs = slices.get(transport).stream().mapToLong(Slice::wallNs).sum();
        return slices.get(transport).stream().mapToLong(Slice::cpuNs).sum() / wallNs;
    }

    /** {@return how many times better EXS is than TCP; below 1: worse} */
    double gain() {
        double tcp = value(Transport.TCP);
        double exs = value(Transport.EXS);
        return row.kind().lessIsBetter ? tcp / exs : exs / tcp;
    }

    private double median(Transport transport, ToDoubleFunction<Slice> of) {
        return median(slices.get(transport).stream().mapToDouble(of).toArray());
    }

    static double median(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
