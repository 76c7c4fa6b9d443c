package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.BindException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.TestHost;
import org.exsockets.compat.harness.Transport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * {@code Socket} and {@code ServerSocket} as classes: subclasses, proxies, implementations of the program's own, states
 * and addresses, time-outs that change, and what the streams inherit from {@code InputStream}.
 */
@Tag("usual")
class SocketClassContract extends Contract {
    /** A socket that accepts what {@code implAccept} gives it. */
    private static final class OwnSocket extends Socket {
        final AtomicInteger closes = new AtomicInteger();

        OwnSocket() {}

        OwnSocket(SocketImpl implementation) throws IOException {
            super(implementation);
        }

        @Override
        public synchronized void close() throws IOException {
            closes.incrementAndGet();
            super.close();
        }
    }

    /** A listener that accepts into a given socket. */
    private static final class OwnListener extends ServerSocket {
        private Socket next;

        OwnListener() throws IOException {
            super(0, 5, InetAddress.getByName(TestHost.NAME));
        }

        /** Not bound. */
        OwnListener(@SuppressWarnings("unused") Void unbound) throws IOException {}

        Socket acceptInto(Socket socket) throws IOException {
            next = socket;
            return accept();
        }

        @Override
        public Socket accept() throws IOException {
            implAccept(next);
            return next;
        }
    }

    // Subclasses.

    @Test
    void implAcceptTakesASocketWithoutImplementation() throws Exception {
        OwnListener listener = closing(new OwnListener());
        Socket client = closing(new Socket(TestHost.NAME, listener.getLocalPort()));
        Socket server = closing(listener.acceptInto(new OwnSocket((SocketImpl) null)));
        assertExchange(client, server);
        assertEquals(client.getLocalSocketAddress(), server.getRemoteSocketAddress());
    }

    @Test
    void implAcceptBeforeTheBindFails() throws Exception {
        OwnListener listener = closing(new OwnListener(null));
        assertThrows(SocketException.class, "Socket not created", () -> listener.acceptInto(new OwnSocket()));
    }

    @Test
    void implAcceptMakesItsSocketConnectedAndBound() throws Exception {
        OwnListener listener = closing(new OwnListener());
        closing(new Socket(TestHost.NAME, listener.getLocalPort()));
        Socket server = closing(new OwnSocket());
        assertFalse(server.isConnected() || server.isBound());
        assertSame(server, listener.acceptInto(server));
        assertTrue(server.isConnected() && server.isBound() && !server.isClosed());
        assertEquals(listener.getLocalPort(), server.getLocalPort());
    }

    @Test
    void implAcceptThatTimedOutMayBeRepeatedWithTheSameSocket() throws Exception {
        OwnListener listener = closing(new OwnListener());
        Socket server = closing(new OwnSocket());
        listener.setSoTimeout(30);
        assertThrows(SocketTimeoutException.class, "Accept timed out", () -> listener.acceptInto(server));
        listener.setSoTimeout(0);
        Socket client = closing(new Socket(TestHost.NAME, listener.getLocalPort()));
        listener.acceptInto(server);
        assertExchange(client, server);
    }

    @Test
    void implAcceptIntoTheSocketOfAChannelFailsAndLosesNoConnection() throws Exception {
        OwnListener listener = closing(new OwnListener());
        Socket client = closing(new Socket(TestHost.NAME, listener.getLocalPort()));
        SocketChannel channel = closing(SocketChannel.open());
        assertThrowsA(IOException.class, () -> listener.acceptInto(channel.socket()));
        assertFalse(channel.socket().isConnected());
        assertExchange(client, closing(listener.acceptInto(new OwnSocket())));
    }

    @Test
    void closeOfAStreamGoesThroughTheSubclass() throws Exception {
        OwnListener listener = closing(new OwnListener());
        closing(new Socket(TestHost.NAME, listener.getLocalPort()));
        OwnSocket server = new OwnSocket();
        listener.acceptInto(server).getInputStream().close();
        assertEquals(1, server.closes.get());
        assertTrue(server.isClosed());
    }

    @Test
    void closeOfTheListenerEndsImplAccept() throws Exception {
        OwnListener listener = closing(new OwnListener());
        Background<Socket> accept = Background.start(() -> listener.acceptInto(new OwnSocket()));
        accept.awaitBlockedIn("accept");
        listener.close();
        assertThrown(SocketException.class, "Socket closed", accept);
    }

