package org.exsockets.bench.e2e;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.exsockets.bench.e2e.endpoint.Fields;
import org.exsockets.bench.e2e.endpoint.Kind;

/**
 * The rate sweep: threads that ask at a pace, as programs do. Not all combinations of its dimensions, but each value
 * occurs in at least two rows.
 */
final class PacedRows {
    static final int[] GAPS_US = {0, 20, 100, 1_000, 5_000, 20_000};
    private static final int SMALL_BYTES = 64;
    private static final int LARGE_BYTES = 4096;
    private static final int BURST = 50;
    private static final int BURST_GAP_US = 100_000;

    /** Seconds of warm-up of a cold program. */
    private static final double COLD_SECONDS = 2;

    /** Up to this gap requests follow each other so fast that no thread sleeps. */
    private static final int LARGEST_BUSY_GAP_US = 20;

    /**
     * What a command line asks for.
     *
     * @param seconds of a round
     * @param virtualThreads whether the JDK that runs the rows has them
     */
    record Lengths(double seconds, double warmUpSeconds, boolean virtualThreads) {}

    /** How clients and servers reach their connections. */
    enum Pairing {
        SOCKETS("socket", "blocking"),
        CHANNELS("channel", "blocking"),
        SELECTOR_SERVER("channel", "selector"),
        SELECTORS("selector", "selector"),
        ASYNC("async", "async"),
        VIRTUAL("socket", "blocking");

        final String face;
        final String server;

        Pairing(String face, String server) {
            this.face = face;
            this.server = server;
        }

        String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    private final Lengths lengths;
    private final List<Row> rows = new ArrayList<>();

    private PacedRows(Lengths lengths) {
        this.lengths = lengths;
    }

    /** {@return the rows of a condition, those of cold programs last} */
    static List<Row> of(Condition condition, Lengths lengths) {
        PacedRows all = new PacedRows(lengths);
        if (condition == Condition.IDLE_MACHINE) {
            all.addIdle();
            all.addCold();
        } else {
            all.add(condition, 1, 1_000, Pairing.SELECTOR_SERVER, SMALL_BYTES, false);
            all.add(condition, 1, 20, Pairing.SOCKETS, SMALL_BYTES, false);
            all.add(condition, 16, 5_000, Pairing.SOCKETS, SMALL_BYTES, false);
        }
        return all.rows;
    }

    private void addIdle() {
        Condition idle = Condition.IDLE_MACHINE;
        for (Pairing pairing : List.of(Pairing.SOCKETS, Pairing.SELECTOR_SERVER)) {
            for (int gapUs : GAPS_US) {
                add(idle, 1, gapUs, pairing, SMALL_BYTES, false);
            }
            for (int gapUs : new int[] {1_000, 5_000, 20_000}) {
                add(idle, 16, gapUs, pairing, SMALL_BYTES, false);
            }
            add(idle, 64, 20_000, pairing, SMALL_BYTES, false);
            add(idle, 1, BURST_GAP_US, pairing, SMALL_BYTES, false);
        }
        add(idle, 4, 1_000, Pairing.CHANNELS, SMALL_BYTES, false);
        add(idle, 4, 100, Pairing.CHANNELS, LARGE_BYTES, false);
        add(idle, 1, 1_000, Pairing.SELECTORS, SMALL_BYTES, false);
        add(idle, 4, 5_000, Pairing.SELECTORS, SMALL_BYTES, false);
        add(idle, 1, 1_000, Pairing.ASYNC, SMALL_BYTES, false);
        add(idle, 4, 5_000, Pairing.ASYNC, SMALL_BYTES, false);
        add(idle, 1, 1_000, Pairing.SELECTOR_SERVER, LARGE_BYTES, false);
        add(idle, 16, 5_000, Pairing.SOCKETS, LARGE_BYTES, false);
        if (lengths.virtualThreads()) {
            add(idle, 16, 5_000, Pairing.VIRTUAL, SMALL_BYTES, false);
            add(idle, 64, 20_000, Pairing.VIRTUAL, SMALL_BYTES, false);
        }
    }

    private void addCold() {
        Condition idle = Condition.IDLE_MACHINE;
        add(idle, 1, 1_000, Pairing.SOCKETS, SMALL_BYTES, true);
        add(idle, 1, 20_000, Pairing.SELECTOR_SERVER, SMALL_BYTES, true);
        add(idle, 16, 5_000, Pairing.SELECTOR_SERVER, SMALL_BYTES, true);
    }

    private void add(Condition condition, int threads, int gapUs, Pairing pairing, int sizeBytes, boolean cold) {
        Fields spec = Row.spec(Kind.PACED, sizeBytes)
                .with("face", pairing.face)
                .with("server", pairing.server)
                .with("threads", threads)
                .with("gapNs", gapUs * 1_000)
                .with(Row.WARM_UP, cold ? COLD_SECONDS : lengths.warmUpSeconds());
        if (gapUs == BURST_GAP_US) {
            spec.with("burst", BURST);
        }
        if (pairing == Pairing.VIRTUAL) {
            spec.with("virtual", true);
        }
        if (cold) {
            spec.with(Row.FRESH, true);
        }
        String name = condition.prefix + (cold ? "cold: " : "") + "paced " + threads + " x " + gap(gapUs) + " "
                + pairing.label() + (sizeBytes == SMALL_BYTES ? "" : " " + Plan.size(sizeBytes));
        boolean busy = condition == Condition.IDLE_MACHINE && gapUs <= LARGEST_BUSY_GAP_US && threads == 1;
        rows.add(new Row(name, Measure.LATENCY, spec, condition, lengths.seconds(), Targets.paced(busy, cold)));
    }

    private static String gap(int gapUs) {
        if (gapUs == BURST_GAP_US) {
            return BURST + " in " + gapUs / 1_000 + " ms";
        }
        return gapUs >= 1_000 ? gapUs / 1_000 + " ms" : gapUs + " us";
    }
}
