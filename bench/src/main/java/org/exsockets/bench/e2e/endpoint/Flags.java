package org.exsockets.bench.e2e.endpoint;

/** The first byte of every message: a running number in seven bits and, in the highest, the end of the round. */
final class Flags {
    private Flags() {}

    static byte of(long sequence, boolean last) {
        return (byte) (sequence & 0x7f | (last ? 0x80 : 0));
    }

    static boolean isLast(byte flags) {
        return flags < 0;
    }

    /** @throws IllegalStateException if the byte belongs to another message: the stream lost or repeated something */
    static void check(byte flags, long sequence) {
        if ((flags & 0x7f) != (sequence & 0x7f)) {
            throw new IllegalStateException(
                    "corrupt stream: expected=" + (sequence & 0x7f) + ", found=" + (flags & 0x7f));
        }
    }
}
