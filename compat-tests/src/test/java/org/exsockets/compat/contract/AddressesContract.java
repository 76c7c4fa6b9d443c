package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.BindException;
import java.net.ConnectException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.exsockets.compat.harness.Face;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.PeerListener;
import org.exsockets.compat.harness.PeerSocket;
import org.exsockets.compat.harness.TestHost;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** The addresses of connections and listeners, as both ends see them, over IPv4 and IPv6. */
@Tag("fallback")
class AddressesContract extends Contract {
    @Test
    void bothProcessesAgreeOnTheAddressesOfAChannel() throws Exception {
        ChannelLink out = connectedChannel();
        assertEquals(out.local().getLocalAddress(), out.remote().remoteAddress());
        assertEquals(out.local().getRemoteAddress(), out.remote().localAddress());
        ChannelLink in = acceptedChannel();
        assertEquals(in.local().getLocalAddress(), in.remote().remoteAddress());
        assertEquals(in.local().getRemoteAddress(), in.remote().localAddress());
    }

    @Test
    void bothProcessesAgreeOnTheAddressesOfASocket() throws Exception {
        SocketLink out = connectedSocket();
        assertEquals(out.local().getLocalSocketAddress(), out.remote().remoteAddress());
        assertEquals(out.local().getRemoteSocketAddress(), out.remote().localAddress());
        SocketLink in = acceptedSocket();
        assertEquals(in.local().getLocalSocketAddress(), in.remote().remoteAddress());
        assertEquals(in.local().getRemoteSocketAddress(), in.remote().localAddress());
    }

