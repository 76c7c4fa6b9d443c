package org.exsockets.bench.e2e.endpoint;

import org.HdrHistogram.Histogram;

/** The round-trip times of one round. One thread records; recording allocates nothing. */
final class Latencies {
    private static final long HIGHEST_NS = 100_000_000_000L;

    private final Histogram histogram = new Histogram(1, HIGHEST_NS, 3);

    void record(long elapsedNs) {
        histogram.recordValue(Math.min(Math.max(elapsedNs, 1), HIGHEST_NS));
    }

    void add(Latencies other) {
        histogram.add(other.histogram);
    }

    void reset() {
        histogram.reset();
    }

    Fields into(Fields figures) {
        return figures.with("p50Ns", histogram.getValueAtPercentile(50))
                .with("p90Ns", histogram.getValueAtPercentile(90))
                .with("p99Ns", histogram.getValueAtPercentile(99))
                .with("p999Ns", histogram.getValueAtPercentile(99.9))
                .with("maxNs", histogram.getMaxValue());
    }
}
