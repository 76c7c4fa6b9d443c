package org.exsockets.rendezvous;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The first connections and listeners of a process are made over EXS only if the heap has a megabyte to spare: more
 * than the classes need that are initialised then. A class whose initialiser has run out of heap can never be used
 * again (JVMS 5.5). Thread-safe.
 */
class SpareHeap {
    static final int ROOM_BYTES = 1 << 20;

    /** Listening, connecting, accepting, reading and writing, with each kind of socket. */
    static final int FIRST_USES = 8;

    private final AtomicInteger left = new AtomicInteger(FIRST_USES);

    /** What was allocated last; written so that no compiler leaves the allocation out. */
    private volatile @Nullable Object room;

    /** {@return so many bytes} @throws OutOfMemoryError if there are none */
    Object allocate(int bytes) {
        return new byte[bytes];
    }

    /** {@return whether there is room for one more} */
    boolean hasRoom() {
        if (left.get() <= 0) {
            return true;
        }
        try {
            room = allocate(ROOM_BYTES);
            left.decrementAndGet();
            return true;
        } catch (OutOfMemoryError full) {
            return false;
        } finally {
            room = null;
        }
    }
}