    @Test
    void programsOwnImplementationsWorkBesideThePlatforms() throws Exception {
        Process program = new ProcessBuilder(OwnImplementations.command(Transport.peerArguments())).start();
        program.getOutputStream().close();
        Background<String> errors =
                Background.start(() -> new String(program.getErrorStream().readAllBytes()));
        assertEquals(
                OwnImplementations.EXPECTED, new String(program.getInputStream().readAllBytes()), errors::toString);
        assertEquals(0, program.waitFor());
    }

    // Proxies.

    /** A kind that JDK 25 refuses to make. */
    @Test
    @SuppressWarnings("deprecation") // Programs use it all the same.
    void socketMayBeOneOfDatagrams() throws Exception {
        DatagramSocket peer = closing(new DatagramSocket(testAddress(0)));
        InetAddress host = InetAddress.getByName(TestHost.NAME);
        if (Runtime.version().feature() >= 25) {
            assertThrowsA(IllegalArgumentException.class, () -> new Socket(host, peer.getLocalPort(), false));
            return;
        }
        Socket socket = closing(new Socket(host, peer.getLocalPort(), false));
        socket.getOutputStream().write(Pattern.bytes(0, 100));
        DatagramPacket packet = new DatagramPacket(new byte[200], 200);
        peer.receive(packet);
        assertEquals(100, packet.getLength());
        Pattern.check(0, packet.getData(), 0, 100);
        assertEquals(socket.getLocalSocketAddress(), packet.getSocketAddress());
        assertEquals(peer.getLocalSocketAddress(), socket.getRemoteSocketAddress());
        peer.send(packet);
        assertEquals(100, socket.getInputStream().read(new byte[200]));
        socket.close();
        assertThrowsA(SocketException.class, () -> socket.getOutputStream().write(1));
    }

    @Test
    void explicitSocksProxyCarriesTheConnection() throws Exception {
        ServerSocket target = listeningSocket();
        TinyProxy proxy = closing(new TinyProxy(TinyProxy.Kind.SOCKS));
        Socket client = closing(new Socket(proxy.asProxy()));
        client.connect(testAddress(target.getLocalPort()), 5_000);
        assertExchange(client, closing(target.accept()));
        assertEquals(1, proxy.connections());
        assertEquals(testAddress(target.getLocalPort()), client.getRemoteSocketAddress());
        assertEquals(target.getLocalPort(), client.getPort());
    }

    @Test
    void socksProxyResolvesTheNamesOfUnresolvedHosts() throws Exception {
        ServerSocket target = listeningSocket();
        TinyProxy proxy = closing(new TinyProxy(TinyProxy.Kind.SOCKS));
        Socket client = closing(new Socket(proxy.asProxy()));
        client.connect(InetSocketAddress.createUnresolved("target.invalid", target.getLocalPort()));
        assertExchange(client, closing(target.accept()));
        assertEquals("target.invalid", proxy.lastHost());
    }

    @Test
    void refusalOfASocksProxyIsASocketException() throws Exception {
        TinyProxy proxy = closing(new TinyProxy(TinyProxy.Kind.SOCKS));
        Socket client = closing(new Socket(proxy.asProxy()));
        InetSocketAddress nobody = unusedAddress();
        assertThrows(SocketException.class, "SOCKS: Connection refused", () -> client.connect(nobody));
    }

    @Test
    void silentSocksProxyLetsTheConnectTimeOut() throws Exception {
        ServerSocket silent = listeningSocket();
        Proxy proxy = new Proxy(Proxy.Type.SOCKS, testAddress(silent.getLocalPort()));
        Socket client = closing(new Socket(proxy));
        assertThrowsA(SocketTimeoutException.class, () -> client.connect(testAddress(1), 50));
    }

