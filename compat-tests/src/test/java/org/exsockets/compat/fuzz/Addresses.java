package org.exsockets.compat.fuzz;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;

/** The addresses that operations name. Stateless. */
final class Addresses {
    private Addresses() {}

    /**
     * @param word {@code any}: a free port of the loopback interface; {@code wild}: one of all interfaces; {@code nowhere}:
     *     where nobody listens; the same with a {@code 6} for IPv6; {@code unresolved}; {@code null}; or a literal with a
     *     port
     */
    static SocketAddress of(String word) throws IOException {
        switch (word) {
            case "any":
                return new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0);
            case "any6":
                return new InetSocketAddress(InetAddress.getByName("::1"), 0);
            case "wild":
                return new InetSocketAddress(InetAddress.getByName("0.0.0.0"), 0);
            case "wild6":
                return new InetSocketAddress(InetAddress.getByName("::"), 0);
            case "nowhere":
                return unused("127.0.0.1");
            case "nowhere6":
                return unused("::1");
            case "unresolved":
                return InetSocketAddress.createUnresolved("nowhere.invalid", 1);
            case "null":
                return null;
            default:
                int colon = word.lastIndexOf(':');
                return new InetSocketAddress(
                        InetAddress.getByName(word.substring(0, colon)), Integer.parseInt(word.substring(colon + 1)));
        }
    }

    private static SocketAddress unused(String host) throws IOException {
        try (ServerSocket reserved = new ServerSocket(0, 1, InetAddress.getByName(host))) {
            return reserved.getLocalSocketAddress();
        }
    }

    /** Tells the ports of a connection as an end sees it, its own and the peer's. */
    static String ports(Object local, Object remote) {
        return local instanceof InetSocketAddress own && remote instanceof InetSocketAddress peers
                ? own.getPort() + " " + peers.getPort()
                : "none";
    }
}
