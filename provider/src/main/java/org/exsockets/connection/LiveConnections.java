package org.exsockets.connection;

import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.exsockets.observe.Log;
import org.exsockets.waiting.ProgressThread;

/**
 * The EXS connections of this JVM that are not released yet. A JVM that ends without closing them must do for them what
 * the kernel does for TCP connections: send a FIN, or a reset where bytes were left unread.
 */
public final class LiveConnections {
    /** A connection, from its establishment to its close. */
    interface Live {
        /** What is to be done now and then, on the background thread. */
        void look();

        /** The JVM ends: writers stay in their calls. */
        void holdWriters();

        /** The JVM ends: closes, and waits at most so long for writers. */
        void endWithJvm(long limitNs);

        InetSocketAddress localAddress();
    }

    /** For all threads that are writing, together: they leave as soon as they run. */
    private static final long WRITERS_LIMIT_NS = 1_000_000_000;

    /** Between two looks at all connections: longer than the pauses of a program at work. */
    private static final long LOOK_MS = 10_000;

    private static final Set<Live> LIVE = ConcurrentHashMap.newKeySet();

    /** The background thread looks at them now and then. */
    private static final AtomicBoolean LOOKING = new AtomicBoolean();

    private static final BooleanSupplier LOOK = new BooleanSupplier() {
        @Override
        public boolean getAsBoolean() {
            for (Live each : LIVE) {
                each.look();
            }
            if (LIVE.isEmpty()) {
                LOOKING.set(false);
                // A connection added before that relies on this thread.
                return !LIVE.isEmpty() && LOOKING.compareAndSet(false, true);
            }
            return true;
        }
    };

    private LiveConnections() {}

    static void add(Live connection) {
        LIVE.add(connection);
        if (!LOOKING.get() && LOOKING.compareAndSet(false, true) && !ProgressThread.repeat(LOOK, LOOK_MS)) {
            LOOKING.set(false); // There is no background thread.
        }
    }

    static void remove(Live connection) {
        LIVE.remove(connection);
    }

    /** Ends every connection; for the end of the JVM, after the program's own shutdown hooks. */
    public static void endAll() {
        for (Live connection : LIVE) {
            connection.holdWriters();
        }
        long endNs = System.nanoTime() + WRITERS_LIMIT_NS;
        for (Live connection : LIVE) {
            try {
                connection.endWithJvm(Math.max(0, endNs - System.nanoTime()));
            } catch (RuntimeException | Error e) {
                Log.debug("end of the JVM: " + connection.localAddress() + ": " + e);
            }
        }
    }
}