    @Test
    void socksProxyOfThePropertyIsUsed() throws Exception {
        ServerSocket target = listeningSocket();
        TinyProxy proxy = closing(new TinyProxy(TinyProxy.Kind.SOCKS));
        System.setProperty("socksProxyHost", TestHost.NAME);
        System.setProperty("socksProxyPort", Integer.toString(proxy.port()));
        System.setProperty("socksNonProxyHosts", "");
        try {
            Socket client = closing(new Socket());
            client.connect(testAddress(target.getLocalPort()));
            assertExchange(client, closing(target.accept()));
            assertEquals(1, proxy.connections());
            Socket direct = closing(new Socket(Proxy.NO_PROXY));
            direct.connect(testAddress(target.getLocalPort()));
            assertExchange(direct, closing(target.accept()));
            assertEquals(1, proxy.connections());
        } finally {
            System.clearProperty("socksProxyHost");
            System.clearProperty("socksProxyPort");
            System.clearProperty("socksNonProxyHosts");
        }
    }

    @Test
    void explicitHttpProxyCarriesTheConnection() throws Exception {
        ServerSocket target = listeningSocket();
        TinyProxy proxy = closing(new TinyProxy(TinyProxy.Kind.HTTP));
        Socket client = closing(new Socket(proxy.asProxy()));
        client.connect(testAddress(target.getLocalPort()));
        assertExchange(client, closing(target.accept()));
        assertEquals(1, proxy.connections());
    }

    @Test
    void refusalOfAnHttpProxyIsTold() throws Exception {
        TinyProxy proxy = closing(new TinyProxy(TinyProxy.Kind.HTTP));
        Socket client = closing(new Socket(proxy.asProxy()));
        InetSocketAddress nobody = unusedAddress();
        IOException refused = assertThrowsA(IOException.class, () -> client.connect(nobody));
        assertTrue(refused.getMessage().contains("502"), refused.getMessage());
    }

    @Test
    void optionsSetBeforeAProxiedConnectAreKept() throws Exception {
        ServerSocket target = listeningSocket();
        for (TinyProxy.Kind kind : TinyProxy.Kind.values()) {
            TinyProxy proxy = closing(new TinyProxy(kind));
            Socket client = closing(new Socket(proxy.asProxy()));
            client.setTcpNoDelay(true);
            client.setSoTimeout(4_321);
            client.connect(testAddress(target.getLocalPort()));
            closing(target.accept());
            assertTrue(client.getTcpNoDelay());
            assertEquals(4_321, client.getSoTimeout());
        }
    }

    // States.

    @Test
    void socketTellsItsStateFromItsMakingToItsClose() throws Exception {
        ServerSocket listener = listeningSocket();
        Socket socket = closing(new Socket());
        assertState(socket, false, false, false, false, false);
        socket.bind(testAddress(0));
        assertState(socket, true, false, false, false, false);
        socket.connect(testAddress(listener.getLocalPort()));
        closing(listener.accept());
        assertState(socket, true, true, false, false, false);
        socket.shutdownInput();
        assertState(socket, true, true, false, true, false);
        socket.shutdownOutput();
        assertState(socket, true, true, false, true, true);
        socket.close();
        assertState(socket, true, true, true, true, true);
    }

    @Test
    void adaptorTellsItsStateFromItsMakingToItsClose() throws Exception {
        SocketChannel channel = closing(SocketChannel.open());
        Socket adaptor = channel.socket();
        assertState(adaptor, false, false, false, false, false);
        channel.bind(testAddress(0));
        assertState(adaptor, true, false, false, false, false);
        channel.connect(listeningChannel().getLocalAddress());
        assertState(adaptor, true, true, false, false, false);
        channel.shutdownInput();
        assertState(adaptor, true, true, false, true, false);
        channel.shutdownOutput();
        assertState(adaptor, true, true, false, true, true);
    }

    private static void assertState(
            Socket socket, boolean bound, boolean connected, boolean closed, boolean inputShut, boolean outputShut) {
        assertEquals(
                List.of(bound, connected, closed, inputShut, outputShut),
                List.of(
                        socket.isBound(),
                        socket.isConnected(),
                        socket.isClosed(),
                        socket.isInputShutdown(),
                        socket.isOutputShutdown()));
    }

    @Test
    void listenerTellsItsStateFromItsMakingToItsClose() throws Exception {
        ServerSocket listener = closing(new ServerSocket());
        assertFalse(listener.isBound() || listener.isClosed());
        assertEquals("ServerSocket[unbound]", listener.toString());
        assertNull(listener.getInetAddress());
        listener.bind(testAddress(0));
        assertTrue(listener.isBound() && !listener.isClosed());
        int port = listener.getLocalPort();
        listener.close();
        assertTrue(listener.isBound() && listener.isClosed());
        assertEquals(port, listener.getLocalPort());
        assertEquals(testAddress(port), listener.getLocalSocketAddress());
        assertThrows(SocketException.class, "Socket is closed", () -> listener.bind(testAddress(0)));
    }

