package org.exsockets.observe;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.exsockets.config.StatsTarget;
import org.jspecify.annotations.Nullable;

/**
 * What the connections of one JVM did: how many there were over which device, how many bytes they moved, why some fell
 * back to TCP. Lives as long as the JVM; safe for use by any thread.
 */
public final class Statistics {
    private static final Statistics JVM = new Statistics();

    // No AtomicLongArray, whose VarHandles cost the first connection.
    private final AtomicLong[] connections = counters(DeviceKind.values().length);
    private final AtomicLong[] fallbacks = counters(FallbackReason.values().length);

    private final AtomicLong buffersGrown = new AtomicLong();
    private final AtomicLong buffersRefused = new AtomicLong();
    private final AtomicLong largestBuffer = new AtomicLong();

    private final AtomicLong directBuffersPlaced = new AtomicLong();
    private final AtomicLong directBuffersRefused = new AtomicLong();

    private final AtomicLong registrationsMade = new AtomicLong();
    private final AtomicLong registrationsRefused = new AtomicLong();

    /** Counters of connections that are still open. Only removal needs the monitor. */
    private final Set<Traffic> live = ConcurrentHashMap.newKeySet();

    @GuardedBy("this")
    private final Traffic retired = new Traffic();

    /** Counters of queue pairs of adapters that are in use. Only removal needs the monitor. */
    private final Set<VerbsCounts> queuePairs = ConcurrentHashMap.newKeySet();

    /** Null: no queue pair has been destroyed. */
    @GuardedBy("this")
    private @Nullable VerbsCounts destroyed;

    Statistics() {}

    public static Statistics jvm() {
        return JVM;
    }

    /** Counts a connection, established by either side, whatever becomes of it. */
    public void connectionOpened(DeviceKind device) {
        connections[device.ordinal()].incrementAndGet();
    }

    /**
     * Counts one decision for TCP: for a connect, an accepted connection or a listener, or once for the whole program.
     * {@link #connectionOpened} also counts the connections that come about, except in the last case.
     */
    public void fallback(FallbackReason reason) {
        fallbacks[reason.ordinal()].incrementAndGet();
    }

    /** Counts a hidden buffer that was followed by a longer one of {@code lengthBytes}. */
    public void bufferGrown(int lengthBytes) {
        buffersGrown.incrementAndGet();
        long known = largestBuffer.get();
        while (known < lengthBytes && !largestBuffer.compareAndSet(known, lengthBytes)) {
            known = largestBuffer.get();
        }
    }

    /** Counts a hidden buffer that could not grow for lack of memory. */
    public void bufferRefused() {
        buffersRefused.incrementAndGet();
    }

    /** Counts a direct buffer of the program that was placed in shared memory. */
    public void directBufferPlaced() {
        directBuffersPlaced.incrementAndGet();
    }

    /** Counts a direct buffer of the program that could not be placed for lack of shared memory. */
    public void directBufferRefused() {
        directBuffersRefused.incrementAndGet();
    }

    /** Counts memory of the program that was registered with an adapter. */
    public void registrationMade() {
        registrationsMade.incrementAndGet();
    }

    /** Counts memory of the program that was not registered with an adapter because of a limit. */
    public void registrationRefused() {
        registrationsRefused.incrementAndGet();
    }

    /** Includes a live connection's counters in every snapshot from now on. */
    public void register(Traffic traffic) {
        live.add(traffic);
    }

    /** Keeps a closed connection's bytes and forgets its counters. Does nothing the second time. */
    public synchronized void retire(Traffic traffic) {
        if (live.remove(traffic)) {
            retired.add(traffic);
        }
    }

    /** Includes a queue pair's counters in every summary from now on. */
    public void register(VerbsCounts counts) {
        queuePairs.add(counts);
    }

    /** Keeps what a queue pair that is being destroyed has counted. Does nothing the second time. */
    public synchronized void retire(VerbsCounts counts) {
        if (queuePairs.remove(counts)) {
            if (destroyed == null) {
                destroyed = new VerbsCounts();
            }
            destroyed.add(counts);
        }
    }

    private static AtomicLong[] counters(int count) {
        AtomicLong[] counters = new AtomicLong[count];
        for (int i = 0; i < count; i++) {
            counters[i] = new AtomicLong();
        }
        return counters;
    }

    public long connections(DeviceKind device) {
        return connections[device.ordinal()].get();
    }

