package org.exsockets.bench.e2e;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * How far apart the two cores are right now: the round trip of a cache line between two spinning threads, which the
 * scheduler keeps on two cores. Virtual cores move under a running system, so every round has a probe of its own.
 */
final class PlacementProbe {
    private static final int BATCHES = 15;
    private static final int TRIPS_PER_BATCH = 1000;
    private static final long BOUND_NS = 300_000_000L;
    private static final int SPINS_PER_CLOCK = 1 << 14;
    private static final int LINE = 32;
    private static final long STOP = -1;
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);

    /** Written in turn: odd numbers by the prober, the next even one by its peer; alone on its cache line. */
    private final long[] line = new long[2 * LINE];

    /** {@return the round trip in nanoseconds, the median of several batches; NaN if there is no second core to ask} */
    double roundTripNs() {
        if (Runtime.getRuntime().availableProcessors() < 2) {
            return Double.NaN;
        }
        ELEMENT.setVolatile(line, LINE, 0L);
        Thread peer = new Thread(this::answer, "placement probe");
        peer.setDaemon(true);
        peer.start();
        double[] batchesNs = new double[BATCHES];
        long boundNs = System.nanoTime() + BOUND_NS;
        int done = 0;
        while (done < BATCHES && batch(done, batchesNs, boundNs)) {
            done++;
        }
        ELEMENT.setVolatile(line, LINE, STOP);
        Arrays.sort(batchesNs, 0, done);
        return done == 0 ? Double.NaN : batchesNs[done / 2];
    }

    private boolean batch(int number, double[] batchesNs, long boundNs) {
        long value = 2L * number * TRIPS_PER_BATCH;
        long startNs = System.nanoTime();
        for (int trip = 0; trip < TRIPS_PER_BATCH; trip++) {
            ELEMENT.setRelease(line, LINE, value + 1);
            int spins = 0;
            while ((long) ELEMENT.getAcquire(line, LINE) != value + 2) {
                if (++spins % SPINS_PER_CLOCK == 0 && System.nanoTime() > boundNs) {
                    return false;
                }
            }
            value += 2;
        }
        batchesNs[number] = (double) (System.nanoTime() - startNs) / TRIPS_PER_BATCH;
        return true;
    }

    private void answer() {
        long value;
        while ((value = (long) ELEMENT.getAcquire(line, LINE)) != STOP) {
            if ((value & 1) != 0) {
                // Not a plain store: a STOP written after a timeout must not be overwritten.
                ELEMENT.compareAndSet(line, LINE, value, value + 1);
            }
        }
    }
}
