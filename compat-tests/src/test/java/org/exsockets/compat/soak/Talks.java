package org.exsockets.compat.soak;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The ends of connections of this process that are not over, and how many were. Thread-safe. */
final class Talks {
    private static final Set<Talk> LIVE = ConcurrentHashMap.newKeySet();
    private static final Map<Ledger.Event, AtomicLong> COUNTS = new ConcurrentHashMap<>();

    private Talks() {}

    static void begun(Talk talk) {
        LIVE.add(talk);
    }

    static void over(Talk talk, Ledger.Event event) {
        LIVE.remove(talk);
        COUNTS.computeIfAbsent(event, any -> new AtomicLong()).incrementAndGet();
    }

    static long count(Ledger.Event event) {
        return COUNTS.getOrDefault(event, new AtomicLong()).get();
    }

    static int live() {
        return LIVE.size();
    }

    /** For how long nothing has moved where it is longest. */
    static long idleMs() {
        return LIVE.stream().mapToLong(Talk::idleMs).max().orElse(0);
    }

    /** Describes those on which nothing has moved for so long. */
    static String idle(long leastMs) {
        StringBuilder idle = new StringBuilder();
        LIVE.stream()
                .filter(talk -> talk.idleMs() >= leastMs)
                .forEach(talk -> idle.append("; for ")
                        .append(talk.idleMs())
                        .append(" ms: ")
                        .append(talk));
        return idle.toString();
    }
}
