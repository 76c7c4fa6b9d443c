package org.exsockets.connection.direct;

import java.util.function.LongSupplier;

/**
 * How fast a peer fills the outstanding receives, and so for how long it has enough of them. For that time a thread
 * that waits for their ends need not look.
 *
 * <p>The receive that is filled first does not count: a thread may sleep beyond its end only if the peer has others. In
 * an exchange of messages one receive is outstanding, and the time between messages includes the sleeps of both ends.
 * If it counted, a sleep would look like the time that a message takes, and the ends would go on sleeping.
 *
 * <p>Belongs to the reader, except {@link #quietNs}.
 */
public final class DirectRate {
    /** Measured over so much time at least. */
    private static final long SAMPLE_NS = 200_000;

    /** Only a stream as fast as copies are is expected to keep its rate: 2 GB/s. */
    private static final long SLOWEST_NS_PER_KIB = 512;

    /** Shorter receives are filled in a few microseconds: for these it is better to keep looking. */
    private static final int MIN_BYTES = 128 * 1024;

    private final LongSupplier clockNs;

    private long sampleStartNs;
    private long sampleBytes;

    /** 0: unknown. */
    private long nsPerKib;

    /** Receives that are posted and not taken, and their bytes. */
    private int outstanding;

    private long outstandingBytes;

    /**
     * For how long the peer has enough. Any thread reads it: an old value costs a needless look or some microseconds.
     */
    private volatile long quietNs;

    public DirectRate(LongSupplier clockNs) {
        this.clockNs = clockNs;
    }

    /** {@return for how long the peer has enough, in nanoseconds; 0: unknown; any thread} */
    public long quietNs() {
        return quietNs;
    }

    /** A receive of {@code length} bytes has been posted. */
    public void onPosted(int length) {
        outstanding++;
        outstandingBytes += length;
        update();
    }

    /** @param direct bytes that the peer has written straight into the receive */
    public void onTaken(int length, int direct) {
        outstanding--;
        outstandingBytes -= length;
        if (direct < MIN_BYTES) {
            sampleStartNs = 0;
            nsPerKib = 0;
        } else {
            measure(direct);
        }
        update();
    }

    private void measure(int direct) {
        long nowNs = clockNs.getAsLong();
        long elapsedNs = nowNs - sampleStartNs;
        sampleBytes += direct;
        if (sampleStartNs != 0 && elapsedNs < SAMPLE_NS) {
            return;
        }
        long measured = sampleStartNs == 0 ? 0 : elapsedNs / (sampleBytes >> 10);
        nsPerKib = measured < SLOWEST_NS_PER_KIB ? measured : 0;
        sampleStartNs = nowNs;
        sampleBytes = 0;
    }

    private void update() {
        long othersBytes = outstanding > 1 ? outstandingBytes - outstandingBytes / outstanding : 0;
        quietNs = (othersBytes >> 10) * nsPerKib;
    }
}
