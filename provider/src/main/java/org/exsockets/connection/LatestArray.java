package org.exsockets.connection;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Wraps the arrays of calls in one direction. Most programs use the same one again: that allocates nothing. Used by one
 * thread at a time; keeps the latest array reachable, unless it is large.
 */
final class LatestArray {
    private static final int MAX_KEPT_BYTES = 64 * 1024;

    /** Null: there is none, or it was large. */
    private byte @Nullable [] latest;

    /** Of {@link #latest}; null if that is. */
    private @Nullable ByteBuffer wrapper;

    /** {@return the part of {@code array}; valid until the next call} */
    @SuppressWarnings("NullAway") // The latest array has a wrapper.
    ByteBuffer wrap(byte[] array, int offset, int length) {
        if (array == latest) {
            return wrapper.limit(offset + length).position(offset);
        }
        boolean keeps = array.length <= MAX_KEPT_BYTES;
        ByteBuffer fresh = ByteBuffer.wrap(array, offset, length);
        latest = keeps ? array : null;
        wrapper = keeps ? fresh : null;
        return fresh;
    }
}
