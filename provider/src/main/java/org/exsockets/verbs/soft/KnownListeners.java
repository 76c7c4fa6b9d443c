package org.exsockets.verbs.soft;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Optional;
import org.exsockets.observe.Log;

/**
 * The listeners this process has connected to lately: their credentials have been checked (the JDK looks up names for
 * that, which takes longer than connecting), and it is known where to knock. By socket, whose name is never used twice.
 * Thread-safe.
 */
final class KnownListeners {
    private static final int MAX_ENTRIES = 64;

    private final SoftDirectory directory;

    /** Used longest ago first. Empty where a listener has no knocker. Guarded by the monitor. */
    private final LinkedHashMap<Path, Optional<Knocker>> listeners = new LinkedHashMap<>(16, 0.75f, true);

    KnownListeners(SoftDirectory directory) {
        this.directory = directory;
    }

    /**
     * Checks who listens, the first time.
     *
     * @throws IOException if it is another user
     */
    void check(Path socket, SocketChannel connected) throws IOException {
        synchronized (this) {
            if (listeners.containsKey(socket)) {
                return;
            }
        }
        Credentials.check(connected, directory.owner());
        add(socket, openKnocker(socket));
    }

    private Optional<Knocker> openKnocker(Path socket) {
        try {
            return Optional.of(Knocker.open(directory.knocker(socket)));
        } catch (IOException none) {
            Log.debug("connect over soft: no knocker: " + none);
            return Optional.empty();
        }
    }

    private synchronized void add(Path socket, Optional<Knocker> knocker) {
        if (listeners.putIfAbsent(socket, knocker) != null) {
            // Another thread was faster.
            knocker.ifPresent(Knocker::close);
        }
        for (Iterator<Optional<Knocker>> oldest = listeners.values().iterator(); listeners.size() > MAX_ENTRIES; ) {
            oldest.next().ifPresent(Knocker::close);
            oldest.remove();
        }
    }

    /** Tells a listener that a hello has been written. */
    synchronized void knock(Path socket, long number) {
        Optional<Knocker> knocker = listeners.get(socket);
        if (knocker != null && knocker.isPresent()) {
            knocker.get().knock(number);
        }
    }
}
