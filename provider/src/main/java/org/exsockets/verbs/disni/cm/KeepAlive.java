package org.exsockets.verbs.disni.cm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.exsockets.observe.Log;

/**
 * When the peers of connections with SO_KEEPALIVE are probed: each again and again after its idle time, whatever else goes
 * on. The device thread's.
 */
final class KeepAlive<E> {
    private static final Path SYSTEMS_IDLE_SECONDS = Path.of("/proc/sys/net/ipv4/tcp_keepalive_time");
    private static final int USUAL_IDLE_SECONDS = 7_200;
    private static final long LONGEST_LOOK_NS = TimeUnit.HOURS.toNanos(1);

    private record Probe(long everyNs, long dueNs) {}

    private final Consumer<E> probe;
    private final LongSupplier clockNs;
    private final Map<E, Probe> probes = new HashMap<>();

    /** No probe is due before; valid if there are any. */
    private long nextNs;

    KeepAlive(Consumer<E> probe, LongSupplier clockNs) {
        this.probe = probe;
        this.clockNs = clockNs;
    }

    /** @param idleSeconds 0: the system's ({@code tcp_keepalive_time}); negative: none */
    void set(E connection, int idleSeconds) {
        if (idleSeconds < 0) {
            remove(connection);
            return;
        }
        long everyNs = TimeUnit.SECONDS.toNanos(idleSeconds > 0 ? idleSeconds : systemsIdleSeconds());
        long dueNs = clockNs.getAsLong() + everyNs;
        nextNs = probes.isEmpty() ? dueNs : earlier(nextNs, dueNs);
        probes.put(connection, new Probe(everyNs, dueNs));
    }

    void remove(E connection) {
        probes.remove(connection);
    }

    /** {@return how long the thread may sleep; -1: for ever} */
    int patienceMs() {
        if (probes.isEmpty()) {
            return -1;
        }
        long untilNs = Math.max(0, nextNs - clockNs.getAsLong());
        return (int) TimeUnit.NANOSECONDS.toMillis(untilNs) + 1;
    }

    /** Looks through all only when one may be due. */
    void probeThoseDue() {
        if (probes.isEmpty()) {
            return;
        }
        long nowNs = clockNs.getAsLong();
        if (nowNs - nextNs < 0) {
            return;
        }
        nextNs = nowNs + LONGEST_LOOK_NS;
        probes.replaceAll((connection, before) -> {
            Probe next = before;
            if (nowNs - before.dueNs >= 0) {
                probe.accept(connection);
                next = new Probe(before.everyNs, nowNs + before.everyNs);
            }
            nextNs = earlier(nextNs, next.dueNs);
            return next;
        });
    }

    private static long earlier(long aNs, long bNs) {
        return aNs - bNs < 0 ? aNs : bNs;
    }

    private static int systemsIdleSeconds() {
        try {
            return Integer.parseInt(Files.readString(SYSTEMS_IDLE_SECONDS).trim());
        } catch (IOException | NumberFormatException e) {
            Log.debug("keep-alive: " + SYSTEMS_IDLE_SECONDS + ": " + e);
            return USUAL_IDLE_SECONDS;
        }
    }
}
