package org.exsockets.verbs.soft;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.Set;
import java.util.SplittableRandom;
import org.exsockets.memory.SharedMapping;
import org.exsockets.verbs.EndpointParameters;

/**
 * The segments a process has created as connecting end. Allocating one costs far more than a TCP connection, so a
 * segment that both ends have let go of is used for the next connection, to whatever listener.
 *
 * <p>A segment keeps its name, so that an acceptor that has not mapped it yet can; the names go when the pool drops the
 * segment or the JVM ends, and the names of a process that was killed when another one looks
 * ({@link SoftDirectory#removeLeftovers}). A connection that was closed before it was accepted keeps segment and name:
 * the acceptor is still to read what was sent, as it would over TCP. Thread-safe.
 */
final class SegmentPool {
    private static final int MAX_IDLE = 16;
    private static final int MAX_UNACCEPTED = 256;

    /** Waiting connections looked at when another one begins or ends: more than can be added meanwhile. */
    private static final int LOOKS = 4;

    private static final long MAX_IDLE_BYTES = 32L << 20;

    private final SoftDirectory directory;

    /** Guarded by the monitor. */
    private final SplittableRandom proofs;

    /** Released by this end, mapped by the acceptor; most recent first. Guarded by the monitor. */
    private final ArrayDeque<Segment.Idle> idle = new ArrayDeque<>();

    private long idleBytes;

    /** Released by this end before it was accepted; those looked at longest ago first. Guarded by the monitor. */
    private final ArrayDeque<Unaccepted> unaccepted = new ArrayDeque<>();

    /** Segments whose names exist in the directory. Guarded by the monitor. */
    private final Set<Segment> named = Collections.newSetFromMap(new IdentityHashMap<>());

    /** The doorbell tells whether there is still somebody to accept. */
    private record Unaccepted(Segment segment, Doorbell doorbell) {}

    /** @throws IOException if there are no random numbers */
    SegmentPool(SoftDirectory directory) throws IOException {
        this.directory = directory;
        // SecureRandom would load a security provider for these eight bytes.
        try (InputStream random = new FileInputStream("/dev/urandom")) {
            this.proofs = new SplittableRandom(
                    ByteBuffer.wrap(random.readNBytes(Long.BYTES)).getLong());
        }
    }

    /**
     * {@return a segment ready for a connection}
     *
     * @throws IOException if a new one is needed and cannot be had, even after idle ones were given up
     */
    Segment acquire(EndpointParameters parameters) throws IOException {
        lookAtUnaccepted();
        for (Segment segment; (segment = takeIdle(parameters)) != null; ) {
            try {
                segment.reset(nextProof());
                return segment;
            } catch (InternalError truncated) {
                discard(segment);
            }
        }
        Segment segment = createOrMakeRoom(parameters);
        segment.reset(nextProof());
        return segment;
    }

    private Segment createOrMakeRoom(EndpointParameters parameters) throws IOException {
        try {
            return create(parameters);
        } catch (IOException full) {
            dropAllIdle();
            return create(parameters);
        }
    }

    private synchronized long nextProof() {
        return proofs.nextLong();
    }

    private synchronized Segment takeIdle(EndpointParameters parameters) {
        for (Iterator<Segment.Idle> candidates = idle.iterator(); candidates.hasNext(); ) {
            Segment.Idle candidate = candidates.next();
            Segment segment = candidate.segment();
            if (segment.isReleasedByB()
                    && segment.fits(parameters.receiveDepth(), parameters.exposedBytes(), reserveBytes(parameters))) {
                candidates.remove();
                idleBytes -= candidate.bytes();
                return segment;
            }
        }
        return null;
    }

    private Segment create(EndpointParameters parameters) throws IOException {
        String name = directory.newSegmentName();
        int slots = parameters.receiveDepth();
        int region = parameters.exposedBytes();
        int reserve = reserveBytes(parameters);
        try {
            SharedMapping mapping = SharedMapping.create(
                    directory.segment(name),
                    SegmentDescriptor.length(slots, region),
                    SegmentDescriptor.length(slots, region, reserve));
            Segment segment = new Segment(name, mapping, slots, region, reserve);
            segment.format();
            synchronized (this) {
                named.add(segment);
            }
            return segment;
        } catch (IOException | OutOfMemoryError e) {
            directory.deleteSegment(name);
            throw e;
        }
    }

    private static int reserveBytes(EndpointParameters parameters) {
        return parameters.maxExposedBytes() > parameters.exposedBytes() ? parameters.maxExposedBytes() : 0;
    }

    /** Takes back a segment of which this end is the last user; the other end may still use it. */
    void release(Segment segment, Doorbell doorbell) {
        if (segment.isMappedByB()) {
            doorbell.close();
            discard(addIdleAndTrim(segment));
            return;
        }
        Unaccepted surplus;
        synchronized (this) {
            unaccepted.add(new Unaccepted(segment, doorbell));
            surplus = unaccepted.size() > MAX_UNACCEPTED ? unaccepted.poll() : null;
        }
        if (surplus != null) {
            surplus.doorbell.close();
            discard(surplus.segment);
        }
        lookAtUnaccepted();
    }

    /** Looks at a few of the connections that were waiting to be accepted. */
    private void lookAtUnaccepted() {
        for (int i = 0; i < LOOKS; i++) {
            Unaccepted next;
            synchronized (this) {
                next = unaccepted.poll();
            }
            if (next == null) {
                return;
            }
            if (next.segment.isMappedByB()) {
                next.doorbell.close();
                discard(addIdleAndTrim(next.segment));
            } else if (next.doorbell.isAbandoned()) {
                next.doorbell.close();
                discard(next.segment);
            } else {
                synchronized (this) {
                    unaccepted.add(next);
                }
            }
        }
    }

    /** {@return a segment that is too much, or null} */
    private synchronized Segment addIdleAndTrim(Segment segment) {
        Segment.Idle added = Segment.Idle.of(segment);
        idle.addFirst(added);
        idleBytes += added.bytes();
        if (idle.size() <= MAX_IDLE && idleBytes <= MAX_IDLE_BYTES) {
            return null;
        }
        Segment.Idle surplus = idle.removeLast();
        idleBytes -= surplus.bytes();
        return surplus.segment();
    }

    /** Gives up a segment instead of keeping it; null: nothing to do. */
    void discard(Segment segment) {
        if (segment == null) {
            return;
        }
        synchronized (this) {
            named.remove(segment);
        }
        directory.deleteSegment(segment.name());
        segment.mapping().unmap();
    }

    private void dropAllIdle() {
        Segment segment;
        while ((segment = pollIdle()) != null) {
            discard(segment);
        }
    }

    private synchronized Segment pollIdle() {
        Segment.Idle polled = idle.poll();
        if (polled == null) {
            return null;
        }
        idleBytes -= polled.bytes();
        return polled.segment();
    }

    /** The JVM ends: only names that an acceptor still needs are left. Connections keep their memory. */
    synchronized void removeNames() {
        for (Segment segment : named) {
            if (segment.isMappedByB()) {
                directory.deleteSegment(segment.name());
            }
        }
        for (Unaccepted waiting : unaccepted) {
            if (waiting.doorbell.isAbandoned()) {
                directory.deleteSegment(waiting.segment.name());
            }
        }
    }
}
