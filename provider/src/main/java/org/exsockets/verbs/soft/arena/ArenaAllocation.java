package org.exsockets.verbs.soft.arena;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Objects;
import org.exsockets.jdk.Cleaners;
import org.exsockets.jdk.Futex;
import org.exsockets.memory.DirectMemory;
import org.exsockets.observe.Log;
import org.exsockets.verbs.ProgramMemory;
import org.exsockets.verbs.soft.host.NativeMemory;
import org.jspecify.annotations.Nullable;

/**
 * Whole pages of an {@link Arena} that one buffer of the program lies in. Thread-safe.
 *
 * <p>A detached page ({@link #detach}) is private to the program from then on. The arena keeps the old page, which the
 * peer may still write to, and never uses it again.
 */
final class ArenaAllocation implements ProgramMemory {
    final Arena arena;
    final long address;
    final long lengthBytes;

    /** Pages that peers cannot reach any more; null if none. Replaced as a whole, under the monitor of this object. */
    private volatile @Nullable BitSet detached;

    /** Once set, no page is exchanged: the memory may belong to another allocation by now. */
    @GuardedBy("this")
    private boolean freed;

    /** Frees the buffer over it; null where the JDK does. Written before other threads know this object. */
    Cleaner.@Nullable Cleanable cleanable;

    ArenaAllocation(Arena arena, long address, long lengthBytes) {
        this.arena = arena;
        this.address = address;
        this.lengthBytes = lengthBytes;
    }

    long pageBytes() {
        return arena.wholePages(lengthBytes);
    }

    boolean contains(long byteAddress) {
        return byteAddress >= address && byteAddress - address < lengthBytes;
    }

    /** The bytes must begin with a page. Only whole pages count, except at the end of the allocation. */
    @Override
    public int advertisable(ByteBuffer memory, int offset, int length) {
        long from = Futex.address(memory) + offset - address;
        if (from < 0 || from >= lengthBytes || arena.inPage(from) != 0) {
            return 0;
        }
        long to = from + length;
        if (to < lengthBytes) {
            to -= arena.inPage(to);
        } else {
            to = lengthBytes;
        }
        BitSet unreachable = detached;
        if (unreachable != null) {
            int first = unreachable.nextSetBit(arena.page(from));
            to = first < 0 ? to : Math.min(to, arena.bytes(first));
        }
        return (int) Math.max(0, to - from);
    }

    @Override
    public long remoteAddress(ByteBuffer memory, int offset) {
        return Futex.address(memory) + offset - arena.base;
    }

    @Override
    public int rkey() {
        return arena.key;
    }

    /** {@return the arena's descriptor, open until this is freed} */
    int descriptor() {
        return arena.descriptor;
    }

    /**
     * Detaches the pages of bytes that were advertised. The bytes may begin within a page if those before them were
     * advertised with them and have arrived.
     *
     * @return those bytes in the old pages, where a peer may still write them; null if some were detached before, or no
     *     mapping or memory is available: then {@link #takeAway} can be tried
     */
    @Nullable
    ByteBuffer detach(ByteBuffer memory, int offset, int length) {
        long from = from(memory, offset);
        if (!contains(from, length)) {
            return null;
        }
        int before = (int) arena.inPage(from);
        long start = from - before;
        long bytes = arena.wholePages(before + length);
        synchronized (this) {
            if (freed || nextDetached(from, from + length) >= 0) {
                return null;
            }
            long old = NativeMemory.map(arena.descriptor, address + start - arena.base, bytes);
            if (old < 0) {
                Log.warn("detach: no mapping for the old pages: length=" + length + ", "
                        + NativeMemory.message((int) -old) + " (see vm.max_map_count)");
                return null;
            }
            if (!makePrivate(start, bytes)) {
                NativeMemory.release(old, bytes);
                return null;
            }
            ByteBuffer pages = NativeMemory.buffer(old, before + length);
            Cleaners.register(pages, () -> NativeMemory.release(old, bytes));
            return pages.slice(before, length);
        }
    }

    /**
     * As {@link #detach}, but the old pages are given up; pages detached before stay. {@return false if it is freed, or
     * there is no memory for private pages}
     */
    boolean takeAway(ByteBuffer memory, int offset, int length) {
        long from = from(memory, offset);
        if (!contains(from, length)) {
            return false;
        }
        synchronized (this) {
            boolean all = !freed;
            long end = arena.wholePages(from + length);
            for (long at = from - arena.inPage(from); all && at < end; ) {
                long next = nextDetached(at, end);
                long to = next < 0 ? end : next;
                all = at == to || makePrivate(at, to - at);
                at = next < 0
                        ? end
                        : arena.bytes(Objects.requireNonNull(detached).nextClearBit(arena.page(next)));
            }
            return all;
        }
    }

    private long from(ByteBuffer memory, int offset) {
        return Futex.address(memory) + offset - address;
    }

    private boolean contains(long from, int length) {
        if (from >= 0 && from + length <= lengthBytes) {
            return true;
        }
        Log.error(
                "detach: not of one allocation: offset=" + from + ", length=" + length + ", allocation=" + lengthBytes);
        return false;
    }

    /** With the monitor. */
    private boolean makePrivate(long start, long bytes) {
        int failure = NativeMemory.makePrivate(address + start, bytes);
        if (failure < 0) {
            // No memory even for these pages: the program's other memory is about to run out, too.
            Log.error("detach: the peer may still write to a buffer of the program: length=" + bytes + ", "
                    + NativeMemory.message(-failure));
            return false;
        }
        arena.retired = true;
        BitSet more = detached == null ? new BitSet() : (BitSet) detached.clone();
        more.set(arena.page(start), arena.page(start + bytes));
        detached = more;
        DirectMemory.exchanged(address + start, bytes); // An adapter still has the old pages.
        return true;
    }

    /** {@return the first byte from {@code from} on, and before {@code to}, in a detached page; -1 if none} */
    private long nextDetached(long from, long to) {
        BitSet unreachable = detached;
        int first = unreachable == null ? -1 : unreachable.nextSetBit(arena.page(from));
        return first < 0 || arena.bytes(first) >= to ? -1 : Math.max(from, arena.bytes(first));
    }

    /**
     * Gives the buffer's memory back to the system; the arena's pages replace private ones. {@return false if done
     * before}
     */
    synchronized boolean free() {
        if (freed) {
            return false;
        }
        freed = true;
        if (detached == null) {
            arena.empty(address, pageBytes());
        } else {
            giveBack(detached);
        }
        return true;
    }

    private void giveBack(BitSet lost) {
        int pages = arena.page(pageBytes());
        for (int first = 0; first < pages; ) {
            boolean unreachable = lost.get(first);
            int end = unreachable ? lost.nextClearBit(first) : lost.nextSetBit(first);
            end = end < 0 ? pages : Math.min(end, pages);
            long at = address + arena.bytes(first);
            if (unreachable) {
                arena.mapAgain(at, arena.bytes(end - first));
            } else {
                arena.empty(at, arena.bytes(end - first));
            }
            first = end;
        }
    }
}
