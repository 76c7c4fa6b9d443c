package org.exsockets.bench.e2e;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.exsockets.bench.e2e.endpoint.Fields;

/** The figures of one round, by name. Names end in their units; those of the server begin with {@code server.}. */
final class Sample {
    private final Map<String, Double> figures = new TreeMap<>();
    private Placement placement = Placement.UNKNOWN;

    /**
     * @param sameCore the part of the round, by sampling, in which both threads were on one core; NaN if unknown
     */
    static Sample of(Fields client, Fields server, double sameCore) {
        Sample sample = new Sample();
        client.values().forEach((name, value) -> sample.figures.put(name, Double.valueOf(value)));
        server.values().forEach((name, value) -> sample.figures.put("server." + name, Double.valueOf(value)));
        sample.figures.put("cpuNs", client.number("cpuNs") + server.number("cpuNs"));
        sample.figures.put("sameCore", sameCore);
        return sample;
    }

    /** {@return the figures of a tool, or of a program's start} */
    static Sample of(Map<String, Double> figures) {
        Sample sample = new Sample();
        sample.figures.putAll(figures);
        return sample;
    }

    /** Says where the cores were: the round trips of a cache line before and after the round, NaN if unknown. */
    Sample placed(double beforeNs, double afterNs) {
        placement = Placement.of(beforeNs, afterNs);
        return with("probeNs", (beforeNs + afterNs) / 2);
    }

    Placement placement() {
        return placement;
    }

    Sample with(String name, double value) {
        figures.put(name, value);
        return this;
    }

    /** {@return the figure, or NaN if this kind of row has none of that name} */
    double get(String name) {
        return figures.getOrDefault(name, Double.NaN);
    }

    /** {@return the median; NaN values do not count} */
    static double median(List<Double> values) {
        double[] sorted = values.stream()
                .mapToDouble(Double::doubleValue)
                .filter(value -> !Double.isNaN(value))
                .sorted()
                .toArray();
        int count = sorted.length;
        return count == 0 ? Double.NaN : (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
    }

    @Override
    public String toString() {
        return figures.toString();
    }
}
