package org.exsockets.rendezvous;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.exsockets.observe.FallbackReason;
import org.jspecify.annotations.Nullable;

/**
 * Hosts and ports to which a connect over RDMA has failed lately, so that the next connections go straight to TCP
 * instead of waiting for the same failure. Bounded: the oldest failure is dropped. Thread-safe.
 */
final class FailureMemory {
    static final int MAX_FAILURES = 1_024;

    private static final long NS_PER_SECOND = 1_000_000_000L;

    /**
     * After a server has begun to listen on TCP, its listeners on adapters may take so long to follow: its process may
     * have to open the adapters first.
     */
    static final long GRACE_NS = NS_PER_SECOND;

    /**
     * What is remembered.
     *
     * @param atNs when it was recorded; of a suspicion from {@link #connectedTcp} on, when TCP got through
     * @param confirmed false for a mere suspicion
     * @param overTcp whether TCP has got through after a suspicion
     */
    record Failure(FallbackReason reason, long atNs, boolean confirmed, boolean overTcp) {}

    private final long rememberNs;
    private final LongSupplier clockNs;

    /** Oldest first: all are remembered equally long. */
    @GuardedBy("this")
    private final Map<InetSocketAddress, Failure> failures = new LinkedHashMap<>();

    /** @param rememberSeconds 0 to remember nothing */
    FailureMemory(int rememberSeconds, LongSupplier clockNs) {
        this.rememberNs = rememberSeconds * NS_PER_SECOND;
        this.clockNs = clockNs;
    }

    /** TCP has connected where a failure may have been suspected. */
    synchronized void connectedTcp(InetSocketAddress remote) {
        Failure failure = failures.get(remote);
        if (failure != null && !failure.confirmed && !failure.overTcp) {
            add(remote, failure.reason, false, true);
        }
    }

    /**
     * Records what may be a failure. It is one, which prevents further attempts, when it comes again {@link #GRACE_NS}
     * after TCP has got through.
     */
    synchronized void suspect(InetSocketAddress remote, FallbackReason reason) {
        Failure before = failures.get(remote);
        if (before == null) {
            add(remote, reason, false, false);
        } else if (before.overTcp && clockNs.getAsLong() - before.atNs >= GRACE_NS) {
            add(remote, reason);
        }
    }

    /** Records a failure, which prevents further attempts. */
    synchronized void add(InetSocketAddress remote, FallbackReason reason) {
        add(remote, reason, true, false);
    }

    @GuardedBy("this")
    private void add(InetSocketAddress remote, FallbackReason reason, boolean confirmed, boolean overTcp) {
        if (rememberNs == 0) {
            return;
        }
        failures.remove(remote);
        if (failures.size() == MAX_FAILURES) {
            failures.remove(failures.keySet().iterator().next());
        }
        failures.put(remote, new Failure(reason, clockNs.getAsLong(), confirmed, overTcp));
    }

    /** A connect has succeeded. */
    synchronized void forget(InetSocketAddress remote) {
        failures.remove(remote);
    }

    /** {@return the failure that prevents another attempt, or null} */
    synchronized @Nullable Failure find(InetSocketAddress remote) {
        Failure failure = failures.get(remote);
        if (failure != null && clockNs.getAsLong() - failure.atNs >= rememberNs) {
            failures.remove(remote);
            failure = null;
        }
        return failure != null && failure.confirmed ? failure : null;
    }

    /** {@return how many whole seconds ago it was} */
    long secondsSince(Failure failure) {
        return (clockNs.getAsLong() - failure.atNs) / NS_PER_SECOND;
    }
}
