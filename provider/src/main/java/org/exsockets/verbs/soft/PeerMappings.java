package org.exsockets.verbs.soft;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * Files of peers that this process has mapped, each once, however many connections use it. A few that no connection uses stay
 * mapped for the next one, as long as their owners live and have use for them. Thread-safe.
 */
final class PeerMappings<M extends PeerMapping> {
    static final int MAX_IDLE = 4;
    private static final long SWEEP_NS = 1_000_000_000L;

    /** Maps a file that a peer has named. */
    @FunctionalInterface
    interface Mapper<M> {
        M map() throws IOException;
    }

    private final SoftDirectory directory;
    private final int maxMapped;

    /** Those used last come last. Guarded by the monitor. Names are never used twice for different files. */
    private final LinkedHashMap<Path, M> mapped = new LinkedHashMap<>();

    private long lastSweepNs = System.nanoTime();

    PeerMappings(SoftDirectory directory, int maxMapped) {
        this.directory = directory;
        this.maxMapped = maxMapped;
    }

    SoftDirectory directory() {
        return directory;
    }

    /**
     * Maps a file for one more connection, which must {@link #release} it.
     *
     * @throws IOException if it cannot be mapped, or too many are
     */
    synchronized M acquire(Path file, Mapper<M> mapper) throws IOException {
        M known = mapped.get(file);
        if (known == null) {
            sweep();
            if (mapped.size() >= maxMapped) {
                throw new IOException("memory of the peer: too many files are mapped: limit=" + maxMapped);
            }
            known = mapper.map();
            mapped.put(file, known);
        }
        known.addUsers(1);
        return known;
    }

    /** A connection does not use it any more. */
    synchronized void release(M mapping) {
        mapping.addUsers(-1);
        if (mapping.users() > 0) {
            return;
        }
        mapped.remove(mapping.file());
        if (isOver(mapping)) {
            mapping.unmap();
        } else {
            mapped.put(mapping.file(), mapping);
        }
        sweep();
    }

    /** {@return the files that are mapped} */
    synchronized int size() {
        return mapped.size();
    }

    private boolean isOver(M mapping) {
        return mapping.isFreed()
                || !directory.ownerLives(mapping.file().getFileName().toString());
    }

    /** Unmaps what nobody uses and is over, or too much; looks at the owners at most once a second. */
    private void sweep() {
        boolean look = System.nanoTime() - lastSweepNs > SWEEP_NS;
        if (look) {
            lastSweepNs = System.nanoTime();
        }
        List<M> idle = new ArrayList<>(0);
        for (Iterator<M> all = mapped.values().iterator(); all.hasNext(); ) {
            M mapping = all.next();
            if (mapping.users() == 0 && (look ? isOver(mapping) : mapping.isFreed())) {
                all.remove();
                mapping.unmap();
            } else if (mapping.users() == 0) {
                idle.add(mapping);
            }
        }
        for (int surplus = 0; surplus < idle.size() - MAX_IDLE; surplus++) {
            mapped.remove(idle.get(surplus).file());
            idle.get(surplus).unmap();
        }
    }
}
