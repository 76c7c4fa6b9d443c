package org.exsockets.verbs.soft.shared;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.exsockets.verbs.soft.host.SharedMemory;
import org.jspecify.annotations.Nullable;

/**
 * Memory of one kind that peers have passed and this process has mapped: each once, as long as it has users.
 * Thread-safe.
 *
 * @param <N> its names
 */
public final class PeerMappings<N, M extends PeerMappings.Mapping<N>> {
    private final int limit;

    @GuardedBy("this")
    private final Map<N, M> mapped = new HashMap<>();

    /** Memory of a peer, mapped. */
    public abstract static class Mapping<N> {
        protected final N name;
        protected final SharedMemory memory;

        /** Guarded by {@link PeerMappings}. */
        int users;

        protected Mapping(N name, SharedMemory memory) {
            this.name = name;
            this.memory = memory;
        }

        /** For the last user. */
        void unmap() {
            memory.unmap();
        }
    }

    /** @param limit how many are mapped at a time */
    public PeerMappings(int limit) {
        this.limit = limit;
    }

    /**
     * {@return {@code opened}, or what is mapped by its name already, with one more user, which must {@link #release}
     * it} What is not returned is unmapped.
     *
     * @throws IOException if too many are mapped
     */
    public M keep(M opened) throws IOException {
        M known;
        synchronized (this) {
            if (mapped.size() < limit) {
                mapped.putIfAbsent(opened.name, opened);
            }
            known = find(opened.name);
        }
        if (known != opened) {
            opened.unmap();
        }
        if (known == null) {
            throw new IOException("memory of peers: too much is mapped: limit=" + limit);
        }
        return known;
    }

    /** {@return what has this name, with one more user; null if it is not mapped} */
    synchronized @Nullable M find(N name) {
        M known = mapped.get(name);
        if (known != null) {
            retain(known);
        }
        return known;
    }

    public synchronized void retain(M known) {
        known.users++;
    }

    /** @param known null: none */
    public void release(@Nullable M known) {
        if (known == null) {
            return;
        }
        synchronized (this) {
            if (--known.users > 0) {
                return;
            }
            mapped.remove(known.name);
        }
        known.unmap();
    }

    public synchronized int size() {
        return mapped.size();
    }
}
