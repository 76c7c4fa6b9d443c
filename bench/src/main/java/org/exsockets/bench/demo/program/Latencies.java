package org.exsockets.bench.demo.program;

import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Latencies of one step and the clock around it. Any thread may record; created when the step starts. */
final class Latencies {
    private static final int SIGNIFICANT_DIGITS = 3;

    private final Histogram histogram = new ConcurrentHistogram(SIGNIFICANT_DIGITS);
    private final long startedNs = System.nanoTime();

    /** Records an operation that began at {@code beganNs} ({@link System#nanoTime}) and ends now. */
    void recordSince(long beganNs) {
        histogram.recordValue(System.nanoTime() - beganNs);
    }

    /** {@return the result of the step, which ends now} */
    StepResult result(long operations, long bytesToServer, long bytesToClient, long checksum) {
        long elapsedNs = System.nanoTime() - startedNs;
        boolean recorded = histogram.getTotalCount() > 0;
        return new StepResult(
                operations,
                bytesToServer,
                bytesToClient,
                elapsedNs,
                recorded ? histogram.getValueAtPercentile(50) : 0,
                recorded ? histogram.getValueAtPercentile(99) : 0,
                checksum);
    }
}
