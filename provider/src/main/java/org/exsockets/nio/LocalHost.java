package org.exsockets.nio;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** Where a connect to the wildcard address goes: as in the JDK, to the address of the local host. */
final class LocalHost {
    private LocalHost() {}

    static InetSocketAddress ifWildcard(InetSocketAddress address) throws UnknownHostException {
        return address.getAddress().isAnyLocalAddress()
                ? new InetSocketAddress(InetAddress.getLocalHost(), address.getPort())
                : address;
    }
}
