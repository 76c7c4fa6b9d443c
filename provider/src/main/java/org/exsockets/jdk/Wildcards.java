package org.exsockets.jdk;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** Where the JDK's sockets connect to when the destination is a wildcard address. Stateless. */
public final class Wildcards {
    private static final byte[] LOOPBACK_4 = {127, 0, 0, 1};
    private static final byte[] LOOPBACK_6 = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

    private Wildcards() {}

    /** {@return where a channel connects to: for a wildcard, loopback of the same family} */
    public static InetSocketAddress ofChannel(InetSocketAddress destination) {
        InetAddress address = destination.getAddress();
        return address.isAnyLocalAddress()
                ? new InetSocketAddress(
                        loopback(address instanceof Inet4Address ? LOOPBACK_4 : LOOPBACK_6), destination.getPort())
                : destination;
    }

    /**
     * {@return where an asynchronous channel connects to: for any wildcard, the loopback address that the kernel takes}
     * It is IPv6's if the JDK's sockets know IPv6 and the channel is not bound to an address of IPv4. If they do not,
     * the kernel takes the bound address, if any, and the channel itself refuses IPv6's wildcard.
     *
     * @param local where the channel is bound; null if it is not
     */
    public static InetSocketAddress ofAsynchronousChannel(
            InetSocketAddress destination, @Nullable InetSocketAddress local) {
        if (!destination.getAddress().isAnyLocalAddress()) {
            return destination;
        }
        InetAddress bound = local == null ? null : local.getAddress();
        boolean boundTo4 = bound instanceof Inet4Address && !bound.isAnyLocalAddress();
        if (Ipv6.dualStack()) {
            return new InetSocketAddress(loopback(boundTo4 ? LOOPBACK_4 : LOOPBACK_6), destination.getPort());
        }
        return destination.getAddress() instanceof Inet4Address
                ? new InetSocketAddress(boundTo4 ? bound : loopback(LOOPBACK_4), destination.getPort())
                : destination;
    }

    private static InetAddress loopback(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new AssertionError(e); // The length is right.
        }
    }

    /**
     * {@return where a {@link java.net.Socket} connects to: for a wildcard the local host; null if that has no address}
     */
    public static @Nullable InetSocketAddress ofSocket(InetSocketAddress destination) {
        try {
            return destination.getAddress().isAnyLocalAddress()
                    ? new InetSocketAddress(InetAddress.getLocalHost(), destination.getPort())
                    : destination;
        } catch (UnknownHostException e) {
            return null; // TCP then reports it.
        }
    }
}
