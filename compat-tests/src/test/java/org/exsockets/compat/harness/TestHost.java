package org.exsockets.compat.harness;

import java.net.InetSocketAddress;

/**
 * The addresses of this host that the tests listen on and connect to: those of the loopback interface, or others that
 * {@code exs.test.host} and {@code exs.test.host6} name as literals, because no RDMA device serves the loopback
 * interface.
 */
public final class TestHost {
    /** The IPv4 address, as a literal. */
    public static final String NAME = System.getProperty("exs.test.host", "127.0.0.1");

    /** The IPv6 address, as a literal. */
    public static final String NAME6 = System.getProperty("exs.test.host6", "::1");

    private TestHost() {}

    /** Returns the address with that port. */
    public static InetSocketAddress address(int port) {
        return new InetSocketAddress(NAME, port);
    }
}
