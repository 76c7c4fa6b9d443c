package org.exsockets.verbs.soft;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * The arenas of peers that this process has mapped, each once, however many connections write there. A few that no
 * connection uses stay mapped for the next one, as long as their owners live and have use for them. Thread-safe.
 */
final class ArenaMappings {
    static final int MAX_MAPPED = 64;
    static final int MAX_IDLE = 4;
    private static final long SWEEP_NS = 1_000_000_000L;

    private final SoftDirectory directory;

    /** Those used last come last. Guarded by the monitor. Names are never used twice for different files. */
    private final LinkedHashMap<Path, MappedArena> mapped = new LinkedHashMap<>();

    private long lastSweepNs = System.nanoTime();

    ArenaMappings(SoftDirectory directory) {
        this.directory = directory;
    }

    /**
     * Maps an arena for one more connection, which must {@link #release} it.
     *
     * @param names what the peer says of the names of its arenas
     * @throws IOException if there is no such arena, or too many are mapped
     */
    synchronized MappedArena acquire(String names, int key) throws IOException {
        if (!NativeMemory.available()) {
            throw new IOException("arena of the peer: no native library: " + NativeCopy.obstacle());
        }
        Path file = directory.arena(names, ArenaDescriptor.number(key));
        MappedArena known = mapped.get(file);
        if (known != null) {
            return known.addUsers(1);
        }
        sweep();
        if (mapped.size() >= MAX_MAPPED) {
            throw new IOException("arena of the peer: too many are mapped: limit=" + MAX_MAPPED);
        }
        MappedArena arena = MappedArena.open(key, file);
        mapped.put(file, arena);
        return arena.addUsers(1);
    }

    /** A connection does not write there any more. */
    synchronized void release(MappedArena arena) {
        arena.addUsers(-1);
        if (arena.users() > 0) {
            return;
        }
        mapped.remove(arena.file());
        if (isOver(arena)) {
            arena.unmap();
        } else {
            mapped.put(arena.file(), arena);
        }
        sweep();
    }

    /** {@return the arenas that are mapped} */
    synchronized int size() {
        return mapped.size();
    }

    private boolean isOver(MappedArena arena) {
        return arena.isFreed()
                || !directory.ownerLives(arena.file().getFileName().toString());
    }

    /** Unmaps what nobody uses and is over, or too much; looks at the owners at most once a second. */
    private void sweep() {
        boolean look = System.nanoTime() - lastSweepNs > SWEEP_NS;
        if (look) {
            lastSweepNs = System.nanoTime();
        }
        List<MappedArena> idle = new ArrayList<>(0);
        for (Iterator<MappedArena> all = mapped.values().iterator(); all.hasNext(); ) {
            MappedArena arena = all.next();
            if (arena.users() == 0 && (look ? isOver(arena) : arena.isFreed())) {
                all.remove();
                arena.unmap();
            } else if (arena.users() == 0) {
                idle.add(arena);
            }
        }
        for (int surplus = 0; surplus < idle.size() - MAX_IDLE; surplus++) {
            mapped.remove(idle.get(surplus).file());
            idle.get(surplus).unmap();
        }
    }
}
