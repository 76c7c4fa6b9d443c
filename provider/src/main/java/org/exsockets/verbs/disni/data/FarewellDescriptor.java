package org.exsockets.verbs.disni.data;

import org.exsockets.verbs.disni.memory.ConnectionMemory;

/**
 * The last words of an end: a SEND of 64 bytes, behind everything else that it has sent and before it disconnects;
 * big-endian (network order). Messages of the upper layer are shorter ({@link ConnectionMemory#MESSAGE_BYTES}). It takes
 * none of their credits: each end has posted one receive more than the peer has credits.
 *
 * <pre>
 *   0               4               8                              16                       64
 *   +---------------+---------------+-------------------------------+-----------------------+
 *   | reason        | (zero)        | last word                     | (zero)                |
 *   +---------------+---------------+-------------------------------+-----------------------+
 * </pre>
 *
 * <p>reason: code of {@code DisconnectReason}. A receive completes behind those of everything sent before, writes
 * included; nothing else is relied upon: what the connection manager reports may come earlier, by another way.
 */
final class FarewellDescriptor {
    static final int LENGTH = ConnectionMemory.SLOT_BYTES;

    static final int REASON_OFFSET = 0;
    static final int LAST_WORD_OFFSET = 8;

    private FarewellDescriptor() {}
}
