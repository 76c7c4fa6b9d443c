package org.exsockets.packet;

/** How a transfer has ended. */
public enum PacketEnding {
    DONE,
    END_OF_STREAM,
    CANCELLED,
    /** A write beyond an export's end, or to a missing export (then some bytes may have been written). */
    NO_EXPORT,
    /**
     * Copying from or to its memory, or the peer's, has thrown {@link PacketTransfer#failure}. The peer gets nothing of
     * a packet to be sent; an arrived packet is lost; some bytes of a write may have been written.
     */
    MEMORY_FAILED
}
