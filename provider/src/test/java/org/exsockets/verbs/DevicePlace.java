package org.exsockets.verbs;

import java.io.IOException;
import java.net.InetAddress;

/** Addresses of this machine that a device serves, and what the device can tell of them. */
public interface DevicePlace {
    /** {@return an IPv4 address} */
    InetAddress host() throws IOException;

    /** {@return another one} */
    InetAddress otherHost() throws IOException;

    /** {@return an IPv6 address} */
    InetAddress hostOverIpv6() throws IOException;

    /** {@return whether the device can tell that nobody listens at an address without connecting to it} */
    boolean seesListeners();

    /** The loopback addresses, for devices in shared memory. */
    final class Loopback implements DevicePlace {
        @Override
        public InetAddress host() throws IOException {
            return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        }

        @Override
        public InetAddress otherHost() throws IOException {
            return InetAddress.getByAddress(new byte[] {127, 0, 0, 2});
        }

        @Override
        public InetAddress hostOverIpv6() throws IOException {
            return InetAddress.getByName("::1");
        }

        @Override
        public boolean seesListeners() {
            return true;
        }
    }
}
