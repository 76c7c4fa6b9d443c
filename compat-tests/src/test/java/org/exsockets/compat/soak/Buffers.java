package org.exsockets.compat.soak;

import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;

/**
 * Buffers of all sizes, on the heap and direct, that go from one connection to the next: what would still reach for one
 * after the end of its connection would show as wrong bytes of another. Thread-safe.
 */
final class Buffers {
    private static final int LEAST_BYTES = 64;
    private static final int MOST_BYTES = 1 << 20;
    private static final ConcurrentMap<String, Queue<ByteBuffer>> FREE = new ConcurrentHashMap<>();

    private Buffers() {}

    /** Takes a buffer of a random kind and size. */
    static ByteBuffer any(Random random) {
        return random.nextBoolean() ? onHeap(random) : take(length(random), true);
    }

    /** Takes a buffer that has an array. */
    static ByteBuffer onHeap(Random random) {
        return take(length(random), false);
    }

    private static int length(Random random) {
        return Integer.highestOneBit(Plan.scaled(random, LEAST_BYTES, MOST_BYTES));
    }

    private static ByteBuffer take(int lengthBytes, boolean direct) {
        ByteBuffer free = free(lengthBytes, direct).poll();
        if (free != null) {
            return free;
        }
        return direct ? ByteBuffer.allocateDirect(lengthBytes) : ByteBuffer.allocate(lengthBytes);
    }

    private static Queue<ByteBuffer> free(int lengthBytes, boolean direct) {
        return FREE.computeIfAbsent(lengthBytes + " " + direct, any -> new ConcurrentLinkedQueue<>());
    }

    /** Gives a buffer back that nobody uses any more. */
    static void give(ByteBuffer buffer) {
        free(buffer.capacity(), buffer.isDirect()).add(buffer);
    }

    /** Lets go of all that is free. */
    static void clear() {
        FREE.clear();
    }
}
