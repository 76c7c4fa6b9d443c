package org.exsockets.verbs.soft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.exsockets.observe.Log;
import org.exsockets.verbs.WorkRequest;

/**
 * Memory of the programs at both ends of one connection: this end's own, to be advertised, and that of the peer, to be
 * written to.
 *
 * <p>The peer's arenas are mapped by whoever hears of them ({@link #reaches}, one thread at a time) and written to by
 * another thread ({@link #write}). A mapping that is over is dropped by the former only if the latter is not at work: the
 * writer counts itself in {@link #writers} before it looks at {@link #reached}, and the other one takes a mapping out of
 * {@link #reached} before it looks at {@link #writers}, so that one of the two sees the other. What could not be unmapped
 * then waits in {@link #dropped}.
 */
final class EndpointArenas {
    /** Of the peer; what lies in further ones goes through the hidden buffer. */
    static final int MAX_REACHED = 8;

    private static final MappedArena[] NONE = {};
    private static final CopyPolicy.Hint HINT = new CopyPolicy.Hint();

    private final Arenas arenas;
    private final ArenaMappings mappings;
    private final Segment segment;
    private final boolean isA;
    private final RegionWriter writer = RegionWriter.forArenas(HINT);
    private final AtomicInteger writers = new AtomicInteger();

    /** Replaced as a whole by the thread in {@link #reaches}. */
    private volatile MappedArena[] reached = NONE;

    /** Belongs to the thread in {@link #reaches}, finally to the last user. */
    private MappedArena[] dropped = NONE;

    EndpointArenas(Arenas arenas, ArenaMappings mappings, Segment segment, boolean isA) {
        this.arenas = arenas;
        this.mappings = mappings;
        this.segment = segment;
        this.isA = isA;
        segment.arenaNames(isA, arenas.paddedNames());
    }

    /** {@return what of this process's arenas a byte of {@code memory} lies in, or null} Allocates nothing. */
    ArenaAllocation registered(ByteBuffer memory, int offset) {
        return arenas.isEmpty() || !memory.isDirect() ? null : arenas.find(NativeCopy.address(memory) + offset);
    }

    /** {@return the old pages, or null} */
    ByteBuffer detach(ByteBuffer memory, int offset, int length) {
        ArenaAllocation allocation = registered(memory, offset);
        return allocation == null ? null : allocation.detach(memory, offset, length);
    }

    /** {@return whether the peers do not reach these bytes any more} */
    boolean takeAway(ByteBuffer memory, int offset, int length) {
        ArenaAllocation allocation = registered(memory, offset);
        return allocation != null && allocation.takeAway(memory, offset, length);
    }

    /** {@return whether the peer's memory can be written to} */
    boolean reaches(long address, int key, long lengthBytes) {
        MappedArena arena = find(key);
        if (arena == null) {
            arena = map(key);
        }
        if (arena == null || !arena.contains(address, lengthBytes)) {
            Log.debug("memory of the peer's program is out of reach: address=" + address + ", key=" + key + ", length="
                    + lengthBytes);
            return false;
        }
        return true;
    }

    private MappedArena find(int key) {
        for (MappedArena each : reached) {
            if (each.key() == key) {
                return each;
            }
        }
        return null;
    }

    private MappedArena map(int key) {
        dropFreed();
        MappedArena[] all = reached;
        if (all.length == MAX_REACHED) {
            return null;
        }
        try {
            MappedArena arena = mappings.acquire(segment.arenaNames(!isA), key);
            MappedArena[] more = Arrays.copyOf(all, all.length + 1);
            more[all.length] = arena;
            reached = more;
            return arena;
        } catch (IOException e) {
            Log.debug(e.getMessage());
            return null;
        }
    }

    private void dropFreed() {
        MappedArena[] all = reached;
        MappedArena[] live = Arrays.stream(all).filter(each -> !each.isFreed()).toArray(MappedArena[]::new);
        if (live.length < all.length) {
            reached = live;
            MappedArena[] over = Arrays.stream(all).filter(MappedArena::isFreed).toArray(MappedArena[]::new);
            int before = dropped.length;
            dropped = Arrays.copyOf(dropped, before + over.length);
            System.arraycopy(over, 0, dropped, before, over.length);
        }
        if (dropped.length > 0 && writers.get() == 0) {
            releaseDropped();
        }
    }

    private void releaseDropped() {
        for (MappedArena each : dropped) {
            mappings.release(each);
        }
        dropped = NONE;
    }

    /**
     * Copies the payload of a write to the peer's program.
     *
     * @return false if it must not or cannot be written there
     */
    boolean write(WorkRequest request) {
        writers.incrementAndGet();
        try {
            MappedArena to = find(request.rkey);
            int length = request.lengthBytes;
            long at = Windows.offset(request.remoteAddress);
            if (to == null || !to.contains(at, length)) {
                return false;
            }
            if (length > 0) {
                if (!to.isWhole()) {
                    // Not left to the copy: natively it ends the JVM, and compiled code may report it much later.
                    throw new InternalError("shorter than it was");
                }
                writer.put(to.memory(), (int) at, request.source, request.sourceOffset, length, null);
            }
            return true;
        } catch (InternalError truncated) {
            Log.warn("a process of this user has truncated memory that it shares: key=" + request.rkey + ", "
                    + truncated.getMessage());
            return false;
        } finally {
            writers.decrementAndGet();
        }
    }

    /** The last user. */
    void release() {
        for (MappedArena each : reached) {
            mappings.release(each);
        }
        reached = NONE;
        releaseDropped();
    }
}
