package org.exsockets.verbs.disni.memory;

/**
 * The peer's last words, which it places by one RDMA write, behind everything it has sent and before it disconnects: 16
 * bytes, big-endian (network order).
 *
 * <pre>
 *   0               4               8                              16
 *   +---------------+---------------+-------------------------------+
 *   | reason + 1    | (zero)        | last word                     |
 *   +---------------+---------------+-------------------------------+
 * </pre>
 *
 * <p>reason: code of {@code DisconnectReason}, plus 1: all zero means that nothing was said. Read only after the
 * connection manager has reported the disconnect, which the peer asks for when the write has completed; so no memory
 * ordering between device and processor is relied upon.
 */
public final class FarewellDescriptor {
    public static final int LENGTH = 16;

    public static final int REASON_OFFSET = 0;
    public static final int LAST_WORD_OFFSET = 8;

    private FarewellDescriptor() {}
}
