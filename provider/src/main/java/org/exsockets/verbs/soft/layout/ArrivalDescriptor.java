package org.exsockets.verbs.soft.layout;

/**
 * One slot of an arrival ring: a message that has consumed a receive. One cache line, native byte order.
 *
 * <pre>
 *   0                4                8                12               16                              64
 *   +----------------+----------------+----------------+----------------+-------------------------------+
 *   | kind   | use   | serial         | immediate      | byteLength     | payload of a SEND (48 bytes)  |
 *   +----------------+----------------+----------------+----------------+-------------------------------+
 *   |&lt;------- header, one long -----&gt;|
 * </pre>
 *
 * <p>The header is one 64-bit word, {@code serial << 32 | use << 16 | kind}, written last with release and read first
 * with acquire. The serial of the n-th message of a direction (n from 0) is the low half of n + 1; slot n mod slots
 * holds it. Each connection over the segment has another use (SegmentDescriptor "use"), so that slots left by an
 * earlier one mean nothing. A slot is fresh when it shows this use and the serial that the poller expects next: the
 * ends share no index. It may be overwritten once the poller has posted a receive for the message {@code slots} later
 * (SegmentDescriptor "posted").
 */
public final class ArrivalDescriptor {
    public static final int LENGTH = 64;
    public static final int LENGTH_SHIFT = 6;

    public static final int HEADER_OFFSET = 0;
    public static final int IMMEDIATE_OFFSET = 8;
    public static final int BYTE_LENGTH_OFFSET = 12;
    public static final int PAYLOAD_OFFSET = 16;

    /** Largest payload of a SEND. */
    public static final int MAX_PAYLOAD = LENGTH - PAYLOAD_OFFSET;

    public static final int KIND_SEND = 1;
    public static final int KIND_WRITE_WITH_IMM = 2;

    public static final int MAX_USE = 0xffff;

    private static final int USE_SHIFT = 16;
    private static final int MAX_KIND = 0xffff;

    private ArrivalDescriptor() {}

    /** @param use 1 to {@link #MAX_USE} */
    public static long header(long messageNumber, int use, int kind) {
        return (messageNumber + 1) << 32 | (long) use << USE_SHIFT | kind;
    }

    /** {@return whether {@code header} belongs to the message of this number in this use of the segment} */
    public static boolean isMessage(long header, long messageNumber, int use) {
        return header >>> USE_SHIFT == (messageNumber + 1 << 32 >>> USE_SHIFT | use);
    }

    public static int kind(long header) {
        return (int) header & MAX_KIND;
    }
}
