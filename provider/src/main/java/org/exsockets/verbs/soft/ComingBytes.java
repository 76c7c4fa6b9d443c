package org.exsockets.verbs.soft;

import java.nio.ByteBuffer;
import org.exsockets.memory.Words;

/**
 * How far the long write has come that a peer is just making into the region of a segment, and has not announced.
 *
 * <p>The bytes of a write lie in the cache of the writer's core. A peer that waits for them would fetch all of them when they
 * are announced; told of them part by part it fetches the first ones while the last ones are written. It is a hint: nothing
 * else follows from it, no byte is read for the program before it has been announced, and a peer that does not look, or looks
 * too late, loses only time. Any value is harmless: what does not lie in the own region is passed over.
 *
 * <p>{@link #tell} is for the stream's writer, {@link #bringNearer} for whoever spins. Two threads that do so at the same
 * time may both fetch something, or neither.
 */
final class ComingBytes {
    /** Shorter writes are announced so soon that telling of parts costs more than it saves. */
    static final int MIN_BYTES = 8 << 10;

    private static final int LEAST_PART = 2 << 10;
    private static final int PARTS = 8;
    private static final int LINE = 64;

    private final ByteBuffer segment;
    private final int own;
    private final int peers;
    private final int region;
    private final int regionEnd;

    /** What the peer told last. */
    private long seen;

    /** Keeps the loads from being left out. */
    private long sum;

    ComingBytes(ByteBuffer segment, boolean isA, int slots, int regionBytes) {
        this.segment = segment;
        this.own = SegmentDescriptor.comingOffset(isA);
        this.peers = SegmentDescriptor.comingOffset(!isA);
        this.region = SegmentDescriptor.regionOffset(isA, slots, regionBytes);
        this.regionEnd = region + regionBytes;
    }

    /** {@return bytes after which a write of at least {@link #MIN_BYTES} is to be told of again} */
    static int part(int length) {
        return Math.max(LEAST_PART, length / PARTS);
    }

    /** Of the write that begins at {@code at} of the segment {@code done} bytes are there; a later store publishes nothing. */
    void tell(int at, int done) {
        Words.longRelease(segment, own, SegmentDescriptor.coming(at, done));
    }

    /** Fetches what has come since the last look. {@return bytes fetched} */
    int bringNearer() {
        long coming = Words.longAcquire(segment, peers);
        long before = seen;
        return coming == before ? 0 : fetch(coming, before);
    }

    private int fetch(long coming, long before) {
        seen = coming;
        int at = SegmentDescriptor.comingFrom(coming);
        int done = SegmentDescriptor.comingBytes(coming);
        if (at < region || done < 0 || done > regionEnd - at) {
            return 0;
        }
        boolean goesOn = at == SegmentDescriptor.comingFrom(before) && done > SegmentDescriptor.comingBytes(before);
        int from = at + (goesOn ? SegmentDescriptor.comingBytes(before) : 0);
        int end = at + done;
        long loaded = 0;
        for (int i = from; i < end; i += LINE) {
            loaded += segment.get(i);
        }
        sum = loaded;
        return end - from;
    }
}
