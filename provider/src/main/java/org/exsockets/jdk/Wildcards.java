package org.exsockets.jdk;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** Whom the JDK's sockets connect to that are to connect to a wildcard address. Stateless. */
public final class Wildcards {
    private static final byte[] LOOPBACK_4 = {127, 0, 0, 1};
    private static final byte[] LOOPBACK_6 = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

    private Wildcards() {}

    /** {@return where a channel connects to: of a wildcard loopback, of the same family} */
    public static InetSocketAddress ofChannel(InetSocketAddress destination) {
        InetAddress address = destination.getAddress();
        return address.isAnyLocalAddress()
                ? new InetSocketAddress(
                        loopback(address instanceof Inet4Address ? LOOPBACK_4 : LOOPBACK_6), destination.getPort())
                : destination;
    }

    /**
     * {@return where an asynchronous channel connects to: of any wildcard the loopback that the kernel takes for it} It is IPv6's
     * wherever the JDK's sockets know IPv6, unless the channel is bound to an address of IPv4. Where they do not, the kernel takes
     * that address itself, and IPv6's wildcard is for the channel to refuse.
     *
     * @param local where the channel is bound; null if it is not
     */
    public static InetSocketAddress ofAsynchronousChannel(InetSocketAddress destination, InetSocketAddress local) {
        if (!destination.getAddress().isAnyLocalAddress()) {
            return destination;
        }
        boolean boundTo4 = local != null
                && local.getAddress() instanceof Inet4Address
                && !local.getAddress().isAnyLocalAddress();
        if (Ipv6.dualStack()) {
            return new InetSocketAddress(loopback(boundTo4 ? LOOPBACK_4 : LOOPBACK_6), destination.getPort());
        }
        return destination.getAddress() instanceof Inet4Address
                ? new InetSocketAddress(boundTo4 ? local.getAddress() : loopback(LOOPBACK_4), destination.getPort())
                : destination;
    }

    private static InetAddress loopback(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new AssertionError(e); // The length is right.
        }
    }

    /** {@return where a {@link java.net.Socket} connects to: of a wildcard the local host; null if that has no address} */
    public static InetSocketAddress ofSocket(InetSocketAddress destination) {
        try {
            return destination.getAddress().isAnyLocalAddress()
                    ? new InetSocketAddress(InetAddress.getLocalHost(), destination.getPort())
                    : destination;
        } catch (UnknownHostException e) {
            return null; // As TCP says in its turn.
        }
    }
}
