package org.exsockets.stream;

/**
 * When the hidden buffer of a direction grows, and to what: the writer has had to wait for room although the reader goes
 * on reading.
 *
 * <p>A writer that waits tells so with its next transfer. That alone is no demand: a program that does not read makes
 * its peer wait with a buffer of any size. So the reader must have read a whole buffer since the last growth, too. An
 * exchange of messages that fit the buffer with room to spare, and a connection that is idle or short, never grow.
 *
 * <p>Where neither end has room, each may be waiting for the other to read, for ever, with programs that over TCP never meet
 * the ends of the kernel's buffers: some megabytes. There the buffer gets all it may have at once. Whether they wait nobody
 * knows: two ends that fill each other's buffers to the last byte and then read get longer ones, too.
 *
 * <p>Belongs to the poller, but for {@link #limit}.
 */
final class GrowthPolicy {
    /** A buffer that does not suffice is followed by one so many times as long. */
    private static final int FACTOR = 4;

    /** The writer has waited so often. */
    private static final int WAITS = 2;

    /** Where there was no memory, nothing is tried before so many buffers have been read. */
    private static final int BUFFERS_BETWEEN_ATTEMPTS = 256;

    /**
     * What the program allows: any thread stores, the poller reads. A buffer that is growing at that moment may still be
     * announced, as one that has grown stays.
     */
    private volatile int limitBytes;

    /** What the device and the settings allow. */
    private final int mostBytes;

    private int waits;
    private long notBefore;

    /** @param limitBytes bytes a buffer may have; less than the first one has: it never grows */
    GrowthPolicy(int limitBytes) {
        this.mostBytes = limitBytes;
        this.limitBytes = limitBytes;
    }

    /**
     * The program has chosen the buffer (SO_RCVBUF): from here on none grows beyond that. It takes back what it chose
     * before, but cannot ask for more than the buffer might have without it.
     *
     * @param chosenBytes &gt; 0; less than the buffer has already: it stays as it is
     */
    void limit(int chosenBytes) {
        limitBytes = Math.min(mostBytes, Integer.highestOneBit(chosenBytes));
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
        int limit = limitBytes;
        if (lengthBytes >= limit || waits < WAITS || readBytes < Math.max(lengthBytes, notBefore)) {
            return 0;
        }
        return (int) Math.min(limit, (long) lengthBytes * FACTOR);
    }

    /** Neither end has room for more. Parameters and result as for {@link #onWait}. */
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
