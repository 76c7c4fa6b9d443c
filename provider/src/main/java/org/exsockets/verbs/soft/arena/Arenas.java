package org.exsockets.verbs.soft.arena;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import org.exsockets.jdk.Cleaners;
import org.exsockets.jdk.Futex;
import org.exsockets.memory.DirectMemory;
import org.exsockets.verbs.ProgramAllocator;
import org.exsockets.verbs.soft.copy.NativeCopy;
import org.exsockets.verbs.soft.host.NativeMemory;
import org.exsockets.verbs.soft.layout.ArenaDescriptor;
import org.exsockets.verbs.soft.shared.SharedBudget;
import org.jspecify.annotations.Nullable;

/**
 * Memory for the program in arenas of this process: whole pages, zeroed, which exist from the first touch or, with
 * strict overcommit, from the start. Needs the native libraries. Thread-safe.
 *
 * <p>Arenas are made when needed. One without allocations is closed at once, unless it is the only one and not retired.
 * Freed memory goes back to the system at once.
 */
public class Arenas implements ProgramAllocator {
    /** Address space, not memory. Larger allocations get arenas of their own. */
    static final long USUAL_BYTES = 256L << 20;

    private static final Arena[] NONE = {};

    private final SharedBudget budget;

    /**
     * Guards the fields below, and those of {@link Arena} marked so. Held for bookkeeping, and to make an arena. A
     * monitor needs no memory, and buffers are freed when there is none.
     */
    private final Object lock = new Object();

    /** By address. Replaced as a whole under {@link #lock}, read without it. */
    private volatile Arena[] arenas = NONE;

    @GuardedBy("lock")
    private int nextNumber = 1;

    /** @param budget counts what the program allocates */
    public Arenas(SharedBudget budget) {
        this.budget = budget;
    }

    @Override
    public long allocateAddress(long lengthBytes) throws IOException {
        return make(lengthBytes).address;
    }

    @Override
    public ByteBuffer allocate(int lengthBytes) throws IOException {
        ArenaAllocation allocation = make(lengthBytes);
        ByteBuffer buffer = NativeMemory.buffer(allocation.address, lengthBytes);
        allocation.cleanable = Cleaners.register(buffer, () -> {
            DirectMemory.freeing(allocation.address, allocation.lengthBytes);
            freeAddress(allocation.address);
        });
        return buffer;
    }

    @Override
    public void free(ByteBuffer buffer) {
        ArenaAllocation allocation = find(Futex.address(buffer));
        if (allocation == null
                || allocation.cleanable == null
                || allocation.address != Futex.address(buffer)
                || allocation.lengthBytes != buffer.capacity()) {
            throw new IllegalArgumentException(
                    "free: not a buffer that was allocated here, or freed before: " + buffer);
        }
        allocation.cleanable.clean();
    }

    private ArenaAllocation make(long lengthBytes) throws IOException {
        if (!NativeCopy.available()) {
            throw new IOException("arena: the native library cannot be used: " + NativeCopy.obstacle());
        }
        int page = NativeMemory.pageBytes();
        if (lengthBytes < 1 || lengthBytes > ArenaDescriptor.MAX_LENGTH - 2L * page) {
            throw new IOException("arena: length out of range: length=" + lengthBytes + ", limit="
                    + (ArenaDescriptor.MAX_LENGTH - 2L * page));
        }
        if (!budget.hasRoomFor(lengthBytes)) {
            throw new IOException(
                    "arena: memory is scarce, or the limit reached: length=" + lengthBytes + ", " + budget);
        }
        ArenaAllocation made = reserve(lengthBytes, page);
        budget.add(lengthBytes);
        if (budget.isStrict()) {
            try {
                made.arena.allocatePages(made.address, made.pageBytes());
            } catch (IOException e) {
                freeAddress(made.address);
                throw e;
            }
        }
        return made;
    }

    private ArenaAllocation reserve(long lengthBytes, int page) throws IOException {
        synchronized (lock) {
            for (Arena arena : arenas) {
                ArenaAllocation made = arena.allocate(lengthBytes);
                if (made != null) {
                    return made;
                }
            }
            Arena arena = Arena.create(
                    nextNumber, Math.max(USUAL_BYTES, lengthBytes + 2L * page - 1 & -page), budget.isStrict());
            nextNumber = nextNumber + 1 & ArenaDescriptor.MAX_NUMBER;
            Arena[] more = Arrays.copyOf(arenas, arenas.length + 1);
            more[arenas.length] = arena;
            Arrays.sort(more, Comparator.comparingLong(each -> each.base));
            arenas = more;
            return Objects.requireNonNull(arena.allocate(lengthBytes));
        }
    }

    /**
     * Never throws: the JVM does not survive an exception where this is called. True even after a failure: only this
     * object may free an address of an arena. Needs no memory of the heap.
     */
    @Override
    public boolean freeAddress(long address) {
        ArenaAllocation allocation = find(address);
        if (allocation == null || allocation.address != address) {
            return false;
        }
        try {
            if (!allocation.free()) {
                return false;
            }
            give(allocation);
        } catch (RuntimeException | Error e) {
            return true; // An unused arena stays until the next buffer.
        }
        return true;
    }

    private void give(ArenaAllocation allocation) {
        budget.add(-allocation.lengthBytes);
        Arena arena = allocation.arena;
        boolean surplus;
        synchronized (lock) {
            surplus = arena.release(allocation) && (arena.retired || arenas.length > 1);
            if (surplus) {
                arenas = without(arena);
            }
        }
        if (surplus) {
            arena.close();
        }
    }

    /** No lambda: this often runs in the JVM's thread for references, which should not link anything. */
    private Arena[] without(Arena gone) {
        Arena[] less = new Arena[arenas.length - 1];
        int kept = 0;
        for (Arena each : arenas) {
            if (each != gone) {
                less[kept++] = each;
            }
        }
        return less;
    }

    /** {@return the allocation that a byte belongs to; null if it is no memory of an arena} Allocates nothing. */
    @Nullable
    ArenaAllocation find(long address) {
        Arena arena = arena(address);
        return arena == null ? null : arena.owner(address);
    }

    int count() {
        return arenas.length;
    }

    private @Nullable Arena arena(long address) {
        Arena[] all = arenas;
        int low = 0;
        int high = all.length - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            Arena arena = all[middle];
            if (arena.contains(address)) {
                return arena;
            }
            if (address < arena.base) {
                high = middle - 1;
            } else {
                low = middle + 1;
            }
        }
        return null;
    }
}
