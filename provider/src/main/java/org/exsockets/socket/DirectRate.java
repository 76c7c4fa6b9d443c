package org.exsockets.socket;

import java.util.function.LongSupplier;

/**
 * How fast a peer fills the receives that are outstanding: from that follows for how long it has enough of them. A thread
 * that waits for their ends need not look all that time.
 *
 * <p>The one that is filled first does not count: whoever sleeps beyond its end must have left the peer others. An exchange of
 * messages has one outstanding, and as much time between them as its ends sleep: what they slept once would look like
 * the time that a message takes, and they would go on sleeping.
 *
 * <p>Belongs to the reader, but for {@link #quietNs}.
 */
final class DirectRate {
    /** Measured over so much time at least. */
    private static final long WINDOW_NS = 200_000;

    /** Only a stream as fast as copies are is expected to go on like that: 2 GB/s. */
    private static final long SLOWEST_NS_PER_KIB = 512;

    /** Receives that are filled in a few microseconds are better looked for. */
    private static final int MIN_BYTES = 128 * 1024;

    private final LongSupplier clockNs;

    private long windowStartNs;
    private long windowBytes;

    /** 0: unknown. */
    private long nsPerKib;

    /** Receives that are posted and not taken, and their bytes. */
    private int outstanding;

    private long outstandingBytes;

    /** For how long the peer has enough. Read by any thread, whom an old value costs a look too many or some microseconds. */
    private volatile long quietNs;

    DirectRate(LongSupplier clockNs) {
        this.clockNs = clockNs;
    }

    long quietNs() {
        return quietNs;
    }

    void onPosted(int length) {
        outstanding++;
        outstandingBytes += length;
        update();
    }

    /** @param direct bytes of it that the peer has written there */
    void onTaken(int length, int direct) {
        outstanding--;
        outstandingBytes -= length;
        if (direct < MIN_BYTES) {
            windowStartNs = 0;
            nsPerKib = 0;
        } else {
            measure(direct);
        }
        update();
    }

    private void measure(int direct) {
        long nowNs = clockNs.getAsLong();
        long elapsedNs = nowNs - windowStartNs;
        windowBytes += direct;
        if (windowStartNs != 0 && elapsedNs < WINDOW_NS) {
            return;
        }
        long measured = windowStartNs == 0 ? 0 : elapsedNs / (windowBytes >> 10);
        nsPerKib = measured < SLOWEST_NS_PER_KIB ? measured : 0;
        windowStartNs = nowNs;
        windowBytes = 0;
    }

    private void update() {
        long othersBytes = outstanding > 1 ? outstandingBytes - outstandingBytes / outstanding : 0;
        quietNs = (othersBytes >> 10) * nsPerKib;
    }
}
