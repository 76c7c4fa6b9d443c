package org.exsockets.verbs.disni.data;

/**
 * Which bytes of the ring hold payloads that the device may still read. Positions are counted in bytes ever used, those
 * skipped at the ring's end included.
 *
 * <p>{@link #head} is written by one writer at a time, {@link #freed} by one harvester at a time. Threads that ask for
 * room read both: a stale {@link #freed} shows too little room.
 */
final class SendRing {
    final int lengthBytes;
    private volatile long head;
    private volatile long freed;

    /** @param lengthBytes a power of two */
    SendRing(int lengthBytes) {
        this.lengthBytes = lengthBytes;
    }

    long head() {
        return head;
    }

    /** Writer: the bytes up to {@code end} are used. */
    void advance(long end) {
        if (end != head) { // Inline payloads use none, and spare the fence.
            head = end;
        }
    }

    /** Harvester: the device has read everything up to {@code end}. */
    void free(long end) {
        freed = Math.max(freed, end);
    }

    /** Writer. {@return where {@code length} contiguous bytes are free; −1 if nowhere} */
    int place(int length) {
        int at = (int) head & lengthBytes - 1;
        int free = lengthBytes - (int) (head - freed);
        int toEnd = lengthBytes - at;
        if (length <= Math.min(free, toEnd)) {
            return at;
        }
        return length <= free - toEnd ? 0 : -1;
    }

    /** Writer. {@return {@link #head} behind {@code length} bytes at {@code at}, with what was skipped before them} */
    long end(int at, int length) {
        int now = (int) head & lengthBytes - 1;
        return head + length + (at == now ? 0 : lengthBytes - now);
    }

    /** {@return the longest payload that has a place; any thread} */
    int contiguousRoom() {
        long now = head;
        int free = lengthBytes - (int) (now - freed);
        int toEnd = lengthBytes - ((int) now & lengthBytes - 1);
        return Math.max(Math.min(free, toEnd), free - toEnd);
    }
}
