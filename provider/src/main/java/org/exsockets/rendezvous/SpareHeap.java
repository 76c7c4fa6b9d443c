package org.exsockets.rendezvous;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/**
 * The first connections and listeners of a process are made over EXS only if the heap has a megabyte to spare: more
 * than the classes need that are initialised then. A class whose initialiser has run out of heap can never be used
 * again (JVMS 5.5). Thread-safe.
 */
final class SpareHeap {
    static final int ROOM_BYTES = 1 << 20;

    /** Listening, connecting, accepting, reading and writing, with each kind of socket. */
    static final int FIRST_USES = 8;

    private final IntFunction<Object> allocator;
    private final AtomicInteger left = new AtomicInteger(FIRST_USES);

    /** What was allocated last; written so that no compiler leaves the allocation out. */
    private volatile Object room;

    SpareHeap() {
        this(new IntFunction<>() {
            @Override
            public Object apply(int bytes) {
                return new byte[bytes];
            }
        });
    }

    /** @param allocator allocates so many bytes, or throws {@link OutOfMemoryError} */
    SpareHeap(IntFunction<Object> allocator) {
        this.allocator = allocator;
    }

    /** {@return whether there is room for one more} */
    boolean hasRoom() {
        if (left.get() <= 0) {
            return true;
        }
        try {
            room = allocator.apply(ROOM_BYTES);
            left.decrementAndGet();
            return true;
        } catch (OutOfMemoryError full) {
            return false;
        } finally {
            room = null;
        }
    }
}
