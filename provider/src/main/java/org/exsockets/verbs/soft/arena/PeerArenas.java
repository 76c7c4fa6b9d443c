package org.exsockets.verbs.soft.arena;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** The arenas of peers that this process has mapped, each once, however many connections use it. Thread-safe. */
public final class PeerArenas {
    static final int MAX_MAPPED = 64;

    @GuardedBy("this")
    private final Map<MappedArena.Name, MappedArena> mapped = new HashMap<>();

    /**
     * Maps an arena for one more connection, which must {@link #release} it; the descriptor stays the caller's.
     *
     * @throws IOException if it cannot be mapped, is not an arena, or too many are mapped
     */
    MappedArena open(long process, int descriptor) throws IOException {
        MappedArena opened = MappedArena.open(process, descriptor);
        MappedArena known;
        synchronized (this) {
            known = mapped.get(opened.name());
            if (known == null && mapped.size() < MAX_MAPPED) {
                known = opened;
                mapped.put(known.name(), known);
            }
            if (known != null) {
                known.addUsers(1);
            }
        }
        if (known != opened) {
            opened.unmap();
        }
        if (known == null) {
            throw new IOException("arena of the peer: too many are mapped: limit=" + MAX_MAPPED);
        }
        return known;
    }

    void release(MappedArena arena) {
        synchronized (this) {
            if (arena.addUsers(-1) > 0) {
                return;
            }
            mapped.remove(arena.name());
        }
        arena.unmap();
    }

    synchronized int size() {
        return mapped.size();
    }
}
