package org.exsockets.verbs.disni.cm;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.Collections;
import java.util.List;
import org.exsockets.memory.DirectMemory;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.DeviceOptions;
import org.exsockets.verbs.DevicePlace;

/** The RDMA adapters of the machine the tests run on, opened once, and the machine's addresses on them. */
public final class RealDevice {
    static final int CONNECT_TIMEOUT_MS = 10_000;

    private static DisniDevice device;

    private RealDevice() {}

    public static synchronized Device get() throws IOException {
        if (device == null) {
            // Without the agent nobody tells what the JVM frees: tests with registered memory do themselves.
            DirectMemory.reportedBy(() -> true);
            device = open(CONNECT_TIMEOUT_MS);
        }
        return device;
    }

    /** {@return another device, with a thread of its own, as in another process; it stays} */
    static DisniDevice open(int connectTimeoutMs) throws IOException {
        return new DisniDevice(new DeviceOptions(
                connectTimeoutMs, null, null, true, false, DeviceOptions.AUTO, DeviceOptions.AUTO, user -> false));
    }

    /** The machine's global addresses: at least two of IPv4 and one of IPv6. */
    public static final class Place implements DevicePlace {
        @Override
        public InetAddress host() throws IOException {
            return address(Inet4Address.class, 0);
        }

        @Override
        public InetAddress otherHost() throws IOException {
            return address(Inet4Address.class, 1);
        }

        @Override
        public InetAddress hostOverIpv6() throws IOException {
            return address(Inet6Address.class, 0);
        }

        @Override
        public boolean seesListeners() {
            return false;
        }
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