    @Test
    void closedSocketKeepsItsPeersAddressAndItsPort() throws Exception {
        Socket socket = socketPair().client();
        var remote = socket.getRemoteSocketAddress();
        int port = socket.getLocalPort();
        String described = socket.toString();
        socket.close();
        assertEquals(remote, socket.getRemoteSocketAddress());
        assertEquals(port, socket.getLocalPort());
        assertEquals(described, socket.toString());
        assertEquals("0.0.0.0/0.0.0.0", socket.getLocalAddress().toString());
        assertEquals(new InetSocketAddress("0.0.0.0", port), socket.getLocalSocketAddress());
    }

    @Test
    void closedAdaptorKeepsItsAddresses() throws Exception {
        for (Socket adaptor :
                List.of(channelPair().client().socket(), channelPair().server().socket())) {
            var remote = adaptor.getRemoteSocketAddress();
            var local = adaptor.getLocalSocketAddress();
            int port = adaptor.getLocalPort();
            adaptor.close();
            assertEquals(remote, adaptor.getRemoteSocketAddress());
            assertEquals(local, adaptor.getLocalSocketAddress());
            assertEquals(port, adaptor.getLocalPort());
            assertEquals("0.0.0.0/0.0.0.0", adaptor.getLocalAddress().toString());
        }
    }

    @Test
    void streamsOfASocketAreAlwaysTheSameAndItHasNoChannel() throws Exception {
        SocketPair pair = socketPair();
        for (Socket socket : List.of(pair.client(), pair.server())) {
            assertSame(socket.getInputStream(), socket.getInputStream());
            assertSame(socket.getOutputStream(), socket.getOutputStream());
            assertNull(socket.getChannel());
        }
        assertNotSame(pair.client().getInputStream(), pair.server().getInputStream());
    }

    // Local addresses.

    @Test
    void explicitLocalPortIsSeenByThePeerAndFreedByTheClose() throws Exception {
        ServerSocket listener = listeningSocket();
        InetAddress host = InetAddress.getByName(TestHost.NAME);
        int port;
        try (Socket reserved = new Socket()) {
            reserved.setReuseAddress(true);
            reserved.bind(testAddress(0));
            port = reserved.getLocalPort();
        }
        Socket client = closing(new Socket(host, listener.getLocalPort(), host, port));
        assertEquals(port, client.getLocalPort());
        Socket server = closing(listener.accept());
        assertEquals(port, server.getPort());
        assertExchange(client, server);
    }

    @Test
    void localPortThatIsInUseIsRefused() throws Exception {
        ServerSocket listener = listeningSocket();
        InetAddress host = InetAddress.getByName(TestHost.NAME);
        Socket first = closing(new Socket(host, listener.getLocalPort()));
        BindException inUse = assertThrowsA(
                BindException.class,
                () -> closing(new Socket(host, listener.getLocalPort(), host, first.getLocalPort())));
        assertTrue(inUse.getMessage().startsWith("Address already in use"), inUse.getMessage());
    }

    @Test
    void wildcardLocalAddressBecomesOneThatLeadsToThePeer() throws Exception {
        ServerSocket listener = listeningSocket();
        Socket client = closing(new Socket());
        client.bind(new InetSocketAddress(0));
        int port = client.getLocalPort();
        client.connect(testAddress(listener.getLocalPort()));
        assertEquals(testAddress(port), client.getLocalSocketAddress());
        assertEquals(testAddress(port), closing(listener.accept()).getRemoteSocketAddress());
    }

    // Time-outs that change.

    @Test
    void readThatWaitsKeepsTheTimeoutItBeganWith() throws Exception {
        SocketPair pair = socketPair();
        Background<Integer> read = startRead(pair.client());
        pair.client().setSoTimeout(1);
        for (int i = 0; i < 4; i++) {
            read.awaitBlockedIn("read");
        }
        pair.server().getOutputStream().write(7);
        assertEquals(7, read.result());
        assertThrows(
                SocketTimeoutException.class,
                "Read timed out",
                () -> pair.client().getInputStream().read());
    }

