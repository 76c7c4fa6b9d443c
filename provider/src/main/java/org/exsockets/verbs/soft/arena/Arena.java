package org.exsockets.verbs.soft.arena;

import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import org.exsockets.memory.Words;
import org.exsockets.observe.Log;
import org.exsockets.verbs.soft.host.NativeMemory;
import org.exsockets.verbs.soft.layout.ArenaDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * An arena of this process ({@link ArenaDescriptor}), mapped whole. A page of an allocation exists from the first touch
 * until the allocation is freed. Belongs to {@link Arenas}, whose lock guards the fields marked so.
 */
final class Arena {
    final int key;
    private final Words header;
    final int descriptor;
    final long base;
    private final long lengthBytes;
    private final int pageShift;

    /**
     * By page, the allocation it belongs to. Written under the lock, read without it: the address of a live allocation
     * reaches a reader after the allocation was entered here. For other addresses the reader finds null or an
     * allocation that does not contain them.
     */
    private final @Nullable ArenaAllocation[] owners;

    /** Free pages; guarded. Has its length from the start: freeing allocates nothing. */
    private final BitSet free;

    /** Allocations, including those being made or freed; guarded. */
    private int used;

    /** No allocation is made here any more: peers may write to detached pages until the arena is closed. */
    volatile boolean retired;

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
     * @param isStrict whether the page of its header is to be made at once
     * @throws IOException if the system refuses; nothing is left behind
     */
    static Arena create(int number, long lengthBytes, boolean isStrict) throws IOException {
        int key = ArenaDescriptor.key(number);
        int descriptor = (int) check(NativeMemory.create(lengthBytes), "create", lengthBytes);
        long base = 0;
        try {
            if (isStrict) {
                check(NativeMemory.allocate(descriptor, 0, ArenaDescriptor.LENGTH), "allocate", ArenaDescriptor.LENGTH);
            }
            base = check(NativeMemory.map(descriptor, 0, lengthBytes), "map", lengthBytes);
            ArenaDescriptor.format(header(base), key, lengthBytes);
            int page = NativeMemory.pageBytes();
            return new Arena(key, descriptor, base, lengthBytes, Integer.numberOfTrailingZeros(page));
        } catch (IOException | RuntimeException | Error e) { // The heap may have no room for the tables of its pages.
            if (base != 0) {
                NativeMemory.release(base, lengthBytes);
            }
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

    boolean contains(long address) {
        return address >= base && address - base < lengthBytes;
    }

    /** {@return the allocation that contains an address of this arena; null if none} */
    @Nullable
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

    /** With the lock: makes an allocation of contiguous free pages, which are zero. {@return null if they are too few} */
    @Nullable
    ArenaAllocation allocate(long bytes) {
        int pages = page(wholePages(bytes));
        for (int first = retired ? -1 : free.nextSetBit(0); first >= 0; ) {
            int end = free.nextClearBit(first);
            if (end - first >= pages) {
                ArenaAllocation made = new ArenaAllocation(this, base + bytes(first), bytes);
                Arrays.fill(owners, first, first + pages, made);
                free.clear(first, first + pages);
                used++;
                return made;
            }
            first = free.nextSetBit(end);
        }
        return null;
    }

    /** With the lock: takes back pages that have no memory. Allocates nothing. {@return whether none is used now} */
    boolean release(ArenaAllocation gone) {
        int first = page(gone.address - base);
        int end = first + page(gone.pageBytes());
        Arrays.fill(owners, first, end, null);
        used--;
        if (!retired) {
            free.set(first, end);
        }
        return used == 0;
    }

    /** Puts the arena's pages back in place of private ones. */
    void mapAgain(long address, long bytes) {
        complain(NativeMemory.mapOver(address, descriptor, address - base, bytes), "map again", bytes);
    }

    /** @throws IOException if the system refuses; then no page is made */
    void allocatePages(long address, long bytes) throws IOException {
        check(NativeMemory.allocate(descriptor, address - base, bytes), "allocate", bytes);
    }

    void empty(long address, long bytes) {
        complain(NativeMemory.empty(descriptor, address - base, bytes), "empty", bytes);
    }

    /** After a failure memory is held until the arena is closed. */
    private void complain(int result, String call, long bytes) {
        if (result < 0) {
            Log.warn("arena: " + call + ": " + NativeMemory.message(-result) + ": length=" + bytes);
        }
    }

    /**
     * For an arena that this process does not use any more. Allocates nothing. Peers keep their mappings, which are
     * harmless, until they read its state.
     */
    void close() {
        header.intRelease(ArenaDescriptor.STATE_OFFSET, ArenaDescriptor.FREED);
        NativeMemory.release(base, lengthBytes);
        NativeMemory.close(descriptor);
    }
}
