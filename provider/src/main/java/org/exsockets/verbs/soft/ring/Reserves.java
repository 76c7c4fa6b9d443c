package org.exsockets.verbs.soft.ring;

import java.nio.ByteBuffer;
import org.exsockets.observe.Log;
import org.exsockets.verbs.soft.copy.ComingBytes;
import org.exsockets.verbs.soft.layout.SegmentDescriptor;
import org.exsockets.verbs.soft.shared.Segment;
import org.exsockets.verbs.soft.shared.SharedBudget;
import org.jspecify.annotations.Nullable;

/**
 * The reserves of a connection, as one of its ends sees them. Behind the regions of the segment each end has memory to
 * write to when the peer's region is full, without the peer's help. A reserve costs nothing until it is written to, or,
 * with strict overcommit, taken; its pages stay for later connections with the same segment.
 *
 * <p>{@link #take} is for the writer, once, {@link #ofPeer} for the poller, {@link #bytes} for any thread.
 */
public final class Reserves {
    /** Memory of the peer that this end may write to; {@code offset}: of the region's first byte in {@code memory}. */
    static final class WritableRegion {
        final int key;
        final ByteBuffer memory;
        final int offset;
        final int lengthBytes;

        WritableRegion(int key, ByteBuffer memory, int offset, int lengthBytes) {
            this.key = key;
            this.memory = memory;
            this.offset = offset;
            this.lengthBytes = lengthBytes;
        }
    }

    /** After a lack of memory no reserve is asked for again for so long. */
    private static final long PAUSE_NS = 1_000_000_000L;

    private final SharedBudget budget;
    private final Segment segment;
    private final boolean isA;
    private final ComingBytes coming;
    private final int mostBytes;

    /** Read only if {@link #refused}, which is written after it. */
    private volatile long refusedNs;

    private volatile boolean refused;

    /** @param mostBytes of its reserve that this end may take, a power of two; not more than a region has: none */
    public Reserves(SharedBudget budget, Segment segment, boolean isA, int mostBytes) {
        this.budget = budget;
        this.segment = segment;
        this.isA = isA;
        this.coming = new ComingBytes(segment.words(), isA, segment.slots(), segment.regionBytes());
        int most = Math.min(mostBytes, segment.reserveBytes());
        this.mostBytes = most > segment.regionBytes() ? most : 0;
    }

    ComingBytes coming() {
        return coming;
    }

    /** {@return whether pages stay though they are not used} */
    boolean keepPages() {
        return budget.isStrict();
    }

    /** {@return bytes of its reserve that this end can take; 0: none, or not for a while} */
    int bytes() {
        return refused && System.nanoTime() - refusedNs < PAUSE_NS ? 0 : mostBytes;
    }

    /** Takes this end's reserve. {@return where to write; null if there is no memory for it} */
    @Nullable
    WritableRegion take(int wantedBytes) {
        int bytes = Math.min(wantedBytes, bytes());
        if (bytes == 0 || !hasRoomFor(bytes)) {
            return null;
        }
        segment.taken(isA, bytes);
        return new WritableRegion(SegmentDescriptor.reserveKey(!isA), segment.reserve(isA, bytes), 0, bytes);
    }

    private boolean hasRoomFor(int bytes) {
        boolean counted = segment.there(isA) >= bytes;
        // What the segment says may be false, and a page that is not there deadly.
        if ((counted || budget.hasRoomFor(bytes)) && (!budget.isStrict() || segment.allocateReserve(isA, bytes))) {
            if (!counted) {
                segment.there(isA, bytes);
                segment.countMore(bytes);
            }
            return true;
        }
        Log.debug("no reserve: memory is scarce, or the limit reached: length=" + bytes + ", " + budget);
        refusedNs = System.nanoTime();
        refused = true;
        return false;
    }

    /** {@return the reserve that the peer has taken; null if it has taken none, or tells an impossible size} */
    @Nullable
    ByteBuffer ofPeer() {
        int bytes = segment.taken(!isA);
        if (Integer.bitCount(bytes) != 1 || bytes < segment.regionBytes() || bytes > segment.reserveBytes()) {
            return null;
        }
        ByteBuffer memory = segment.reserve(!isA, bytes);
        coming.follow(memory);
        return memory;
    }
}
