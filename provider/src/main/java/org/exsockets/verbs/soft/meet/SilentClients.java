package org.exsockets.verbs.soft.meet;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.exsockets.verbs.Background;
import org.jspecify.annotations.Nullable;

/**
 * Clients of one listener that have connected and whose hello is incomplete. The background thread waits for it.
 * Thread-safe.
 *
 * <p>Who comes is never turned away for those who are there: it may have lost its processor just before its hello.
 * Beyond {@link #MAX_SILENT} the user who has most of them loses the one that has been silent longest.
 */
final class SilentClients {
    static final int MAX_SILENT = 64;

    /** Who is silent for less is not given up. */
    private static final long SILENCE_NS = 50_000_000L;

    /** Runs in the background thread when more of a hello has come, or the client has closed. */
    private final Consumer<HelloReader> onHello;

    /** Oldest first. */
    @GuardedBy("this")
    private final LinkedHashSet<HelloReader> silent = new LinkedHashSet<>();

    @GuardedBy("this")
    private boolean closed;

    SilentClients(Consumer<HelloReader> onHello) {
        this.onHello = onHello;
    }

    /**
     * @param waiting null if there is no such thread
     * @throws IOException if nobody can wait for this client
     */
    void await(HelloReader reader, @Nullable Background waiting) throws IOException {
        HelloReader surplus;
        synchronized (this) {
            if (closed || waiting == null) {
                throw new IOException("hello: missing, and the listener is closed or not attended");
            }
            silent.add(reader);
            surplus = silent.size() > MAX_SILENT ? longestSilent() : null;
            silent.remove(surplus);
        }
        if (surplus != null) {
            surplus.refuse(new IOException("hello: missing for too long"));
            waiting.forgetClosed();
        }
        try {
            waiting.watch(reader.socket.selectable(), SelectionKey.OP_READ, new Runnable() {
                @Override
                public void run() {
                    if (remove(reader)) {
                        onHello.accept(reader);
                    }
                }
            });
        } catch (IOException | OutOfMemoryError e) {
            remove(reader);
            throw new IOException("hello: missing, and nobody can wait for it: " + e.getMessage(), e);
        }
    }

    /** {@return of the clients of the user who has most of them the oldest; null if even that is too young} */
    @GuardedBy("this")
    private @Nullable HelloReader longestSilent() {
        Map<Integer, Integer> counts = new HashMap<>();
        int user = 0;
        int most = 0;
        for (HelloReader each : silent) {
            int count = counts.merge(each.client.user(), 1, Integer::sum);
            if (count > most) {
                most = count;
                user = each.client.user();
            }
        }
        for (HelloReader each : silent) {
            if (each.client.user() == user) {
                return System.nanoTime() - each.sinceNs < SILENCE_NS ? null : each;
            }
        }
        return null;
    }

    private synchronized boolean remove(HelloReader reader) {
        return silent.remove(reader);
    }

    /** The listener has closed: they see it go. @param waiting for them; null if there is no such thread */
    void close(@Nullable Background waiting) {
        List<HelloReader> all;
        synchronized (this) {
            closed = true;
            all = List.copyOf(silent);
            silent.clear();
        }
        for (HelloReader reader : all) {
            reader.drop();
        }
        if (!all.isEmpty() && waiting != null) {
            waiting.forgetClosed();
        }
    }
}
