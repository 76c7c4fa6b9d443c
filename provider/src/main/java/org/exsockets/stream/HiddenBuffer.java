package org.exsockets.stream;

import java.nio.ByteBuffer;
import org.exsockets.verbs.ExposedRegion;

/**
 * One generation of this end's hidden buffer: a ring that holds the buffered bytes from one position on, until the
 * peer has switched to the next generation.
 *
 * <p>{@link #base} is written by the poller before anybody else sees the object as a buffer in use; {@link #end} and
 * {@link #next} are written by the poller, when the peer switches, before it releases the first byte that arrives behind.
 * So who has acquired an arrived count beyond {@code end} sees both; who has not may see the old {@code end}, beyond
 * which there is nothing for it.
 */
final class HiddenBuffer {
    final int generation;
    final ByteBuffer memory;
    final int length;
    final int mask;

    /** Bytes read of it that the peer is to be told of. */
    final int acknowledgeThreshold;

    /** Null for those that are the endpoint's. */
    private final ExposedRegion region;

    /** Position among the buffered bytes of its first byte. */
    long base;

    /** Position among the buffered bytes behind its last byte. */
    long end = Long.MAX_VALUE;

    HiddenBuffer next;

    private HiddenBuffer(int generation, ByteBuffer memory, ExposedRegion region, Rules rules) {
        this.generation = generation;
        this.memory = memory;
        this.length = memory.capacity();
        this.mask = length - 1;
        this.acknowledgeThreshold = rules.acknowledgeThreshold(length);
        this.region = region;
    }

    static HiddenBuffer first(ByteBuffer memory, Rules rules) {
        return new HiddenBuffer(0, memory, null, rules);
    }

    HiddenBuffer followedBy(ExposedRegion further, Rules rules) {
        return new HiddenBuffer(generation + 1, further.memory(), further, rules);
    }

    /** The one in the reserve, which is the endpoint's. */
    HiddenBuffer followedBy(ByteBuffer reserve, Rules rules) {
        return new HiddenBuffer(generation + 1, reserve, null, rules);
    }

    ExposedRegion region() {
        return region;
    }

    /** Poller: the peer has written its last byte here. */
    void endAt(long position, HiddenBuffer follower) {
        follower.base = position;
        next = follower;
        end = position;
    }

    /** {@return where in {@link #memory} the buffered byte at {@code position} lies} */
    int offset(long position) {
        return (int) (position - base) & mask;
    }

    /** Reader: everything has been read, and something has arrived in the next one. */
    void release() {
        if (region != null) {
            region.release();
        }
    }
}
