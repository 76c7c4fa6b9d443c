package org.exsockets.socket;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.exsockets.observe.Log;

/**
 * The EXS connections of this JVM that are not released yet. A JVM that ends without closing them must do for them what
 * the kernel does for TCP connections: send a FIN, or a reset where bytes were left unread.
 */
public final class LiveConnections {
    /** For all threads together that are just writing: they leave as soon as they run. */
    private static final long WRITERS_LIMIT_NS = 1_000_000_000;

    private static final Set<ConnectionEnding> LIVE = ConcurrentHashMap.newKeySet();

    private LiveConnections() {}

    static void add(ConnectionEnding connection) {
        LIVE.add(connection);
    }

    static void remove(ConnectionEnding connection) {
        LIVE.remove(connection);
    }

    /** Ends every connection; for the end of the JVM, after the program's own shutdown hooks. */
    public static void endAll() {
        for (ConnectionEnding connection : LIVE) {
            connection.holdWriters();
        }
        long endNs = System.nanoTime() + WRITERS_LIMIT_NS;
        for (ConnectionEnding connection : LIVE) {
            try {
                connection.endWithJvm(Math.max(0, endNs - System.nanoTime()));
            } catch (RuntimeException | Error e) {
                Log.debug("end of the JVM: " + connection.localAddress() + ": " + e);
            }
        }
    }
}