    @Test
    void everyConnectionHasAPortOfItsOwn() throws Exception {
        Set<SocketAddress> addresses = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            addresses.add(connectedChannel().local().getLocalAddress());
        }
        assertEquals(50, addresses.size());
    }

    @Test
    void itDoesNotMatterWhichProcessIsAskedFirst() throws Exception {
        ChannelLink out = connectedChannel();
        assertEquals(out.remote().remoteAddress(), out.local().getLocalAddress());
        SocketLink in = acceptedSocket();
        assertEquals(in.local().getRemoteSocketAddress(), in.remote().localAddress());
        ChannelLink accepted = acceptedChannel();
        assertEquals(accepted.remote().localAddress(), accepted.local().getRemoteAddress());
    }

    @Test
    void aClosedSocketTellsThePortThatItsPeerIsToldLater() throws Exception {
        SocketLink link = connectedSocket();
        link.local().close();
        assertEquals(link.local().getLocalPort(), link.remote().remoteAddress().getPort());
    }

    /** A client that is asked before its server is: what the server is told first over EXS, nobody keeps. */
    @Test
    void thePortThatAClientTellsIsNobodyElses() throws Exception {
        ServerSocketChannel own = closing(ServerSocketChannel.open()).bind(testAddress(0));
        SocketChannel channel = closing(SocketChannel.open(testAddress(port(own))));
        Socket socket = closing(new Socket(InetAddress.getByName(TestHost.NAME), port(own)));
        List<Integer> ports = List.of(((InetSocketAddress) channel.getLocalAddress()).getPort(), socket.getLocalPort());
        Set<Integer> told = new HashSet<>();
        for (int i = 0; i < ports.size(); i++) {
            told.add(((InetSocketAddress) closing(own.accept()).getRemoteAddress()).getPort());
        }
        assertEquals(Set.copyOf(ports), told);
        for (int port : ports) {
            ServerSocket listener = closing(new ServerSocket());
            assertThrows(BindException.class, "Address already in use", () -> listener.bind(testAddress(port)));
        }
    }

    @Test
    void everyConnectionThatIsAcceptedHasAPeerOfItsOwn() throws Exception {
        ServerSocketChannel listener = closing(ServerSocketChannel.open()).bind(testAddress(0));
        Set<SocketAddress> addresses = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            closing(SocketChannel.open(testAddress(port(listener))));
            addresses.add(closing(listener.accept()).getRemoteAddress());
        }
        assertEquals(50, addresses.size());
    }

    @Test
    void unconnectedChannelHasNoAddresses() throws Exception {
        SocketChannel channel = closing(SocketChannel.open());
        assertNull(channel.getLocalAddress());
        assertNull(channel.getRemoteAddress());
        assertFalse(channel.isConnected());
        ServerSocketChannel listener = closing(ServerSocketChannel.open());
        assertNull(listener.getLocalAddress());
    }

    @Test
    void unconnectedSocketHasNoAddresses() throws Exception {
        Socket socket = closing(new Socket());
        assertNull(socket.getRemoteSocketAddress());
        assertNull(socket.getLocalSocketAddress());
        assertNull(socket.getInetAddress());
        assertEquals(0, socket.getPort());
        assertEquals(-1, socket.getLocalPort());
        assertFalse(socket.isBound());
    }

    @Test
    void socketTellsItsAddressesOneByOne() throws Exception {
        SocketLink link = connectedSocket();
        Socket local = link.local();
        assertEquals(InetAddress.getByName(TestHost.NAME), local.getInetAddress());
        assertEquals(InetAddress.getByName(TestHost.NAME), local.getLocalAddress());
        assertEquals(link.remote().localAddress().getPort(), local.getPort());
        assertEquals(link.remote().remoteAddress().getPort(), local.getLocalPort());
    }

    @Test
    void socketsAndChannelsDescribeThemselves() throws Exception {
        Socket local = connectedSocket().local();
        assertEquals(
                "Socket[addr=/" + TestHost.NAME + ",port=" + local.getPort() + ",localport=" + local.getLocalPort()
                        + "]",
                local.toString());
        assertEquals("Socket[unconnected]", closing(new Socket()).toString());
        ServerSocket listener = listeningSocket();
        assertEquals(
                "ServerSocket[addr=/" + TestHost.NAME + ",localport=" + listener.getLocalPort() + "]",
                listener.toString());
        assertEquals("ServerSocket[unbound]", closing(new ServerSocket()).toString());
        SocketChannel channel = connectedChannel().local();
        String described = channel.toString();
        assertTrue(described.contains("connected"), described);
        assertTrue(described.contains("local=" + channel.getLocalAddress()), described);
        assertTrue(described.contains("remote=" + channel.getRemoteAddress()), described);
    }

    @Test
    void chosenLocalPortIsThePortThatThePeerSees() throws Exception {
        PeerListener listener = listener(Face.NIO);
        PeerSocket remote = listener.accept();
        SocketChannel channel = closing(SocketChannel.open());
        channel.bind(testAddress(0));
        SocketAddress bound = channel.getLocalAddress();
        channel.connect(testAddress(listener.port()));
        closing(remote::close);
        assertEquals(bound, channel.getLocalAddress());
        assertEquals(bound, remote.remoteAddress());
    }

    @Test
    void ipv6AddressConnectsToTheOtherProcess() throws Exception {
        assumeIpv6();
        PeerListener listener = peer().listen(Face.NET, TestHost.NAME6, 10);
        PeerSocket remote = listener.accept();
        Socket local = closing(new Socket(TestHost.NAME6, listener.port()));
        closing(remote::close);
        remote.write(5000);
        Pattern.check(0, local.getInputStream().readNBytes(5000), 0, 5000);
        assertTrue(local.getInetAddress() instanceof Inet6Address);
        assertEquals(local.getLocalSocketAddress(), remote.remoteAddress());
        listener.close();
    }

    @Test
    void wildcardListenerIsReachedByEveryAddressOfItsHost() throws Exception {
        ServerSocketChannel listener = closing(ServerSocketChannel.open()).bind(new InetSocketAddress(0));
        List<String> hosts = new ArrayList<>(List.of(TestHost.NAME, "127.0.0.1", "127.0.0.2", "localhost"));
        if (hasIpv6()) {
            hosts.add(TestHost.NAME6);
        }
        for (String host : hosts) {
            SocketChannel client = closing(SocketChannel.open(new InetSocketAddress(host, port(listener))));
            SocketChannel server = closing(listener.accept());
            assertEquals(client.getLocalAddress(), server.getRemoteAddress());
            assertEquals(client.getRemoteAddress(), server.getLocalAddress());
            client.write(Pattern.buffer(0, 100));
            readPattern(server, 0, 100);
        }
    }

    @Test
    void wildcardListenerIsReachedByAnAddressOfThisHost() throws Exception {
        InetAddress address = addressOfThisHost();
        ServerSocket listener = closing(new ServerSocket(0));
        Socket client = closing(new Socket(address, listener.getLocalPort()));
        Socket server = closing(listener.accept());
        assertEquals(address, client.getInetAddress());
        assertEquals(client.getLocalSocketAddress(), server.getRemoteSocketAddress());
        client.getOutputStream().write(Pattern.bytes(0, 100));
        Pattern.check(0, server.getInputStream().readNBytes(100), 0, 100);
    }

    @Test
    void listenerOnOneAddressIsNotReachedByAnother() throws Exception {
        ServerSocket listener = listeningSocket();
        InetSocketAddress other = new InetSocketAddress("127.0.0.2", listener.getLocalPort());
        assertThrows(
                ConnectException.class,
                "Connection refused",
                () -> closing(new Socket()).connect(other));
    }

    /** The kernel lets sockets be bound to it. */
    @Test
    void broadcastAddressOfTheLoopbackInterfaceLeadsNowhere() throws Exception {
        InetAddress broadcast = InetAddress.getByName("127.255.255.255");
        ServerSocket listener = closing(new ServerSocket(0));
        InetSocketAddress there = new InetSocketAddress(broadcast, listener.getLocalPort());
        assertUnreachable(() -> closing(new Socket()).connect(there));
        assertUnreachable(() -> closing(SocketChannel.open()).connect(there));
        ServerSocket bound = closing(new ServerSocket(0, 5, broadcast));
        assertUnreachable(() -> closing(new Socket()).connect(bound.getLocalSocketAddress()));
        Socket from = closing(new Socket());
        from.bind(new InetSocketAddress(broadcast, 0));
        assertUnreachable(() -> from.connect(testAddress(listener.getLocalPort())));
    }

    private static void assertUnreachable(Executable connect) {
        assertThrows(SocketException.class, "Network is unreachable", connect);
    }

    @Test
    void wildcardAddressConnectsToThisHost() throws Exception {
        ServerSocket listener = closing(new ServerSocket(0));
        Socket client = closing(new Socket());
        client.connect(new InetSocketAddress("0.0.0.0", listener.getLocalPort()));
        assertEquals(InetAddress.getLocalHost(), client.getInetAddress());
        Socket server = closing(listener.accept());
        server.getOutputStream().write(7);
        assertEquals(7, client.getInputStream().read());
    }

    @Test
    void unresolvedHostIsUnknown() throws Exception {
        Socket client = closing(new Socket());
        InetSocketAddress unresolved = InetSocketAddress.createUnresolved("nowhere.invalid", 80);
        assertThrows(UnknownHostException.class, "nowhere.invalid", () -> client.connect(unresolved));
    }

    @Test
    void refusedSocketCannotBeConnectedAgain() throws Exception {
        Socket client = closing(new Socket());
        InetSocketAddress nobody = unusedAddress();
        assertThrows(ConnectException.class, "Connection refused", () -> client.connect(nobody));
        SocketException closed = assertThrowsA(SocketException.class, () -> client.connect(nobody));
        assertTrue(Set.of("Socket closed", "Socket is closed").contains(closed.getMessage()), closed.getMessage());
    }

    @Test
    void socketCannotConnectTwice() throws Exception {
        Socket local = connectedSocket().local();
        SocketException twice = assertThrowsA(SocketException.class, () -> local.connect(testAddress(1)));
        assertEquals("already connected", twice.getMessage().toLowerCase(Locale.ROOT));
        assertThrows(SocketException.class, "Already bound", () -> local.bind(testAddress(0)));
    }

    @Test
    void listenersOfTwoPortsAreDifferent() throws Exception {
        ServerSocket first = listeningSocket();
        ServerSocket second = listeningSocket();
        assertNotEquals(first.getLocalPort(), second.getLocalPort());
        closing(new Socket(TestHost.NAME, second.getLocalPort()));
        first.setSoTimeout(50);
        assertThrowsA(SocketTimeoutException.class, first::accept);
        closing(second.accept());
    }

    private static InetAddress addressOfThisHost() throws Exception {
        for (NetworkInterface card : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            for (InetAddress address : Collections.list(card.getInetAddresses())) {
                if (!address.isLoopbackAddress() && !address.isLinkLocalAddress()) {
                    return address;
                }
            }
        }
        return Assumptions.abort("this host has loopback addresses only");
    }
}
