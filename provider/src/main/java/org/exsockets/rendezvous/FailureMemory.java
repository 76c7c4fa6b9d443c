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

    /** What is remembered. @param confirmed false for a mere suspicion */
    record Failure(FallbackReason reason, long atNs, boolean confirmed) {}

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
    synchronized void confirm(InetSocketAddress remote) {
        Failure failure = failures.get(remote);
        if (failure != null && !failure.confirmed) {
            add(remote, failure.reason, true);
        }
    }

    /** Records a failure, which prevents further attempts; one not {@code confirmed} from {@link #confirm} on. */
    synchronized void add(InetSocketAddress remote, FallbackReason reason, boolean confirmed) {
        if (rememberNs == 0) {
            return;
        }
        failures.remove(remote);
        if (failures.size() == MAX_FAILURES) {
            failures.remove(failures.keySet().iterator().next());
        }
        failures.put(remote, new Failure(reason, clockNs.getAsLong(), confirmed));
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
