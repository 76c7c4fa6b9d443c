package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.BindException;
import java.net.ConnectException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.TestHost;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Local addresses: which can be bound, to what, how often, and by whom a listener on them is reached. */
@Tag("noagent")
class BindingContract extends Contract {
    private static final InetSocketAddress FOREIGN = new InetSocketAddress("203.0.113.1", 0);

    @Test
    void clientCannotBindAnAddressInUse() throws Exception {
        InetSocketAddress taken = testAddress(port(listeningChannel()));
        assertThrows(
                BindException.class,
                "Address already in use",
                () -> closing(SocketChannel.open()).bind(taken));
        BindException inUse =
                assertThrowsA(BindException.class, () -> closing(new Socket()).bind(taken));
        assertTrue(inUse.getMessage().startsWith("Address already in use"), inUse.getMessage());
        assertThrowsA(
                BindException.class,
                () -> new Socket(taken.getAddress(), taken.getPort(), taken.getAddress(), taken.getPort()));
    }

    @Test
    void clientCannotBindAnAddressOfAnotherHost() throws Exception {
        assertNotLocal(() -> closing(SocketChannel.open()).bind(FOREIGN));
        assertNotLocal(() -> closing(new Socket()).bind(FOREIGN));
    }

    @Test
    void listenerCannotBindAnAddressOfAnotherHost() throws Exception {
        assertNotLocal(() -> closing(ServerSocketChannel.open()).bind(FOREIGN));
        assertNotLocal(() -> closing(new ServerSocket()).bind(FOREIGN));
    }

    @Test
    void privilegedPortIsDeniedToAnOrdinaryUser() throws Exception {
        int unprivileged = Integer.parseInt(Files.readString(Path.of("/proc/sys/net/ipv4/ip_unprivileged_port_start"))
                .trim());
        assumeTrue(unprivileged > 1, "this system has no privileged ports");
        assumeTrue(!mayBindPrivilegedPorts(), "this user may bind privileged ports");
        InetSocketAddress privileged = testAddress(1);
        assertThrows(
                BindException.class,
                "Permission denied",
                () -> closing(ServerSocketChannel.open()).bind(privileged));
        assertThrowsA(BindException.class, () -> closing(new ServerSocket()).bind(privileged));
        assertThrows(
                BindException.class,
                "Permission denied",
                () -> closing(SocketChannel.open()).bind(privileged));
    }

    @Test
    void secondBindOfAClientIsRefused() throws Exception {
        SocketChannel channel = closing(SocketChannel.open()).bind(testAddress(0));
        assertThrows(AlreadyBoundException.class, null, () -> channel.bind(testAddress(0)));
        Socket socket = closing(new Socket());
        socket.bind(testAddress(0));
        assertThrows(SocketException.class, "Already bound", () -> socket.bind(testAddress(0)));
    }

    @Test
    void connectedClientCannotBeBound() throws Exception {
        SocketChannel channel = connectedChannel().local();
        assertThrows(AlreadyBoundException.class, null, () -> channel.bind(testAddress(0)));
        Socket socket = connectedSocket().local();
        assertThrows(SocketException.class, "Already bound", () -> socket.bind(testAddress(0)));
        SocketChannel accepted = acceptedChannel().local();
        assertThrows(AlreadyBoundException.class, null, () -> accepted.bind(testAddress(0)));
    }

    @Test
    void closedSocketsAndChannelsCannotBeBound() throws Exception {
        SocketChannel channel = SocketChannel.open();
        channel.close();
        assertThrows(ClosedChannelException.class, null, () -> channel.bind(testAddress(0)));
        ServerSocketChannel listener = ServerSocketChannel.open();
        listener.close();
        assertThrows(ClosedChannelException.class, null, () -> listener.bind(testAddress(0)));
        Socket socket = new Socket();
        socket.close();
        assertThrows(SocketException.class, "Socket is closed", () -> socket.bind(testAddress(0)));
        ServerSocket server = new ServerSocket();
        server.close();
        assertThrows(SocketException.class, "Socket is closed", () -> server.bind(testAddress(0)));
    }

    @Test
    void bindToNothingChoosesAnAddress() throws Exception {
        SocketChannel channel = closing(SocketChannel.open()).bind(null);
        assertNotEquals(0, ((InetSocketAddress) channel.getLocalAddress()).getPort());
        Socket socket = closing(new Socket());
        socket.bind(null);
        assertTrue(socket.isBound());
        assertTrue(socket.getLocalPort() > 0);
        ServerSocketChannel listener = closing(ServerSocketChannel.open()).bind(null);
        assertTrue(((InetSocketAddress) listener.getLocalAddress()).getAddress().isAnyLocalAddress());
        closing(SocketChannel.open(testAddress(port(listener))));
        assertTrue(closing(listener.accept()).isConnected());
    }

