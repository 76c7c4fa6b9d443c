package org.exsockets.verbs.soft.meet;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.net.InetSocketAddress;
import java.util.Iterator;
import java.util.LinkedHashMap;
import org.exsockets.verbs.soft.shared.ListenerPage;
import org.exsockets.verbs.soft.shared.PeerMappings;
import org.exsockets.verbs.soft.shared.PeerProcess;
import org.jspecify.annotations.Nullable;

/**
 * The listeners this process has connected to lately, by destination: which name answers there, and what their
 * processes tell of them. Thread-safe.
 *
 * <p>A destination leads to the same listener while its page says that it listens ({@link ListenerPage#isListening})
 * and its process lives: TCP gives the port to no other process meanwhile.
 */
final class KnownListeners {
    /**
     * Several may lead to one listener on a wildcard address. The memory of a listener's process stays mapped, even
     * after that has ended.
     */
    static final int MAX_ENTRIES = 64;

    /**
     * A listener.
     *
     * @param version of the upper protocol, from its name
     * @param process its own, which this process sees; after {@link #find} to be given back with {@link #release}
     */
    record Listener(byte[] name, int version, PeerProcess process, ListenerPage page) {
        /** {@return whether it is still there, if a process of this id has answered at its name} */
        boolean is(int processId) {
            return process.is(processId) && !process.hasEnded();
        }
    }

    private final PeerMappings<PeerProcess.Name, PeerProcess> processes;

    /** Least recently used first. */
    @GuardedBy("this")
    private final LinkedHashMap<InetSocketAddress, Listener> listeners = new LinkedHashMap<>(16, 0.75f, true);

    KnownListeners(PeerMappings<PeerProcess.Name, PeerProcess> processes) {
        this.processes = processes;
    }

    /**
     * {@return the listener that this destination leads to, to be given back with {@link #release}; null if unknown}
     */
    @Nullable
    Listener find(InetSocketAddress destination) {
        Listener gone;
        synchronized (this) {
            Listener known = listeners.get(destination);
            if (known == null) {
                return null;
            }
            if (known.page.isListening()) {
                processes.retain(known.process);
                return known;
            }
            gone = listeners.remove(destination);
        }
        release(gone);
        return null;
    }

    /** @param listener null: none */
    void release(@Nullable Listener listener) {
        if (listener != null) {
            processes.release(listener.process);
        }
    }

    /** Removes a listener: it does not answer although it says that it listens, or another one answers. */
    void forget(InetSocketAddress destination, Listener listener) {
        boolean removed;
        synchronized (this) {
            removed = listeners.remove(destination, listener);
        }
        if (removed) {
            release(listener);
        }
    }

    synchronized boolean isKnown(InetSocketAddress destination) {
        return listeners.containsKey(destination);
    }

    /** Stores where {@code destination} leads. The listener's process has other users, too. */
    void remember(InetSocketAddress destination, Listener listener) {
        Listener former;
        Listener surplus = null;
        synchronized (this) {
            processes.retain(listener.process);
            former = listeners.put(destination, listener);
            if (listeners.size() > MAX_ENTRIES) {
                Iterator<Listener> oldest = listeners.values().iterator();
                surplus = oldest.next();
                oldest.remove();
            }
        }
        release(former);
        release(surplus);
    }
}
