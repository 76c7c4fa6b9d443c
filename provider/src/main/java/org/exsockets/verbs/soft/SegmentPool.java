package org.exsockets.verbs.soft;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
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
    private static final long MAX_IDLE_BYTES = 32L << 20;

    private final SoftDirectory directory;

    /** Released by this end, mapped by the acceptor; most recent first. Guarded by the monitor. */
    private final ArrayDeque<Segment> idle = new ArrayDeque<>();

    private long idleBytes;

    /** Released by this end before it was accepted; oldest first. Guarded by the monitor. */
    private final ArrayDeque<Segment> unaccepted = new ArrayDeque<>();

    /** Segments whose names exist in the directory. Guarded by the monitor. */
    private final Set<Segment> named = new HashSet<>();

    SegmentPool(SoftDirectory directory) {
        this.directory = directory;
    }

    /**
     * {@return a segment ready for a connection}
     *
     * @throws IOException if a new one is needed and cannot be had, even after idle ones were given up
     */
    Segment acquire(EndpointParameters parameters) throws IOException {
        Segment segment = takeIdle(parameters);
        if (segment == null) {
            try {
                segment = create(parameters);
            } catch (IOException full) {
                dropAllIdle();
                segment = create(parameters);
            }
        }
        segment.reset();
        return segment;
    }

    private synchronized Segment takeIdle(EndpointParameters parameters) {
        unaccepted.removeIf(this::keepIfMapped);
        for (Iterator<Segment> candidates = idle.iterator(); candidates.hasNext(); ) {
            Segment segment = candidates.next();
            if (segment.isReleasedByB() && segment.fits(parameters.receiveDepth(), parameters.exposedBytes())) {
                candidates.remove();
                idleBytes -= segment.mapping().memory().capacity();
                return segment;
            }
        }
        return null;
    }

    private Segment create(EndpointParameters parameters) throws IOException {
        String name = directory.newSegmentName();
        int length = SegmentDescriptor.length(parameters.receiveDepth(), parameters.exposedBytes());
        try {
            SharedMapping mapping = SharedMapping.create(directory.segment(name), length);
            Segment segment = new Segment(name, mapping, parameters.receiveDepth(), parameters.exposedBytes());
            segment.format();
            synchronized (this) {
                named.add(segment);
            }
            return segment;
        } catch (IOException e) {
            directory.deleteSegment(name);
            throw e;
        }
    }

    /** Takes back a segment of which this end is the last user; the other end may still use it. */
    void release(Segment segment) {
        Segment surplus = null;
        synchronized (this) {
            if (segment.isMappedByB()) {
                addIdle(segment);
                if (idle.size() > MAX_IDLE || idleBytes > MAX_IDLE_BYTES) {
                    surplus = idle.removeLast();
                    idleBytes -= surplus.mapping().memory().capacity();
                }
            } else {
                unaccepted.add(segment);
                surplus = unaccepted.size() > MAX_UNACCEPTED ? unaccepted.poll() : null;
            }
        }
        if (surplus != null) {
            discard(surplus);
        }
    }

    private boolean keepIfMapped(Segment segment) {
        boolean mapped = segment.isMappedByB();
        if (mapped) {
            addIdle(segment);
        }
        return mapped;
    }

    private void addIdle(Segment segment) {
        idle.addFirst(segment);
        idleBytes += segment.mapping().memory().capacity();
    }

    /** Gives up a segment instead of keeping it. */
    void discard(Segment segment) {
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
        Segment segment = idle.poll();
        if (segment != null) {
            idleBytes -= segment.mapping().memory().capacity();
        }
        return segment;
    }

    /** The JVM ends: only names that an acceptor still needs are left. Connections keep their memory. */
    synchronized void removeNames() {
        for (Segment segment : named) {
            if (segment.isMappedByB()) {
                directory.deleteSegment(segment.name());
            }
        }
    }
}
