package org.exsockets.verbs.soft.copy;

import java.nio.ByteBuffer;
import org.exsockets.memory.Words;
import org.exsockets.verbs.soft.layout.SegmentDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * How far a long write into the peer's region has come before it is announced.
 *
 * <p>The bytes of a write lie in the cache of the writer's core. A peer that waits would fetch all of them after the
 * announcement. Told part by part, it fetches the first bytes while the last ones are written. This is only a hint: no
 * byte is read for the program before it is announced, and a peer that does not look, or looks too late, loses only
 * time. Any value is harmless: one outside the own region, or longer than any write, is ignored.
 *
 * <p>The stream's writer calls {@link #tell}, a spinning thread {@link #bringNearer}. Two threads in the latter at the
 * same time may both fetch something, or neither.
 */
public final class ComingBytes {
    /** Shorter writes are announced so soon that telling of parts costs more than it saves. */
    static final int MIN_BYTES = 8 << 10;

    /** Longer ones are ignored: a stream makes none, and a peer must not keep a waiting thread busy. */
    static final int MAX_BYTES = 64 << 10;

    private static final int LEAST_PART = 2 << 10;
    private static final int PARTS = 8;
    private static final int LINE = 64;

    private final Words words;
    private final ByteBuffer segment;
    private final int own;
    private final int peers;
    private final int region;
    private final int regionBytes;

    /** The reserve that the peer writes to; null: not yet. The poller sets it, a spinning thread reads it. */
    private volatile @Nullable ByteBuffer reserve;

    private long seen;

    /** Keeps the compiler from dropping the loads. */
    private long sum;

    /** @param words of the segment */
    public ComingBytes(Words words, boolean isA, int slots, int regionBytes) {
        this.words = words;
        this.segment = words.memory();
        this.own = SegmentDescriptor.comingOffset(isA);
        this.peers = SegmentDescriptor.comingOffset(!isA);
        this.region = SegmentDescriptor.regionOffset(isA, slots, regionBytes);
        this.regionBytes = regionBytes;
    }

    /** {@return bytes between two calls of {@link #tell} for a write of at least {@link #MIN_BYTES}} */
    static int part(int length) {
        return Math.max(LEAST_PART, length / PARTS);
    }

    /** {@code done} bytes of the write into {@code memory} at {@code at} are there. This does not publish them. */
    public void tell(ByteBuffer memory, int at, int done) {
        words.longRelease(own, SegmentDescriptor.coming(memory != segment, at, done));
    }

    /** The peer writes to its reserve, which is a part of the segment. */
    public void follow(ByteBuffer reserveOfPeer) {
        reserve = reserveOfPeer;
    }

    /** Fetches what has come since the last look. {@return bytes fetched} */
    public int bringNearer() {
        long coming = words.longAcquire(peers);
        long before = seen;
        if (coming == before) {
            return 0;
        }
        seen = coming;
        if (!SegmentDescriptor.comesInReserve(coming)) {
            return fetch(segment, region, regionBytes, coming, before);
        }
        ByteBuffer from = reserve;
        return from == null ? 0 : fetch(from, 0, from.capacity(), coming, before);
    }

    private int fetch(ByteBuffer memory, int begin, int length, long coming, long before) {
        int at = SegmentDescriptor.comingFrom(coming);
        int done = SegmentDescriptor.comingBytes(coming);
        if (at < begin || done < 0 || done > Math.min(MAX_BYTES, begin + length - at)) {
            return 0;
        }
        int fetched = coming >>> Integer.SIZE == before >>> Integer.SIZE ? SegmentDescriptor.comingBytes(before) : 0;
        // An earlier value that was ignored has not been checked.
        int from = fetched > 0 && fetched < done ? at + fetched : at;
        int end = at + done;
        long loaded = 0;
        for (int i = from; i < end; i += LINE) {
            loaded += memory.get(i);
        }
        sum = loaded;
        return end - from;
    }
}
