package org.exsockets.verbs.soft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
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
    private final PeerMappings<MappedArena> mappings;
    private final Segment segment;
    private final boolean isA;
    private final RegionWriter writer = RegionWriter.forArenas(HINT);
    private final AtomicInteger writers = new AtomicInteger();

    /** Replaced as a whole by the thread in {@link #reaches}. */
    private volatile MappedArena[] reached = NONE;

    /** Belongs to the thread in {@link #reaches}, finally to the last user. */
    private final List<MappedArena> dropped = new ArrayList<>(0);

    EndpointArenas(Arenas arenas, PeerMappings<MappedArena> mappings, Segment segment, boolean isA) {
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
            Path file = mappings.directory().arena(segment.arenaNames(!isA), ArenaDescriptor.number(key));
            MappedArena arena = mappings.acquire(file, () -> MappedArena.open(key, file));
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
        MappedArena[] live = withoutFreed(all, MappedArena::isFreed, dropped);
        if (live.length < all.length) {
            reached = live;
        }
        if (!dropped.isEmpty() && writers.get() == 0) {
            releaseDropped();
        }
    }

    /**
     * Each is asked once: the peer writes the answer, and may change it at any time.
     *
     * @param freed takes the others, after what is in it
     * @return those that are not freed, in their order
     */
    static <T> T[] withoutFreed(T[] all, Predicate<T> isFreed, List<T> freed) {
        T[] live = all.clone();
        int count = 0;
        for (T each : all) {
            if (isFreed.test(each)) {
                freed.add(each);
            } else {
                live[count++] = each;
            }
        }
        return Arrays.copyOf(live, count);
    }

    private void releaseDropped() {
        for (MappedArena each : dropped) {
            mappings.release(each);
        }
        dropped.clear();
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
            if (length > 0 && !put(to, (int) at, request)) {
                Log.warn("a process of this user has truncated memory that it shares: key=" + request.rkey);
                return false;
            }
            return true;
        } finally {
            writers.decrementAndGet();
        }
    }

    /** {@return false if the peer's memory is shorter than it was} */
    private boolean put(MappedArena to, int at, WorkRequest request) {
        // Not left to the copy: natively it ends the JVM, and compiled code may report it much later.
        if (!to.isWhole()) {
            return false;
        }
        try {
            writer.put(to.memory(), at, request.source, request.sourceOffset, request.lengthBytes, null);
            return true;
        } catch (InternalError failed) {
            if (to.isWhole()) {
                throw failed; // What cannot be read is the program's own memory.
            }
            return false;
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
