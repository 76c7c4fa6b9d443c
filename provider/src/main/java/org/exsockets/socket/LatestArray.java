package org.exsockets.socket;

import java.nio.ByteBuffer;

/**
 * Wraps the arrays that one side's calls come with. Programs mostly come back with the same one: that allocates nothing.
 * Used by one thread at a time; keeps the latest array reachable, unless it is large.
 */
final class LatestArray {
    private static final int MAX_KEPT_BYTES = 64 * 1024;
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private ByteBuffer latest = NONE;

    /** {@return the part of {@code array}; valid until the next call} */
    ByteBuffer wrap(byte[] array, int offset, int length) {
        ByteBuffer wrapper = latest.array() == array ? latest.clear() : ByteBuffer.wrap(array);
        latest = wrapper.capacity() <= MAX_KEPT_BYTES ? wrapper : NONE;
        return wrapper.limit(offset + length).position(offset);
    }
}
