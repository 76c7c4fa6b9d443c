package org.exsockets.verbs.soft;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.net.InetSocketAddress;
import java.util.Iterator;
import java.util.LinkedHashMap;

/**
 * The listeners this process has connected to lately, by destination: which name answers there, and what their processes tell of them. Thread-safe.
 *
 * <p>A destination leads to the same listener for as long as that one says that it listens ({@link ListenerPage#isListening}) and its process
 * lives: TCP lets nobody else have the port meanwhile.
 */
final class KnownListeners {
    /** Several may lead to one listener on a wildcard address. What the processes of listeners tell stays mapped, also when they have ended. */
    static final int MAX_ENTRIES = 64;

    /**
     * A listener.
     *
     * @param version of the upper protocol, which its name tells
     * @param processId as this process sees it, ≠ 0
     * @param process what that tells of itself; whoever has got this from {@link #find} gives it back with {@link #release}
     */
    record Listener(byte[] name, int version, int processId, PeerProcess process, ListenerPage page) {}

    private final PeerProcesses processes;

    /** Used longest ago first. */
    @GuardedBy("this")
    private final LinkedHashMap<InetSocketAddress, Listener> listeners = new LinkedHashMap<>(16, 0.75f, true);

    KnownListeners(PeerProcesses processes) {
        this.processes = processes;
    }

    /** {@return the listener that this destination leads to, which {@link #release} gives back; null if it is not known} */
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

    void release(Listener listener) {
        processes.release(listener.process);
    }

    /** A listener does not answer although it says that it listens, or another one does. */
    void forget(InetSocketAddress destination, Listener listener) {
        boolean removed;
        synchronized (this) {
            removed = listeners.remove(destination, listener);
        }
        if (removed) {
            release(listener);
        }
    }

    /** {@return whether it is known where {@code destination} leads to} */
    synchronized boolean isKnown(InetSocketAddress destination) {
        return listeners.containsKey(destination);
    }

    /** Where {@code destination} leads to. {@code listener}'s process has other users, too. */
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
        if (former != null) {
            release(former);
        }
        if (surplus != null) {
            release(surplus);
        }
    }
}
