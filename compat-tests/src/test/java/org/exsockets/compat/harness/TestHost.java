package org.exsockets.compat.harness;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * The addresses of this host that the tests listen on and connect to: those of the loopback interface, or others that
 * {@code exs.test.host} and {@code exs.test.host6} name as literals, because no RDMA device serves the loopback
 * interface.
 */
public final class TestHost {
    private static final String PROPERTY = "exs.test.host";
    private static final String PROPERTY6 = "exs.test.host6";

    /** The IPv4 address, as a literal. */
    public static final String NAME = System.getProperty(PROPERTY, "127.0.0.1");

    /** The IPv6 address, as a literal. */
    public static final String NAME6 = System.getProperty(PROPERTY6, "::1");

    private TestHost() {}

    /** {@return what has another JVM use the same addresses} */
    static List<String> arguments() {
        return List.of("-D" + PROPERTY + "=" + NAME, "-D" + PROPERTY6 + "=" + NAME6);
    }

    /** Returns the address with that port. */
    public static InetSocketAddress address(int port) {
        return new InetSocketAddress(NAME, port);
    }
}
