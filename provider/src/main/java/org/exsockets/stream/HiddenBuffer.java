package org.exsockets.stream;

import java.nio.ByteBuffer;
import org.exsockets.stream.link.Rules;
import org.exsockets.verbs.MoreRoom.ExposedRegion;
import org.jspecify.annotations.Nullable;

/**
 * One generation of this end's hidden buffer: a ring that holds the buffered bytes from one position on, until the
 * peer has switched to the next generation.
 *
 * <p>The poller writes {@link #base} before other threads see the buffer in use. It writes {@link #end} and {@link
 * #next} when the peer switches, before it releases the first byte that arrives in the next buffer. So a thread that
 * has acquired an arrived count beyond {@code end} sees both. Any other thread may see the old {@code end}, and has no
 * bytes to read beyond the new one.
 */
final class HiddenBuffer {
    final int generation;
    final ByteBuffer memory;
    final int length;

    /** An ACK is due when so many bytes have been read. */
    final int acknowledgeThreshold;

    /** Null if the memory is the endpoint's. */
    final @Nullable ExposedRegion region;

    /** Position among the buffered bytes of its first byte. */
    long base;

    /** Position among the buffered bytes behind its last byte. */
    long end = Long.MAX_VALUE;

    @SuppressWarnings("NullAway.Init") // Set before end, and read only behind that.
    HiddenBuffer next;

    HiddenBuffer(int generation, ByteBuffer memory, @Nullable ExposedRegion region, Rules rules) {
        this.generation = generation;
        this.memory = memory;
        this.length = memory.capacity();
        this.acknowledgeThreshold = rules.acknowledgeThreshold(length);
        this.region = region;
    }

    /** Poller: the peer has written its last byte here. */
    void endAt(long position, HiddenBuffer follower) {
        follower.base = position;
        next = follower;
        end = position;
    }

    /** {@return where in {@link #memory} the buffered byte at {@code position} lies} */
    int offset(long position) {
        return (int) (position - base) & length - 1;
    }

    /** Reader: everything has been read, and something has arrived in the next one. */
    void release() {
        if (region != null) {
            region.release();
        }
    }
}
