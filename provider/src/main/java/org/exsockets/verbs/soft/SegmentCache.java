package org.exsockets.verbs.soft;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.exsockets.memory.SharedMapping;

/**
 * The segments of other processes that this one has mapped as accepting end and that no connection uses now, by name: a
 * client that comes back with the same segment finds it mapped. Names are never used twice for different files.
 *
 * <p>Mappings of clients that have ended are dropped when another segment is released, at most once a second. Thread-safe.
 */
class SegmentCache {
    private static final int MAX_ENTRIES = 32;
    private static final long MAX_BYTES = 32L << 20;
    private static final long SWEEP_NS = 1_000_000_000L;

    private final SoftDirectory directory;
    private final ProgramArenas arenas;
    private final ProgramSigns signs;

    /** Oldest first. Guarded by the monitor. */
    private final LinkedHashMap<String, Segment.Idle> idle = new LinkedHashMap<>();

    private long idleBytes;
    private long lastSweepNs = System.nanoTime();

    SegmentCache(SoftDirectory directory, ProgramArenas arenas, ProgramSigns signs) {
        this.directory = directory;
        this.arenas = arenas;
        this.signs = signs;
    }

    /** {@return the segment a client has named, if it was mapped before; null if it was not, or differently} */
    synchronized Segment acquire(String name, int slots, int regionBytes, int reserveBytes) {
        Segment.Idle known = idle.remove(name);
        if (known == null) {
            return null;
        }
        idleBytes -= known.bytes();
        if (known.segment().fits(slots, regionBytes, reserveBytes)) {
            return known.segment();
        }
        known.segment().mapping().unmap();
        return null;
    }

    /**
     * Maps a segment for the first time.
     *
     * @throws NoResourcesException if it cannot be opened or mapped now
     * @throws IOException if there is no such segment or it is not of this geometry
     */
    Segment map(String name, int slots, int regionBytes, int reserveBytes) throws IOException {
        Path file = directory.segment(name);
        try {
            SharedMapping mapping =
                    SharedMapping.open(file, SegmentDescriptor.length(slots, regionBytes, reserveBytes));
            return new Segment(name, mapping, slots, regionBytes, reserveBytes);
        } catch (IOException e) {
            throw NoResourcesException.of(e, file);
        }
    }

    SoftDirectory directory() {
        return directory;
    }

    ProgramArenas arenas() {
        return arenas;
    }

    ProgramSigns signs() {
        return signs;
    }

    /** Takes back a segment of which this end is the last user, and tells the client so. */
    void release(Segment segment) {
        List<Segment> surplus = new ArrayList<>(0);
        synchronized (this) {
            // From here on the client may name the segment again, and then finds it below.
            if (segment.markReleasedByB()) {
                keep(segment, surplus);
            } else {
                surplus.add(segment);
            }
            if (System.nanoTime() - lastSweepNs > SWEEP_NS) {
                lastSweepNs = System.nanoTime();
                sweep(surplus);
            }
            for (Iterator<Segment.Idle> oldest = idle.values().iterator();
                    idle.size() > MAX_ENTRIES || idleBytes > MAX_BYTES && idle.size() > 1; ) {
                drop(oldest.next(), surplus);
                oldest.remove();
            }
        }
        for (Segment dropped : surplus) {
            dropped.mapping().unmap();
        }
    }

    private void keep(Segment segment, List<Segment> surplus) {
        Segment.Idle kept = Segment.Idle.of(segment);
        Segment.Idle twice = idle.put(segment.name(), kept);
        idleBytes += kept.bytes();
        if (twice != null) {
            // A client has named a segment that was in use, so that it was mapped once more.
            drop(twice, surplus);
        }
    }

    private void drop(Segment.Idle dropped, List<Segment> surplus) {
        idleBytes -= dropped.bytes();
        surplus.add(dropped.segment());
    }

    private void sweep(List<Segment> surplus) {
        Map<String, Boolean> alive = new HashMap<>();
        for (Iterator<Segment.Idle> segments = idle.values().iterator(); segments.hasNext(); ) {
            Segment.Idle candidate = segments.next();
            Segment segment = candidate.segment();
            String owner = segment.name().substring(0, segment.name().lastIndexOf('-'));
            if (!alive.computeIfAbsent(owner, any -> directory.ownerLives(segment.name()))) {
                segments.remove();
                directory.deleteSegment(segment.name());
                drop(candidate, surplus);
            }
        }
    }
}