    public long buffersGrown() {
        return buffersGrown.get();
    }

    public long buffersRefused() {
        return buffersRefused.get();
    }

    /** {@return whether there were connections, and none over EXS} */
    public boolean onlyTcp() {
        return connections(DeviceKind.TCP) > 0
                && connections(DeviceKind.SOFT) == 0
                && connections(DeviceKind.DISNI) == 0;
    }

    public long fallbacks(FallbackReason reason) {
        return fallbacks[reason.ordinal()].get();
    }

    /** {@return how often each reason has occurred, by the name that users see; those that never did are left out} */
    public Map<String, Long> fallbacks() {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (FallbackReason reason : FallbackReason.values()) {
            if (fallbacks(reason) > 0) {
                counts.put(reason.jsonName(), fallbacks(reason));
            }
        }
        return counts;
    }

    /** {@return the sum over all connections, closed and open; the caller owns it} */
    public synchronized Traffic traffic() {
        Traffic sum = new Traffic();
        sum.add(retired);
        for (Traffic each : live) {
            sum.add(each);
        }
        return sum;
    }

    /** {@return the sum over all queue pairs of adapters, the caller's; null: there were none} */
    public synchronized @Nullable VerbsCounts verbs() {
        if (destroyed == null && queuePairs.isEmpty()) {
            return null;
        }
        VerbsCounts sum = new VerbsCounts();
        if (destroyed != null) {
            sum.add(destroyed);
        }
        for (VerbsCounts each : queuePairs) {
            sum.add(each);
        }
        return sum;
    }

    /** {@return the summary as one line of JSON; keys in fixed order, reasons that never occurred left out} */
    public String toJson() {
        Traffic sum = traffic();
        return "{\"connections\":{\"soft\":" + connections(DeviceKind.SOFT)
                + ",\"disni\":" + connections(DeviceKind.DISNI)
                + ",\"tcp\":" + connections(DeviceKind.TCP)
                + "},\"bytes\":{\"sent\":" + bytesJson(sum.bytesSentDirect, sum.bytesSentIndirect)
                + ",\"received\":" + bytesJson(sum.bytesReceivedDirect, sum.bytesReceivedIndirect)
                + "},\"phases\":{\"sent\":" + sum.sendingPhases
                + ",\"received\":" + sum.receivingPhases
                + "},\"adverts\":{\"cancelled\":" + sum.cancelledAdverts
                + ",\"stale\":" + sum.staleAdverts
                + "},\"buffers\":{\"grown\":" + buffersGrown
                + ",\"refused\":" + buffersRefused
                + ",\"largest\":" + largestBuffer
                + "}" + triedJson("placed", "buffers", directBuffersPlaced, directBuffersRefused)
                + triedJson("registrations", "made", registrationsMade, registrationsRefused)
                + verbsJson() + ",\"fallbacks\":" + fallbacksJson() + "}";
    }

    /** {@return a group of two counters; empty if both are 0} */
    private static String triedJson(String name, String made, AtomicLong madeCount, AtomicLong refused) {
        return madeCount.get() == 0 && refused.get() == 0
                ? ""
                : ",\"" + name + "\":{\"" + made + "\":" + madeCount + ",\"refused\":" + refused + "}";
    }

    /** Empty without adapters. */
    private String verbsJson() {
        VerbsCounts sum = verbs();
        return sum == null ? "" : ",\"verbs\":" + sum.toJson();
    }

    private static String bytesJson(long direct, long indirect) {
        return "{\"direct\":" + direct + ",\"indirect\":" + indirect + "}";
    }

    private String fallbacksJson() {
        StringJoiner counts = new StringJoiner(",", "{", "}");
        for (Map.Entry<String, Long> each : new TreeMap<>(fallbacks()).entrySet()) {
            counts.add("\"" + each.getKey() + "\":" + each.getValue());
        }
        return counts.toString();
    }

    /** Writes {@link #toJson} as one line to {@code target}; a failure is logged, never thrown. */
    public void writeTo(StatsTarget target) {
        try {
            if (target.file().isPresent()) {
                try (LineSink sink = LineSink.appendingTo(target.file().get())) {
                    sink.writeLine(toJson());
                }
            } else {
                LineSink.stderr().writeLine(toJson());
            }
        } catch (IOException | SecurityException e) {
            Log.warn("exs.stats: cannot write to " + target, e);
        }
    }
}