    @Test
    void readThatWaitsTimesOutThoughTheTimeoutIsTakenAway() throws Exception {
        SocketPair pair = socketPair();
        pair.client().setSoTimeout(3_000);
        Background<Integer> read = startRead(pair.client());
        pair.client().setSoTimeout(0);
        assertThrown(SocketTimeoutException.class, "Read timed out", read);
    }

    @Test
    void acceptThatWaitsKeepsTheTimeoutItBeganWith() throws Exception {
        ServerSocket listener = listeningSocket();
        Background<Socket> accept = Background.start(listener::accept).awaitBlockedIn("accept");
        listener.setSoTimeout(1);
        for (int i = 0; i < 4; i++) {
            accept.awaitBlockedIn("accept");
        }
        closing(new Socket(TestHost.NAME, listener.getLocalPort()));
        closing(accept.result());
        assertThrows(SocketTimeoutException.class, "Accept timed out", listener::accept);
    }

    @Test
    void everyReadingCallTimesOut() throws Exception {
        for (Socket socket :
                List.of(socketPair().client(), channelPair().client().socket())) {
            socket.setSoTimeout(20);
            InputStream in = socket.getInputStream();
            for (Executable call : List.<Executable>of(
                    in::read,
                    () -> in.read(new byte[5]),
                    in::readAllBytes,
                    () -> in.readNBytes(3),
                    () -> in.skip(1),
                    () -> in.skipNBytes(1),
                    () -> in.transferTo(new ByteArrayOutputStream()))) {
                assertThrows(SocketTimeoutException.class, "Read timed out", call);
            }
            assertEquals(0, in.read(new byte[0]));
        }
    }

    // The streams.

    @Test
    void availableFollowsReadsAndSkipsAndOutlivesThePeer() throws Exception {
        SocketPair sockets = socketPair();
        ChannelPair channels = channelPair();
        for (SocketPair pair : List.of(
                sockets,
                new SocketPair(channels.client().socket(), channels.server().socket()))) {
            pair.server().getOutputStream().write(Pattern.bytes(0, 100));
            InputStream in = pair.client().getInputStream();
            assertEquals(Pattern.at(0), (byte) in.read());
            await("the bytes", () -> available(in) == 99);
            assertEquals(30, in.skip(30));
            assertEquals(69, in.available());
            pair.server().close();
            assertEquals(69, in.available());
            assertEquals(69, in.readAllBytes().length);
            assertEquals(0, in.available());
            assertEquals(0, in.skip(1));
        }
    }

    private static int available(InputStream in) {
        try {
            return in.available();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void streamsHaveNoMarkAndRefuseNothingAndNull() throws Exception {
        for (Socket socket :
                List.of(socketPair().client(), channelPair().client().socket())) {
            InputStream in = socket.getInputStream();
            assertFalse(in.markSupported());
            in.mark(10);
            assertThrows(IOException.class, "mark/reset not supported", in::reset);
            assertEquals(0, in.skip(0));
            assertEquals(0, in.skip(-1));
            assertEquals(0, in.readNBytes(0).length);
            assertThrowsA(NullPointerException.class, () -> in.read(null));
            assertThrowsA(NullPointerException.class, () -> in.read(null, 0, 1));
            assertThrowsA(NullPointerException.class, () -> in.transferTo(null));
            assertThrowsA(
                    NullPointerException.class, () -> socket.getOutputStream().write(null));
            assertThrowsA(
                    IndexOutOfBoundsException.class,
                    () -> socket.getOutputStream().write(new byte[3], 2, 2));
            socket.getOutputStream().flush();
        }
    }

    @Test
    void skipPastTheEndTellsHowFarItCame() throws Exception {
        SocketPair pair = socketPair();
        pair.server().getOutputStream().write(new byte[20_000]);
        pair.server().close();
        assertEquals(20_000, pair.client().getInputStream().skip(1_000_000));
        assertThrowsA(IOException.class, () -> pair.client().getInputStream().skipNBytes(1));
    }

    private static void assertExchange(Socket client, Socket server) throws IOException {
        client.getOutputStream().write(Pattern.bytes(0, 5_000));
        Pattern.check(0, server.getInputStream().readNBytes(5_000), 0, 5_000);
        server.getOutputStream().write(Pattern.bytes(0, 3_000));
        Pattern.check(0, client.getInputStream().readNBytes(3_000), 0, 3_000);
    }
}
