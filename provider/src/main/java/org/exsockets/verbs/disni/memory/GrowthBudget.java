package org.exsockets.verbs.disni.memory;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds what hidden buffers that have grown lock in all connections of the process together: peers make them grow, and
 * memory that they lock is missing for new connections. Thread-safe.
 */
public final class GrowthBudget {
    /** Divisor of RLIMIT_MEMLOCK: the rest is for new connections, and for registered memory of the program. */
    private static final int SHARE_OF_LIMIT = 8;

    /** Divisor of the machine's memory, where there is no such limit. */
    private static final int SHARE_OF_MEMORY = 8;

    /** Divisor of what is left: no buffer takes more of it while a shorter one will do. */
    private static final int SHARE_OF_REST = 4;

    private final AtomicLong left;

    GrowthBudget(long bytes) {
        left = new AtomicLong(bytes);
    }

    /** @param root of the file system: the real one, except in tests */
    public GrowthBudget(Path root) {
        this(bytes(root));
    }

    /** {@return the bound, in bytes} */
    public static long bytes(Path root) {
        return Math.min(
                LockedMemory.limitBytes(root) / SHARE_OF_LIMIT, LockedMemory.physicalBytes(root) / SHARE_OF_MEMORY);
    }

    /**
     * {@return how many bytes a buffer may have, which are then counted: a power of two within the bounds; 0: none}
     *
     * @param fewestBytes a power of two
     * @param mostBytes a power of two, ≥ {@code fewestBytes}
     */
    int take(int fewestBytes, int mostBytes) {
        long now;
        int bytes;
        do {
            now = left.get();
            bytes = mostBytes;
            while (bytes > fewestBytes && bytes > now / SHARE_OF_REST) {
                bytes >>= 1;
            }
            if (bytes > now) {
                return 0;
            }
        } while (!left.compareAndSet(now, now - bytes));
        return bytes;
    }

    void giveBack(int bytes) {
        left.addAndGet(bytes);
    }
}
