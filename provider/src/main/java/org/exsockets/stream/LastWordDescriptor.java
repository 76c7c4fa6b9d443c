package org.exsockets.stream;

import org.exsockets.verbs.QueuePair;

/**
 * The 64-bit word that a stream passes to {@link QueuePair#disconnect}. Its byte order is that of the device.
 *
 * <pre>
 *   63                             32 31                              0
 *   +--------------------------------+--------------------------------+
 *   | heard                          | written                        |
 *   +--------------------------------+--------------------------------+
 * </pre>
 *
 * <p>written: bytes of the stream that this end has written. heard: bytes of the other direction announced to this end
 * when it disconnected; what the peer has written beyond them is not read. Both are the lower 32 bits of a position.
 * The peer knows the others: neither is further from the position it knows than a hidden buffer and an ADVERT are long.
 *
 * <p>Memory ordering is that of {@link QueuePair#peerLastWord}.
 */
final class LastWordDescriptor {
    private static final int HEARD_SHIFT = 32;

    private LastWordDescriptor() {}

    static long encode(long written, long heard) {
        return heard << HEARD_SHIFT | Integer.toUnsignedLong((int) written);
    }

    /** {@return the position at which the peer's stream ends} May be less than known, if the peer is hostile. */
    static long written(long word, long knownWritten) {
        return knownWritten + ((int) word - (int) knownWritten);
    }

    /** {@return whether {@code written} bytes are more than the peer has heard of} */
    static boolean isMissed(long word, long written) {
        return (int) written - (int) (word >>> HEARD_SHIFT) > 0;
    }
}
