package org.exsockets.verbs.soft.meet;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.Set;
import org.exsockets.observe.Log;
import org.jspecify.annotations.Nullable;

/**
 * Whether an address belongs to this host. Interfaces are looked at again after a second; if that fails, as in a
 * process without descriptors, the last result counts. Thread-safe.
 */
public class LocalAddresses {
    private static final long FRESH_NS = 1_000_000_000L;

    /** Clients that name foreign addresses, one after the other, must not keep the kernel busy. */
    private static final long ANEW_NS = 10_000_000L;

    private record Snapshot(Set<InetAddress> addresses, long takenNs) {}

    /** Null before the first look. */
    private volatile @Nullable Snapshot snapshot;

    /** Looks at the interfaces, unless that was done lately: later this process may have no descriptor for it. */
    void look() {
        current(FRESH_NS);
    }

    public boolean contains(InetAddress address) {
        return address.isLoopbackAddress() || current(FRESH_NS).contains(address);
    }

    /** As {@link #contains}, for callers that cannot take a no back: looks again, for addresses added since. */
    boolean containsByNow(InetAddress address) {
        return contains(address) || current(ANEW_NS).contains(address);
    }

    private Set<InetAddress> current(long maxAgeNs) {
        Snapshot known = snapshot;
        if (known != null && System.nanoTime() - known.takenNs <= maxAgeNs) {
            return known.addresses;
        }
        try {
            // Before the look: what is added during it may be missed.
            long takenNs = System.nanoTime();
            Set<InetAddress> addresses = ofThisHost();
            snapshot = new Snapshot(addresses, takenNs);
            return addresses;
        } catch (SocketException e) {
            Log.debug("interfaces cannot be looked at: " + e.getMessage());
            return known == null ? Set.of() : known.addresses;
        }
    }

    /** Asks the kernel; another source in tests. */
    Set<InetAddress> ofThisHost() throws SocketException {
        Set<InetAddress> addresses = new HashSet<>();
        for (Enumeration<NetworkInterface> all = NetworkInterface.getNetworkInterfaces(); all.hasMoreElements(); ) {
            for (Enumeration<InetAddress> its = all.nextElement().getInetAddresses(); its.hasMoreElements(); ) {
                addresses.add(its.nextElement());
            }
        }
        return addresses;
    }
}
