package org.exsockets.stream;

/**
 * When the hidden buffer of a direction grows, and to what: the writer has had to wait for room although the reader goes
 * on reading.
 *
 * <p>A writer that waits tells so with its next transfer. That alone is no demand: a program that does not read makes
 * its peer wait with a buffer of any size. So the reader must have read a whole buffer since the last growth, too. An
 * exchange of messages that fit the buffer, and a connection that is idle or short, never grow.
 *
 * <p>Belongs to the poller.
 */
final class GrowthPolicy {
    /** A buffer that does not suffice is followed by one so many times as long. */
    private static final int FACTOR = 4;

    /** The writer has waited so often. */
    private static final int WAITS = 2;

    /** Where there was no memory, nothing is tried before so many buffers have been read. */
    private static final int BUFFERS_BETWEEN_ATTEMPTS = 256;

    private final int limitBytes;
    private int waits;
    private long notBefore;

    /** @param limitBytes bytes a buffer may have; less than the first one has: it never grows */
    GrowthPolicy(int limitBytes) {
        this.limitBytes = limitBytes;
    }

    /**
     * The writer has waited for room.
     *
     * @param lengthBytes of the buffer
     * @param readBytes that have been read since the peer has switched to this buffer
     * @return bytes the next buffer is to have; 0: it stays
     */
    int onWait(int lengthBytes, long readBytes) {
        waits++;
        if (lengthBytes >= limitBytes || waits < WAITS || readBytes < Math.max(lengthBytes, notBefore)) {
            return 0;
        }
        return (int) Math.min(limitBytes, (long) lengthBytes * FACTOR);
    }

    /** The peer has switched to a buffer that is longer. */
    void onGrown() {
        waits = 0;
        notBefore = 0;
    }

    /** There was no memory for a longer buffer. Parameters as for {@link #onWait}. */
    void onRefused(int lengthBytes, long readBytes) {
        notBefore = readBytes + (long) lengthBytes * BUFFERS_BETWEEN_ATTEMPTS;
    }
}
