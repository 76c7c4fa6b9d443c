package org.exsockets.verbs.disni;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.Collections;
import java.util.List;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.DeviceOptions;

/** The RDMA adapters of the machine the tests run on, opened once, and the machine's addresses on them. */
final class RealDevice {
    private static final int CONNECT_TIMEOUT_MS = 10_000;

    private static Device device;

    private RealDevice() {}

    static synchronized Device get() throws IOException {
        if (device == null) {
            device = new DisniDevice(new DeviceOptions(CONNECT_TIMEOUT_MS, null, null));
        }
        return device;
    }

    /** {@return the {@code index}-th global IPv4 address of this machine's interfaces} */
    static InetAddress ipv4(int index) throws IOException {
        return address(Inet4Address.class, index);
    }

    /** {@return the first global IPv6 address of this machine's interfaces} */
    static InetAddress ipv6() throws IOException {
        return address(Inet6Address.class, 0);
    }

    private static InetAddress address(Class<? extends InetAddress> family, int index) throws IOException {
        List<InetAddress> addresses = Collections.list(NetworkInterface.getNetworkInterfaces()).stream()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(each -> family.isInstance(each) && !each.isLoopbackAddress() && !each.isLinkLocalAddress())
                .toList();
        // Without the interface that Java adds to IPv6 addresses: peers are compared by what travels.
        return InetAddress.getByAddress(addresses.get(index).getAddress());
    }
}
