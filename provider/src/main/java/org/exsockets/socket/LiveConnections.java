package org.exsockets.socket;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The EXS connections of this JVM that are not released yet. A JVM that ends without closing them must do for them what
 * the kernel does for TCP connections: send a FIN, or a reset where bytes were left unread.
 */
public final class LiveConnections {
    private static final Set<ExsConnection> LIVE = ConcurrentHashMap.newKeySet();

    private LiveConnections() {}

    static void add(ExsConnection connection) {
        LIVE.add(connection);
    }

    static void remove(ExsConnection connection) {
        LIVE.remove(connection);
    }

    /** Closes every connection; for the end of the JVM, after the program's own shutdown hooks. */
    public static void closeAll() {
        for (ExsConnection connection : LIVE) {
            connection.close(false);
        }
    }
}
