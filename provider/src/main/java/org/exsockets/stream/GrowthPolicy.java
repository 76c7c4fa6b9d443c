package org.exsockets.stream;

/**
 * Decides when the hidden buffer of a direction grows, and to what length. It grows when the writer has waited for room
 * although the reader goes on reading.
 *
 * <p>A writer that has waited says so with its next transfer. That is not enough: if a program does not read, its peer
 * waits whatever the length. So the reader must also have read a whole buffer since the last growth. The buffer of an
 * idle or short connection never grows, nor does that of an exchange of messages that fit with room to spare.
 *
 * <p>If neither end has room, each may wait for ever for the other to read; and a program that is in no call may not
 * read before its peer has written all. Over TCP such programs never fill the kernel's buffers of some megabytes. So the
 * buffer grows to its limit at once, as far as the device has memory: there is no second step before the reader has left
 * the first buffer. The policy cannot see whether the ends wait: two ends that fill each other's
 * buffers to the last byte and then read get longer ones, too.
 *
 * <p>Belongs to the poller, except {@link #limit}.
 */
final class GrowthPolicy {
    /** The next buffer is so many times as long. */
    private static final int FACTOR = 4;

    /** The writer must have waited so often. */
    private static final int WAITS = 2;

    /** After an allocation has failed, so many buffers are read before the next attempt. */
    private static final int BUFFERS_BETWEEN_ATTEMPTS = 256;

    /**
     * Bytes that the program allows. Any thread stores it, the poller reads it. A buffer whose growth has begun may
     * still be announced; like one that has grown, it stays.
     */
    private volatile int limitBytes;

    /** Bytes that the device and the settings allow. */
    private final int mostBytes;

    private int waits;
    private long notBefore;

    /** @param limitBytes bytes a buffer may have; less than the first one has: it never grows */
    GrowthPolicy(int limitBytes) {
        this.mostBytes = limitBytes;
        this.limitBytes = limitBytes;
    }

    /**
     * The program has chosen a length (SO_RCVBUF): from now on no buffer grows beyond it. Replaces an earlier choice,
     * but cannot raise the limit of the device and the settings.
     *
     * @param chosenBytes &gt; 0; if the buffer is longer already, it stays as it is
     */
    void limit(int chosenBytes) {
        limitBytes = Math.min(mostBytes, Integer.highestOneBit(chosenBytes));
    }

    /**
     * The writer has waited for room.
     *
     * @param lengthBytes of the buffer
     * @param readBytes read since the peer switched to this buffer
     * @return bytes the next buffer is to have; 0: it stays
     */
    int onWait(int lengthBytes, long readBytes) {
        waits++;
        int limit = limitBytes;
        if (lengthBytes >= limit || waits < WAITS || readBytes < Math.max(lengthBytes, notBefore)) {
            return 0;
        }
        return (int) Math.min(limit, (long) lengthBytes * FACTOR);
    }

    /** Neither end has room for more, or nobody reads. Parameters and result as for {@link #onWait}. */
    int onStuck(int lengthBytes, long readBytes) {
        int limit = limitBytes;
        return lengthBytes >= limit || readBytes < notBefore ? 0 : limit;
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
