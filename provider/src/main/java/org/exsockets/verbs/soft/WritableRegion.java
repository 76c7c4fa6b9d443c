package org.exsockets.verbs.soft;

import java.nio.ByteBuffer;
import org.exsockets.memory.SharedMapping;

/**
 * Memory of the peer that this end may write to.
 *
 * @param offset of the region's first byte in {@code memory}
 * @param own the region's own mapping; null if it is part of the segment
 */
record WritableRegion(int key, ByteBuffer memory, int offset, int lengthBytes, SharedMapping own) {
    /** Its writer is the caller, and writes no more. */
    void unmap() {
        if (own != null) {
            own.unmap();
        }
    }
}
