package org.exsockets.verbs.soft;

import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import org.exsockets.memory.Words;
import org.exsockets.observe.Log;

/**
 * An arena of this process ({@link ArenaDescriptor}): mapped whole. Allocations get pages when these are touched, and lose them when they are freed. Belongs to {@link Arenas}, whose lock guards what is said to be guarded.
 */
final class Arena {
    private final int key;
    private final Words header;
    private final int descriptor;
    private final long base;
    private final long lengthBytes;
    private final int pageShift;

    /**
     * By page, the allocation it belongs to. Written under the lock, read without it by whoever has an address: an
     * address of a live allocation has come to the reader after the allocation was entered, and others find null or
     * something that does not contain them.
     */
    private final ArenaAllocation[] owners;

    /** Free pages; guarded. Has its length from the start: freeing allocates nothing. */
    private final BitSet free;

    /** Allocations, and such that are being made or freed; guarded. */
    private int used;

    /** Some of its pages may be written to by peers for nobody: no allocation is made any more. */
    private volatile boolean retired;

    private Arena(int key, int descriptor, long base, long lengthBytes, int pageShift) {
        this.key = key;
        this.header = header(base);
        this.descriptor = descriptor;
        this.base = base;
        this.lengthBytes = lengthBytes;
        this.pageShift = pageShift;
        this.owners = new ArenaAllocation[page(lengthBytes)];
        this.free = new BitSet(owners.length);
        free.set(1, owners.length);
    }

    /**
     * Makes one.
     *
     * @param lengthBytes with the page of its header
     * @throws IOException if the system does not let us; nothing is left behind
     */
    static Arena create(int number, long lengthBytes) throws IOException {
        int key = ArenaDescriptor.key(number);
        int descriptor = (int) check(NativeMemory.create(lengthBytes), "create", lengthBytes);
        try {
            long base = check(NativeMemory.map(descriptor, 0, lengthBytes), "map", lengthBytes);
            ArenaDescriptor.format(header(base), key, lengthBytes);
            int page = NativeMemory.pageBytes();
            return new Arena(key, descriptor, base, lengthBytes, Integer.numberOfTrailingZeros(page));
        } catch (IOException e) {
            NativeMemory.close(descriptor);
            throw e;
        }
    }

    private static long check(long result, String call, long lengthBytes) throws IOException {
        if (result < 0) {
            throw new IOException(
                    "arena: " + call + ": " + NativeMemory.message((int) -result) + ": length=" + lengthBytes);
        }
        return result;
    }

    private static Words header(long base) {
        return Words.of(NativeMemory.buffer(base, ArenaDescriptor.LENGTH));
    }

    int key() {
        return key;
    }

    long base() {
        return base;
    }

    /** {@return what to pass to peers; open as long as there is an allocation} */
    int descriptor() {
        return descriptor;
    }

    boolean contains(long address) {
        return address >= base && address - base < lengthBytes;
    }

    /** {@return the allocation that this address, which {@link #contains} affirms, belongs to; null if none} */
    ArenaAllocation owner(long address) {
        ArenaAllocation owner = owners[page(address - base)];
        return owner != null && owner.contains(address) ? owner : null;
    }

    int page(long bytes) {
        return (int) (bytes >>> pageShift);
    }

    long bytes(int pages) {
        return (long) pages << pageShift;
    }

    /** {@return bytes beyond the last whole page} */
    long inPage(long bytes) {
        return bytes & (bytes(1) - 1);
    }

    long wholePages(long bytes) {
        return bytes + bytes(1) - 1 & -bytes(1);
    }

    /**
     * With the lock: takes free pages, which are zero, and which {@link #release} gives back.
     *
     * @return the address of the first one; 0 if there are not so many together
     */
    long reserve(long bytes) {
        int pages = page(wholePages(bytes));
        for (int first = retired ? -1 : free.nextSetBit(0); first >= 0; ) {
            int end = free.nextClearBit(first);
            if (end - first >= pages) {
                free.clear(first, first + pages);
                used++;
                return base + bytes(first);
            }
            first = free.nextSetBit(end);
        }
        return 0;
    }

    /** With the lock: the pages of an allocation are its own, or nobody's ({@code null}). */
    void own(long address, long bytes, ArenaAllocation owner) {
        Arrays.fill(owners, page(address - base), page(address - base + wholePages(bytes)), owner);
    }

    /**
     * With the lock: takes pages back that were reserved, and have no memory any more. Allocates nothing.
     *
     * @return whether nothing of the arena is used now
     */
    boolean release(long address, long bytes) {
        used--;
        if (!retired) {
            int first = page(address - base);
            free.set(first, first + page(wholePages(bytes)));
        }
        return used == 0;
    }

    /** From now on no allocation is made here: peers may write to pages for nobody, until the arena is gone. */
    void retire() {
        retired = true;
    }

    boolean isRetired() {
        return retired;
    }

    /** With the lock. */
    boolean isUnused() {
        return used == 0;
    }

    /** Puts pages of the arena where private ones are. */
    void mapAgain(long address, long bytes) {
        complain(NativeMemory.mapOver(address, descriptor, address - base, bytes), "map again", bytes);
    }

    /** Takes pages their memory. */
    void empty(long address, long bytes) {
        complain(NativeMemory.empty(descriptor, address - base, bytes), "empty", bytes);
    }

    /** Memory is held longer than need be then, which the arena's end mends. */
    private void complain(int result, String call, long bytes) {
        if (result < 0) {
            Log.warn("arena: " + call + ": " + NativeMemory.message(-result) + ": length=" + bytes);
        }
    }

    /** Nobody of this process uses it any more. Allocates nothing. Peers keep their mappings, which do no harm, until they look at it. */
    void close() {
        header.intRelease(ArenaDescriptor.STATE_OFFSET, ArenaDescriptor.FREED);
        Mapped.unmap(base, lengthBytes);
        NativeMemory.close(descriptor);
    }
}