    @Test
    void unresolvedAddressCannotBeBound() throws Exception {
        InetSocketAddress unresolved = InetSocketAddress.createUnresolved("nowhere.invalid", 0);
        assertThrows(
                UnresolvedAddressException.class,
                null,
                () -> closing(SocketChannel.open()).bind(unresolved));
        assertThrows(
                UnresolvedAddressException.class,
                null,
                () -> closing(ServerSocketChannel.open()).bind(unresolved));
        assertThrowsA(SocketException.class, () -> closing(new Socket()).bind(unresolved));
        assertThrowsA(SocketException.class, () -> closing(new ServerSocket()).bind(unresolved));
    }

    @Test
    void addressOfAnotherKindCannotBeBound() throws Exception {
        SocketAddress other = new SocketAddress() {
            private static final long serialVersionUID = 1L;
        };
        assertThrows(
                UnsupportedAddressTypeException.class,
                null,
                () -> closing(SocketChannel.open()).bind(other));
        assertThrows(
                UnsupportedAddressTypeException.class,
                null,
                () -> closing(ServerSocketChannel.open()).bind(other));
        assertThrowsA(
                IllegalArgumentException.class, () -> closing(new Socket()).bind(other));
        assertThrowsA(
                IllegalArgumentException.class,
                () -> closing(new ServerSocket()).bind(other));
    }

    @Test
    void failedBindLeavesTheListenerToAnotherAttempt() throws Exception {
        InetSocketAddress taken = testAddress(port(listeningChannel()));
        ServerSocketChannel listener = closing(ServerSocketChannel.open());
        assertThrowsA(BindException.class, () -> listener.bind(taken));
        assertTrue(listener.isOpen());
        listener.bind(testAddress(0));
        closing(SocketChannel.open(listener.getLocalAddress()));
        assertTrue(closing(listener.accept()).isConnected());
    }

