package org.exsockets.socket;

/**
 * How fast a peer fills the receives that are outstanding: from that follows for how long it has enough of them. A thread
 * that waits for their ends need not look all that time.
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

    private long windowStartNs;
    private long windowBytes;

    /** 0: unknown. */
    private long nsPerKib;

    /** Bytes of receives that are posted and not taken. */
    private long outstandingBytes;

    /** The product of the two above. Read by any thread, whom an old value costs a look too many or some microseconds. */
    private volatile long quietNs;

    long quietNs() {
        return quietNs;
    }

    void onPosted(int length) {
        outstandingBytes += length;
        update();
    }

    /** @param direct bytes of it that the peer has written there */
    void onTaken(int length, int direct) {
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
        long nowNs = System.nanoTime();
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
        quietNs = (outstandingBytes >> 10) * nsPerKib;
    }
}
