package org.exsockets.bench.e2e.endpoint;

import java.util.Arrays;

/**
 * The rate at which bytes arrived in each slice of a round; stalls do not show in the median. One thread records; it
 * allocates nothing. Slices beyond the last that there is room for are left out.
 */
final class Slices {
    private static final int MAX_SLICES = 10_000;
    private static final int READS_PER_CLOCK = 16;

    private final long sliceNs;
    private final double[] bytesPerNs = new double[MAX_SLICES];
    private int slices;
    private long startNs;
    private long bytes;
    private long reads;

    Slices(long sliceNs) {
        this.sliceNs = sliceNs;
    }

    /** Starts a round: the first slice begins with the first bytes. */
    void reset() {
        slices = 0;
        reads = 0;
    }

    void record(int countBytes) {
        if (reads == 0) {
            startNs = System.nanoTime();
            bytes = 0;
        } else {
            bytes += countBytes;
        }
        reads++;
        if (countBytes < READS_PER_CLOCK * 1024 && reads % READS_PER_CLOCK != 0) {
            return;
        }
        long elapsedNs = System.nanoTime() - startNs;
        if (elapsedNs >= sliceNs && slices < MAX_SLICES) {
            bytesPerNs[slices++] = (double) bytes / elapsedNs;
            startNs += elapsedNs;
            bytes = 0;
        }
    }

    Fields into(Fields figures) {
        double[] sorted = Arrays.copyOf(bytesPerNs, slices);
        Arrays.sort(sorted);
        return figures.with("slices", slices)
                .with(
                        "sliceBytesPerNs",
                        slices == 0 ? Double.NaN : (sorted[(slices - 1) / 2] + sorted[slices / 2]) / 2);
    }
}
