package org.exsockets.verbs.soft;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Set;
import java.util.stream.Collectors;

/** Whether an address belongs to this host. Interfaces are looked at again after a second. Thread-safe. */
final class LocalAddresses {
    private static final long FRESH_NS = 1_000_000_000L;

    private record Snapshot(Set<InetAddress> addresses, long takenNs) {}

    private volatile Snapshot snapshot;

    boolean contains(InetAddress address) {
        if (address.isLoopbackAddress()) {
            return true;
        }
        Snapshot known = snapshot;
        if (known == null || System.nanoTime() - known.takenNs > FRESH_NS) {
            known = new Snapshot(addresses(), System.nanoTime());
            snapshot = known;
        }
        return known.addresses.contains(address);
    }

    private static Set<InetAddress> addresses() {
        try {
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .collect(Collectors.toSet());
        } catch (SocketException noInterfaces) {
            return Set.of();
        }
    }
}
