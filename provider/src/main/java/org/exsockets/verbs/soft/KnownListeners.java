package org.exsockets.verbs.soft;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.exsockets.observe.Log;

/**
 * The listeners this process has connected to lately: their credentials have been checked (the JDK looks up names for
 * that, which takes longer than connecting), and it is known where to knock. By socket, whose name is never used twice.
 *
 * <p>A destination leads to the same listener for as long as that one says that it listens ({@link
 * Knocker#isListening}): TCP lets nobody else have the port meanwhile. So the directory is not asked again.
 * Thread-safe.
 */
final class KnownListeners {
    private static final int MAX_ENTRIES = 64;

    /** Most destinations; a listener on a wildcard address is reached through several. */
    private static final int MAX_DESTINATIONS = 256;

    /**
     * A listener.
     *
     * @param version the version of the upper protocol it was found by
     */
    record Listener(UnixDomainSocketAddress socket, int version) {}

    private record Known(Knocker knocker) {
        boolean isListening() {
            return knocker != null && knocker.isListening();
        }

        void close() {
            if (knocker != null) {
                knocker.close();
            }
        }
    }

    private final SoftDirectory directory;

    /** Used longest ago first. Guarded by the monitor. */
    private final LinkedHashMap<UnixDomainSocketAddress, Known> listeners = new LinkedHashMap<>(16, 0.75f, true);

    /** Where destinations lead: to listeners above. Guarded by the monitor. */
    private final Map<InetSocketAddress, Listener> destinations = new HashMap<>();

    KnownListeners(SoftDirectory directory) {
        this.directory = directory;
    }

    /** {@return the listener that this destination leads to, or null if the directory is to be asked} */
    synchronized Listener find(InetSocketAddress destination) {
        Listener listener = destinations.get(destination);
        if (listener == null) {
            return null;
        }
        Known known = listeners.get(listener.socket);
        if (known != null && known.isListening()) {
            return listener;
        }
        destinations.remove(destination);
        return null;
    }

    /** A listener does not answer although it says that it listens. */
    synchronized void forget(InetSocketAddress destination) {
        destinations.remove(destination);
    }

    /** Where {@code destination} leads to, from the directory; its credentials have been checked. */
    synchronized void remember(InetSocketAddress destination, Listener listener) {
        if (destinations.size() >= MAX_DESTINATIONS) {
            destinations.clear();
        }
        destinations.put(destination, listener);
    }

    /** {@return the page of a listener that has been checked; null if it was not, or has none} */
    synchronized Knocker page(UnixDomainSocketAddress socket) {
        Known known = listeners.get(socket);
        return known == null ? null : known.knocker;
    }

    /**
     * Checks who listens, the first time.
     *
     * @return as {@link #page}
     * @throws IOException if it is another user
     */
    Knocker check(UnixDomainSocketAddress socket, SocketChannel connected) throws IOException {
        synchronized (this) {
            if (listeners.containsKey(socket)) {
                return page(socket);
            }
        }
        Credentials.check(connected, directory.owner());
        add(socket, new Known(openKnocker(socket.getPath())));
        return page(socket);
    }

    /** {@return null if the listener has none} */
    private Knocker openKnocker(Path socket) {
        try {
            return Knocker.open(directory.knocker(socket));
        } catch (IOException none) {
            Log.debug("connect over soft: no knocker: " + none);
            return null;
        }
    }

    private synchronized void add(UnixDomainSocketAddress socket, Known known) {
        if (listeners.putIfAbsent(socket, known) != null) {
            // Another thread was faster.
            known.close();
        }
        for (Iterator<Known> oldest = listeners.values().iterator(); listeners.size() > MAX_ENTRIES; ) {
            oldest.next().close();
            oldest.remove();
        }
    }
}
