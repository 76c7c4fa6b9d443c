package org.exsockets.connection;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.exsockets.observe.Described;
import org.exsockets.observe.Flight;
import org.exsockets.observe.Log;
import org.exsockets.waiting.ProgressThread;
import org.jspecify.annotations.Nullable;

/**
 * The EXS connections of this JVM that are not released yet. A JVM that ends without closing them must do for them what
 * the kernel does for TCP connections: send a FIN, or a reset where bytes were left unread.
 */
public final class LiveConnections {
    /** A connection, from its establishment to its close; one of packets only looks for losses. */
    public interface Live extends Described {
        /** Every second or so, on the background thread: cheap where nothing has happened. */
        void lookForLosses();

        /** Every ten seconds, on the background thread. */
        default void lookForMemory() {}

        /** The JVM ends: writers stay in their calls. */
        default void holdWriters() {}

        /** The JVM ends: closes, and waits at most so long for writers. */
        default void endWithJvm(long limitNs) {}

        @Nullable
        InetSocketAddress localAddress();

        /** {@return whether the program has it; EXS has some for itself} */
        default boolean isOfProgram() {
            return true;
        }
    }

    /** For all threads that are writing, together: they leave as soon as they run. */
    private static final long WRITERS_LIMIT_NS = 1_000_000_000;

    /** Between two looks for losses at least: as long as a program sleeps on for what has been overwritten. */
    private static final long LOSSES_MS = 1_000;

    /** So many times as long as such a look has taken passes before the next one begins, but not more than that. */
    private static final int LOSSES_PAUSE = 500;

    private static final long LONGEST_PAUSE_NS = 5_000_000_000L;

    /** Between two other looks at all connections: longer than the pauses of a program at work. */
    private static final long MEMORY_NS = 10_000_000_000L;

    private static final Set<Live> LIVE = ConcurrentHashMap.newKeySet();

    /** The background thread looks at them now and then. */
    private static final AtomicBoolean LOOKING = new AtomicBoolean();

    static final BooleanSupplier LOOK = new BooleanSupplier() {
        /** Both are the background thread's. */
        private long dueNs = System.nanoTime();

        private long memoryDueNs = dueNs + MEMORY_NS;

        @Override
        public boolean getAsBoolean() {
            long startNs = System.nanoTime();
            Flight.look();
            if (startNs - dueNs >= 0) {
                for (Live each : LIVE) { // No lambda: a first connection may be looked at.
                    look(each, false);
                }
                dueNs = startNs + pauseNs(System.nanoTime() - startNs);
            }
            if (startNs - memoryDueNs >= 0) {
                memoryDueNs = startNs + MEMORY_NS;
                for (Live each : LIVE) {
                    look(each, true);
                }
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

    /**
     * {@return how long after its beginning a look that has taken {@code tookNs} is followed by the next} It may have taken
     * that long as the thread was not running: on a machine at its limit, or as the process was stopped.
     */
    static long pauseNs(long tookNs) {
        return Math.min(LOSSES_PAUSE * tookNs, LONGEST_PAUSE_NS);
    }

    public static void add(Live connection) {
        LIVE.add(connection);
        if (!LOOKING.get() && LOOKING.compareAndSet(false, true) && !ProgressThread.repeat(LOOK, LOSSES_MS)) {
            LOOKING.set(false); // There is no background thread.
        }
    }

    /** A connection that fails does not keep the others from being looked at. */
    private static void look(Live connection, boolean forMemory) {
        try {
            if (forMemory) {
                connection.lookForMemory();
            } else {
                connection.lookForLosses();
            }
        } catch (RuntimeException | Error e) {
            Log.warnOnce("look", "a look at " + connection.localAddress() + " failed: " + e);
        }
    }

    /** {@return the program's} */
    public static List<Live> all() {
        List<Live> all = new ArrayList<>(LIVE);
        all.removeIf(each -> !each.isOfProgram());
        return all;
    }

    public static void remove(Live connection) {
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
                Log.debug("end of the JVM: a connection", e); // The others end, too.
            }
        }
    }
}
