package org.exsockets.verbs.soft.ring;

import java.nio.ByteBuffer;
import org.exsockets.observe.Log;
import org.exsockets.verbs.soft.layout.SegmentDescriptor;
import org.exsockets.verbs.soft.shared.Segment;
import org.exsockets.verbs.soft.shared.SharedBudget;
import org.jspecify.annotations.Nullable;

/**
 * The reserves of a connection, as one of its ends sees them. Behind the regions of the segment each end has memory to
 * write to when the peer's region is full, without the peer's help, and a second, longer part of it for when that is
 * full, too. A reserve costs nothing until it is written to, or, with strict overcommit, taken. The pages of the first
 * stay for later connections with the same segment; a segment whose second one was taken is not used again.
 *
 * <p>{@link #take} is for the writer, once for each, {@link #ofPeer} for the poller, {@link #bytes} for any thread.
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

    /** A second reserve is at most one part in so many of what is left: others are to find room for their first. */
    private static final int SHARE = 4;

    private final SharedBudget budget;
    private final Segment segment;
    private final boolean isA;
    private final int firstBytes;
    private final int secondBytes;

    /** As in the segment. The writer's; any thread reads it. */
    private volatile int taken;

    /** Read only if {@link #refused}, which is written after it. */
    private volatile long refusedNs;

    private volatile boolean refused;

    /** @param mostBytes of its first reserve that this end may take, a power of two; not more than a region has: none */
    public Reserves(SharedBudget budget, Segment segment, boolean isA, int mostBytes) {
        this.budget = budget;
        this.segment = segment;
        this.isA = isA;
        int most = Math.min(mostBytes, segment.reserveBytes());
        this.firstBytes = most > segment.regionBytes() ? most : 0;
        int second = Math.min(budget.secondReserveBytes(mostBytes), segment.reserveBytes() / 2);
        this.secondBytes = second > firstBytes ? second : 0;
    }

    /** {@return whether pages stay though they are not used} */
    boolean keepPages() {
        return budget.isStrict();
    }

    /** {@return bytes of its next reserve that this end can take; 0: none, or not for a while} */
    int bytes() {
        int now = taken;
        int next = now == 0 ? firstBytes : SegmentDescriptor.secondTaken(now) == 0 ? secondBytes : 0;
        return refused && System.nanoTime() - refusedNs < PAUSE_NS ? 0 : next;
    }

    /** Takes this end's next reserve. {@return where to write; null if there is no memory for it} */
    @Nullable
    WritableRegion take(int wantedBytes) {
        int bytes = Math.min(wantedBytes, bytes());
        boolean second = taken != 0;
        if (bytes == 0 || second && bytes <= taken || !hasRoomFor(bytes, second)) {
            return null;
        }
        taken += bytes;
        segment.taken(isA, taken);
        int key = SegmentDescriptor.reserveKey(!isA, second);
        return new WritableRegion(key, segment.reserve(isA, second, bytes), 0, bytes);
    }

    private boolean hasRoomFor(int bytes, boolean second) {
        boolean counted = !second && segment.there(isA) >= bytes;
        // What the segment says may be false, and a page that is not there deadly.
        if ((counted || budget.hasRoomFor(second ? (long) SHARE * bytes : bytes))
                && (!budget.isStrict() || segment.allocateReserve(isA, bytes))) {
            if (!counted) {
                segment.countMore(bytes);
            }
            if (!counted && !second) {
                segment.there(isA, bytes);
            }
            return true;
        }
        Log.debug("no reserve: memory is scarce, or the limit reached: length=" + bytes + ", " + budget);
        refusedNs = System.nanoTime();
        refused = true;
        return false;
    }

    /**
     * {@return a reserve that the peer has taken; null if it has not, or tells of impossible sizes}
     *
     * @param generation 1: the first reserve, 2: the second
     */
    @Nullable
    ByteBuffer ofPeer(int generation) {
        int told = segment.taken(!isA);
        int first = SegmentDescriptor.firstTaken(told);
        int next = SegmentDescriptor.secondTaken(told);
        int most = segment.reserveBytes();
        boolean second = generation > 1;
        if (first < segment.regionBytes()
                || first > most
                || next != 0 && (Integer.bitCount(next) != 1 || next < first || next > most / 2)
                || second && next == 0) {
            return null;
        }
        return segment.reserve(!isA, second, second ? next : first);
    }
}
