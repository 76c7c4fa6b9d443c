package org.exsockets.verbs.soft.ring;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.exsockets.verbs.QueuePair;
import org.jspecify.annotations.Nullable;

/**
 * The receives of one end in the order in which messages consume them. While all that were ever posted are alike, as
 * those of upper layers that know {@link QueuePair#placesWhenPolled}, one entry stands for all; else each has its own.
 * For the thread that polls and posts receives.
 */
final class ReceiveRing {
    private final int capacity;
    private final int mask;

    /** Of the first receive, and of all while {@link #places} is null. */
    private long id;

    @SuppressWarnings("NullAway.Init") // By the first receive; not read once there are places.
    private ByteBuffer target;

    private int offset;
    private int lengthBytes;

    /** Null while all are alike. */
    private @Nullable Places places;

    /** By number, modulo the capacity. */
    private static final class Places {
        final long[] ids;
        final @Nullable ByteBuffer[] targets;
        final int[] offsets;
        final int[] lengths;

        Places(int capacity) {
            ids = new long[capacity];
            targets = new ByteBuffer[capacity];
            offsets = new int[capacity];
            lengths = new int[capacity];
        }
    }

    /** @param capacity a power of two */
    ReceiveRing(int capacity) {
        this.capacity = capacity;
        this.mask = capacity - 1;
    }

    /** Adds the receive of this number, counted from 0. There is room for it. */
    void put(long number, long wrId, ByteBuffer memory, int at, int length) {
        Places all = places;
        if (all == null) {
            if (number == 0) {
                id = wrId;
                target = memory;
                offset = at;
                lengthBytes = length;
                return;
            }
            if (memory == target && wrId == id && at == offset && length == lengthBytes) {
                return;
            }
            all = spread();
        }
        int index = (int) number & mask;
        all.ids[index] = wrId;
        all.targets[index] = memory;
        all.offsets[index] = at;
        all.lengths[index] = length;
    }

    /** As {@link #put}, for {@code count} of them in a row, which are alike. */
    void putAll(long number, int count, long wrId, ByteBuffer memory, int at, int length) {
        for (int i = 0; i < count; i++) {
            put(number + i, wrId, memory, at, length);
            if (places == null) {
                return; // One stands for all.
            }
        }
    }

    @SuppressWarnings("NullAway") // The target is not read any more.
    private Places spread() {
        Places all = new Places(capacity);
        Arrays.fill(all.ids, id);
        Arrays.fill(all.targets, target);
        Arrays.fill(all.offsets, offset);
        Arrays.fill(all.lengths, lengthBytes);
        places = all;
        target = null;
        return all;
    }

    long id(long number) {
        return places == null ? id : places.ids[(int) number & mask];
    }

    int lengthBytes(long number) {
        return places == null ? lengthBytes : places.lengths[(int) number & mask];
    }

    /** Copies a message into the receive of this number. */
    void place(long number, ByteBuffer source, int at, int length) {
        if (places == null) {
            target.put(offset, source, at, length);
        } else {
            int index = (int) number & mask;
            places.targets[index].put(places.offsets[index], source, at, length);
        }
    }

    /** The receive of this number is done: its memory is the upper layer's again. */
    void release(long number) {
        if (places != null) {
            places.targets[(int) number & mask] = null;
        }
    }
}
