package org.exsockets.agent.selftest;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a result means, in plain words.
 *
 * @param good whether all data was right, and every connection was EXS's
 */
record Verdict(boolean good, String text) {
    /** What differs by less is alike. */
    private static final double NOTABLE = 1.1;

    private static final double MANY = 10;

    static Verdict of(Result result) {
        List<String> wrong = new ArrayList<>();
        for (Result.Checked check : result.checks) {
            if (!check.wrong().isEmpty()) {
                wrong.add(check.transport() + ", " + check.face().title + ": " + check.wrong());
            }
        }
        if (!wrong.isEmpty()) {
            return new Verdict(
                    false,
                    "Data did not come through (" + String.join("; ", wrong) + "). Do not use EXS here; report it.");
        }
        if (!result.failure.isEmpty()) {
            return new Verdict(false, "The test came to no end: " + result.failure + ". Report it.");
        }
        Usage usage = result.usage();
        if (!usage.complete()) {
            String used = usage.soft() + usage.disni() == 0 ? "EXS is not used: " : "EXS is not always used: ";
            return new Verdict(false, used + usage.why());
        }
        return new Verdict(
                true,
                "EXS is used over " + usage.devices() + ", all data was right. " + worth(gains(result.rows))
                        + processorTime(result.rows));
    }

    /** {@return by what, how many times better EXS is, the median of the rows} */
    private static Map<String, Double> gains(List<Measured> rows) {
        Map<String, List<Double>> all = new LinkedHashMap<>();
        for (Measured each : rows) {
            all.computeIfAbsent(each.row.group(), any -> new ArrayList<>()).add(each.gain());
        }
        Map<String, Double> gains = new LinkedHashMap<>();
        all.forEach((group, values) -> gains.put(
                group,
                Measured.median(values.stream().mapToDouble(Double::doubleValue).toArray())));
        return gains;
    }

    static String worth(Map<String, Double> gains) {
        String better = gains.entrySet().stream()
                .filter(each -> each.getValue() >= NOTABLE)
                .map(each -> each.getKey() + " (" + times(each.getValue()) + " times as fast)")
                .collect(Collectors.joining(", "));
        String worse = gains.entrySet().stream()
                .filter(each -> each.getValue() <= 1 / NOTABLE)
                .map(each -> each.getKey() + " (" + times(1 / each.getValue()) + " times as slow)")
                .collect(Collectors.joining(", "));
        if (better.isEmpty()) {
            return "It is not worth it here: nothing is faster than over TCP"
                    + (worse.isEmpty() ? "." : ", and slower are " + worse + ".");
        }
        return "It is worth it for " + better
                + (worse.isEmpty() ? ". Nothing is slower." : ", but not for " + worse + ".");
    }

    private static String times(double factor) {
        return String.format(Locale.ROOT, factor < MANY ? "%.1f" : "%.0f", factor);
    }

    /** Of the last row, the fastest pace: there both transports do the same work. */
    private static String processorTime(List<Measured> rows) {
        Measured last = rows.get(rows.size() - 1);
        return String.format(
                Locale.ROOT,
                " At %s EXS takes %.1f %% of a core, TCP %.1f %%.",
                last.row.name(),
                last.cores(Transport.EXS) * 100,
                last.cores(Transport.TCP) * 100);
    }
}
