package org.exsockets.bench.e2e;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Compares results with the demands of their rows. Used by the parent's main thread. */
final class Judge {
    private final Transport baseline;
    private final Transport subject;
    private final List<RowResult> results;

    /** @param results of all rows, which fill while the rows run */
    Judge(Transport baseline, Transport subject, List<RowResult> results) {
        this.baseline = baseline;
        this.subject = subject;
        this.results = results;
    }

    boolean isSubject(Transport transport) {
        return transport.equals(subject);
    }

    double subject(RowResult part, ToDoubleFunction<Sample> figure) {
        return part.median(subject, figure);
    }

    /** {@return the subject's figure divided by the baseline's} */
    double ratio(RowResult part, ToDoubleFunction<Sample> figure) {
        return part.median(subject, figure) / part.median(baseline, figure);
    }

    /** {@return the subject's figure minus the baseline's} */
    double difference(RowResult part, ToDoubleFunction<Sample> figure) {
        return part.median(subject, figure) - part.median(baseline, figure);
    }

    /** {@return how many times better than the baseline, above 1 is better; NaN if one of them has no figure} */
    double gain(RowResult part) {
        Measure measure = part.row().measure();
        double base = part.median(baseline, measure::value);
        double value = part.median(subject, measure::value);
        return Double.isNaN(base + value) || base * value == 0 ? Double.NaN : measure.gain(base, value);
    }

    /** {@return the subject's figure divided by its figure of another row with the cores in the same place} */
    double ratioTo(String otherRow, RowResult part, ToDoubleFunction<Sample> figure) {
        return results.stream()
                .filter(result -> result.row().name().equals(otherRow))
                .flatMap(result -> result.parts().stream())
                .filter(other -> other.placement() == part.placement())
                .mapToDouble(other -> part.median(subject, figure) / other.median(subject, figure))
                .findFirst()
                .orElse(Double.NaN);
    }

    /** {@return all demands of the row that this part can be judged by, in words; none against another EXS} */
    List<String> demands(RowResult part) {
        return told(part).stream().map(demand -> demand.text(part)).toList();
    }

    /** {@return the demands that were not met, with the figure} */
    List<String> unmet(RowResult part) {
        List<String> unmet = new ArrayList<>();
        for (Demand demand : told(part)) {
            if (!demand.met(this, part)) {
                unmet.add(
                        demand.text(part) + ": " + Demand.number(demand.figure().of(this, part)));
            }
        }
        return unmet;
    }

    /** {@return one word: met, BELOW, or a dash where nothing is asked} */
    String verdict(RowResult part) {
        if (told(part).isEmpty()) {
            return "-";
        }
        return unmet(part).isEmpty() ? "met" : "BELOW";
    }

    private List<Demand> told(RowResult part) {
        if (baseline.isExs() || part.failed()) {
            return List.of();
        }
        return part.row().demands().stream()
                .filter(demand -> demand.tells(this, part))
                .toList();
    }
}
