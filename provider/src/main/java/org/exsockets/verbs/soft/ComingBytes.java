package org.exsockets.verbs.soft;

import java.nio.ByteBuffer;
import org.exsockets.memory.Words;

/**
 * How far the long write has come that a peer is just making into a region of this end, and has not announced.
 *
 * <p>The bytes of a write lie in the cache of the writer's core. A peer that waits for them would fetch all of them when they
 * are announced; told of them part by part it fetches the first ones while the last ones are written. It is a hint: nothing
 * else follows from it, no byte is read for the program before it has been announced, and a peer that does not look, or looks
 * too late, loses only time. Any value is harmless: what does not lie in the own region, or is longer than any write, is passed
 * over.
 *
 * <p>{@link #tell} is for the stream's writer, {@link #bringNearer} for whoever spins. Two threads that do so at the same
 * time may both fetch something, or neither.
 */
final class ComingBytes {
    /** Shorter writes are announced so soon that telling of parts costs more than it saves. */
    static final int MIN_BYTES = 8 << 10;

    /** Longer ones are passed over: a stream makes none, and a peer must not keep a waiting thread busy. */
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

    /** The reserve that the peer writes to; null: not yet. The poller sets it, whoever spins reads it. */
    private volatile ByteBuffer reserve;

    /** What the peer told last. */
    private long seen;

    /** Keeps the loads from being left out. */
    private long sum;

    ComingBytes(Segment segment, boolean isA) {
        this(segment.words(), isA, segment.slots(), segment.regionBytes());
    }

    ComingBytes(Words words, boolean isA, int slots, int regionBytes) {
        this.words = words;
        this.segment = words.memory();
        this.own = SegmentDescriptor.comingOffset(isA);
        this.peers = SegmentDescriptor.comingOffset(!isA);
        this.region = SegmentDescriptor.regionOffset(isA, slots, regionBytes);
        this.regionBytes = regionBytes;
    }

    /** {@return bytes after which a write of at least {@link #MIN_BYTES} is to be told of again} */
    static int part(int length) {
        return Math.max(LEAST_PART, length / PARTS);
    }

    /** Of the write into {@code memory} that begins at {@code at} there are {@code done} bytes. They are not published by it. */
    void tell(ByteBuffer memory, int at, int done) {
        words.longRelease(own, SegmentDescriptor.coming(memory != segment, at, done));
    }

    /** The peer writes to its reserve, which is a part of the segment. */
    void follow(ByteBuffer reserveOfPeer) {
        reserve = reserveOfPeer;
    }

    /** Fetches what has come since the last look. {@return bytes fetched} */
    int bringNearer() {
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
        // What the peer has said before was not checked, if it has been passed over.
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