    @Test
    void failedBindOfAClientLeavesItToAnotherAttempt() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        InetSocketAddress taken = testAddress(port(listener));
        SocketChannel channel = closing(SocketChannel.open());
        assertThrowsA(BindException.class, () -> channel.bind(taken));
        assertTrue(channel.connect(taken));
        writeFully(channel, Pattern.buffer(0, 10));
        readPattern(closing(listener.accept()), 0, 10);
    }

    @Test
    void oneLocalPortServesConnectionsToTwoListeners() throws Exception {
        ServerSocketChannel first = listeningChannel();
        ServerSocketChannel second = listeningChannel();
        SocketChannel one = reusing();
        one.bind(testAddress(0));
        SocketChannel other = reusing();
        other.bind(one.getLocalAddress());
        one.connect(first.getLocalAddress());
        other.connect(second.getLocalAddress());
        assertEquals(one.getLocalAddress(), other.getLocalAddress());
        writeFully(one, Pattern.buffer(0, 10));
        writeFully(other, Pattern.buffer(100, 10));
        readPattern(closing(first.accept()), 0, 10);
        readPattern(closing(second.accept()), 100, 110);
    }

    @Test
    void dualStackListenerIsReachedOverBothFamiliesAndTellsWhich() throws Exception {
        assumeIpv6();
        ServerSocketChannel listener = closing(ServerSocketChannel.open()).bind(new InetSocketAddress(0));
        closing(SocketChannel.open(testAddress(port(listener))));
        assertInstanceOf(Inet4Address.class, remote(closing(listener.accept())).getAddress());
        closing(SocketChannel.open(new InetSocketAddress(TestHost.NAME6, port(listener))));
        assertInstanceOf(Inet6Address.class, remote(closing(listener.accept())).getAddress());
    }

    @Test
    void ipv4ListenerIsNotReachedOverIpv6() throws Exception {
        assumeIpv6();
        ServerSocketChannel listener =
                closing(ServerSocketChannel.open(StandardProtocolFamily.INET)).bind(new InetSocketAddress(0));
        closing(SocketChannel.open(testAddress(port(listener))));
        assertTrue(closing(listener.accept()).isConnected());
        assertThrows(
                ConnectException.class,
                "Connection refused",
                () -> closing(SocketChannel.open()).connect(new InetSocketAddress(TestHost.NAME6, port(listener))));
    }

    @Test
    void ipv6ListenerOnOneAddressIsNotReachedOverIpv4() throws Exception {
        assumeIpv6();
        ServerSocketChannel listener =
                closing(ServerSocketChannel.open()).bind(new InetSocketAddress(TestHost.NAME6, 0));
        assertThrows(
                ConnectException.class,
                "Connection refused",
                () -> closing(SocketChannel.open()).connect(testAddress(port(listener))));
        closing(SocketChannel.open(listener.getLocalAddress()));
        assertTrue(closing(listener.accept()).isConnected());
    }

    @Test
    void ipv4ChannelRefusesIpv6AddressesWhereSomebodyListens() throws Exception {
        ServerSocketChannel listener =
                closing(ServerSocketChannel.open()).bind(new InetSocketAddress(TestHost.NAME6, 0));
        SocketChannel channel = closing(SocketChannel.open(StandardProtocolFamily.INET));
        SocketAddress six = listener.getLocalAddress();
        assertThrows(UnsupportedAddressTypeException.class, null, () -> channel.connect(six));
        assertThrows(
                SocketException.class,
                "Unsupported address type",
                () -> channel.socket().connect(six));
    }

    @Test
    void adaptorsRefuseAddressesThatAreNoneOfTheirs() throws Exception {
        for (SocketAddress foreign : List.of(
                new InetSocketAddress(TestHost.NAME6, 0),
                UnixDomainSocketAddress.of("/nowhere"),
                new SocketAddress() {})) {
            assertThrows(
                    SocketException.class,
                    "Unsupported address type",
                    () -> closing(ServerSocketChannel.open(StandardProtocolFamily.INET))
                            .socket()
                            .bind(foreign));
            assertThrows(
                    SocketException.class,
                    "Unsupported address type",
                    () -> closing(SocketChannel.open(StandardProtocolFamily.INET))
                            .socket()
                            .bind(foreign));
        }
    }

    @Test
    void noFamilyIsNoFamilyOfTheProvidersChoice() {
        SelectorProvider provider = SelectorProvider.provider();
        String none = "'family' is null";
        assertThrows(NullPointerException.class, none, () -> provider.openSocketChannel(null));
        assertThrows(NullPointerException.class, none, () -> provider.openServerSocketChannel(null));
        assertThrows(NullPointerException.class, none, () -> provider.openDatagramChannel(null));
    }

    @Test
    void ipv4ChannelRefusesIpv6Addresses() throws Exception {
        InetSocketAddress six = new InetSocketAddress(TestHost.NAME6, 9);
        assertThrows(
                UnsupportedAddressTypeException.class,
                null,
                () -> closing(SocketChannel.open(StandardProtocolFamily.INET)).connect(six));
        assertThrows(
                UnsupportedAddressTypeException.class,
                null,
                () -> closing(SocketChannel.open(StandardProtocolFamily.INET)).bind(six));
        assertThrows(
                UnsupportedAddressTypeException.class,
                null,
                () -> closing(ServerSocketChannel.open(StandardProtocolFamily.INET))
                        .bind(six));
    }

    @Test
    void channelsOfBothFamiliesConnectOverTheirOwn() throws Exception {
        assumeIpv6();
        ServerSocketChannel listener = closing(ServerSocketChannel.open()).bind(new InetSocketAddress(0));
        SocketChannel four = closing(SocketChannel.open(StandardProtocolFamily.INET));
        assertTrue(four.connect(testAddress(port(listener))));
        assertTrue(closing(listener.accept()).isConnected());
        SocketChannel six = closing(SocketChannel.open(StandardProtocolFamily.INET6));
        assertTrue(six.connect(new InetSocketAddress(TestHost.NAME6, port(listener))));
        assertTrue(closing(listener.accept()).isConnected());
    }

    @Test
    void twoListenersShareAPortOnDifferentAddresses() throws Exception {
        assumeIpv6();
        ServerSocketChannel four = closing(ServerSocketChannel.open()).bind(testAddress(0));
        ServerSocketChannel six =
                closing(ServerSocketChannel.open()).bind(new InetSocketAddress(TestHost.NAME6, port(four)));
        SocketChannel overFour = closing(SocketChannel.open(four.getLocalAddress()));
        SocketChannel overSix = closing(SocketChannel.open(six.getLocalAddress()));
        assertEquals(overFour.getLocalAddress(), closing(four.accept()).getRemoteAddress());
        assertEquals(overSix.getLocalAddress(), closing(six.accept()).getRemoteAddress());
    }

    @Test
    void scopedLoopbackAddressIsReached() throws Exception {
        assumeIpv6();
        NetworkInterface loopback = loopback();
        InetAddress scoped =
                Inet6Address.getByAddress("::1", InetAddress.getByName("::1").getAddress(), loopback);
        ServerSocketChannel listener = closing(ServerSocketChannel.open()).bind(new InetSocketAddress(0));
        SocketChannel channel = closing(SocketChannel.open());
        assertTrue(channel.connect(new InetSocketAddress(scoped, port(listener))));
        writeFully(channel, Pattern.buffer(0, 10));
        readPattern(closing(listener.accept()), 0, 10);
    }

    @Test
    void linkLocalListenerIsReachedThroughItsScope() throws Exception {
        InetAddress linkLocal = linkLocalAddress();
        ServerSocketChannel listener = closing(ServerSocketChannel.open()).bind(new InetSocketAddress(linkLocal, 0));
        SocketChannel client = closing(SocketChannel.open());
        assertTrue(client.connect(new InetSocketAddress(linkLocal, port(listener))));
        SocketChannel server = closing(listener.accept());
        assertTrue(remote(server).getAddress().isLinkLocalAddress());
        assertNotEquals(0, ((Inet6Address) remote(server).getAddress()).getScopeId());
        writeFully(client, Pattern.buffer(0, 10));
        readPattern(server, 0, 10);
        Socket socket = closing(new Socket(linkLocal, port(listener)));
        assertEquals(socket.getLocalPort(), remote(closing(listener.accept())).getPort());
    }

    @Test
    void linkLocalAddressReachesAWildcardListener() throws Exception {
        InetAddress linkLocal = linkLocalAddress();
        ServerSocket listener = closing(new ServerSocket(0));
        Socket client = closing(new Socket(linkLocal, listener.getLocalPort()));
        Socket server = closing(listener.accept());
        client.getOutputStream().write(7);
        assertEquals(7, server.getInputStream().read());
        assertTrue(client.getLocalAddress().isLinkLocalAddress());
    }

    @Test
    void wildcardListenerTakesThePortOnEveryAddress() throws Exception {
        assumeIpv6();
        ServerSocketChannel listener = closing(ServerSocketChannel.open()).bind(new InetSocketAddress(0));
        for (String host : List.of(TestHost.NAME, TestHost.NAME6)) {
            assertThrowsA(
                    BindException.class,
                    () -> closing(ServerSocketChannel.open()).bind(new InetSocketAddress(host, port(listener))));
        }
        assertFalse(listener.getLocalAddress().toString().isEmpty());
    }

    private SocketChannel reusing() throws Exception {
        return closing(SocketChannel.open()).setOption(StandardSocketOptions.SO_REUSEADDR, true);
    }

    private static InetSocketAddress remote(SocketChannel channel) throws Exception {
        return (InetSocketAddress) channel.getRemoteAddress();
    }

    private static NetworkInterface loopback() throws SocketException {
        for (NetworkInterface candidate : (Iterable<NetworkInterface>) NetworkInterface.networkInterfaces()::iterator) {
            if (candidate.isLoopback() && candidate.inetAddresses().anyMatch(Inet6Address.class::isInstance)) {
                return candidate;
            }
        }
        Assumptions.abort("this host has no IPv6 loopback address");
        return null;
    }

    private static InetAddress linkLocalAddress() throws SocketException {
        for (NetworkInterface candidate : (Iterable<NetworkInterface>) NetworkInterface.networkInterfaces()::iterator) {
            for (InetAddress address : (Iterable<InetAddress>) candidate.inetAddresses()::iterator) {
                if (address instanceof Inet6Address && address.isLinkLocalAddress() && candidate.isUp()) {
                    return address;
                }
            }
        }
        Assumptions.abort("this host has no link-local address");
        return null;
    }

    private static boolean mayBindPrivilegedPorts() throws Exception {
        String effective = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("CapEff:"))
                .findFirst()
                .orElseThrow();
        int netBindService = 10;
        return (Long.parseUnsignedLong(effective.substring(7).trim(), 16) >>> netBindService & 1) != 0;
    }

    private static void assertNotLocal(Executable bind) {
        BindException thrown = assertThrowsA(BindException.class, bind);
        assertTrue(thrown.getMessage().startsWith("Cannot assign requested address"), thrown.getMessage());
    }
}
