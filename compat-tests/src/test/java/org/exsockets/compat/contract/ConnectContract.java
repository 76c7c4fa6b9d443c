package org.exsockets.compat.contract;

import static java.nio.channels.SelectionKey.OP_CONNECT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.NotOver;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.TestHost;
import org.exsockets.compat.harness.Transport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Connecting with sockets, channels and adaptors: refused, unreachable, unanswered, pending, twice, to itself. */
@Tag("noagent")
class ConnectContract extends Contract {
    /** From JDK 24 on a connect that fails closes its socket, not only what is behind it. */
    private static final boolean CLOSED_BY_FAILURE = Runtime.version().feature() >= 24;

    private static final InetSocketAddress BROADCAST = new InetSocketAddress("255.255.255.255", 9);

    @Test
    void refusedSocketIsNotConnected() throws Exception {
        Socket socket = closing(new Socket());
        InetSocketAddress nobody = unusedAddress();
        assertThrows(ConnectException.class, "Connection refused", () -> socket.connect(nobody));
        assertEquals(CLOSED_BY_FAILURE, socket.isClosed());
        assertFalse(socket.isConnected());
    }

    @Test
    void refusedAdaptorClosesItsChannel() throws Exception {
        SocketChannel channel = closing(SocketChannel.open());
        InetSocketAddress nobody = unusedAddress();
        assertThrows(
                ConnectException.class,
                waitedFor("Connection refused"),
                () -> channel.socket().connect(nobody, 5000));
        assertFalse(channel.isOpen());
    }

    @Test
    void refusedNonBlockingConnectIsConnectableAndItsSelectorForgetsIt() throws Exception {
        SocketChannel channel = nonBlocking();
        Selector selector = closing(Selector.open());
        assertThrows(ConnectException.class, waitedFor("Connection refused"), () -> {
            channel.connect(unusedAddress());
            SelectionKey key = channel.register(selector, OP_CONNECT);
            awaitReady(key, OP_CONNECT);
            channel.finishConnect();
        });
        selector.selectNow();
        assertTrue(selector.keys().isEmpty());
    }

    @Test
    void unreachableNetworkIsReportedByAChannel() throws Exception {
        SocketChannel channel = closing(SocketChannel.open());
        assertUnreachable(() -> channel.connect(BROADCAST));
        assertFalse(channel.isOpen());
    }

    @Test
    @NotOver(
            value = Transport.DISNI,
            reason =
                    "a non-blocking connect that an adapter may take goes on in the background: finishConnect reports its failure")
    void unreachableNetworkIsReportedByANonBlockingChannel() throws Exception {
        SocketChannel channel = nonBlocking();
        assertUnreachable(() -> channel.connect(BROADCAST));
        assertFalse(channel.isOpen());
    }

    @Test
    void unreachableNetworkIsReportedByASocket() throws Exception {
        Socket socket = closing(new Socket());
        assertUnreachable(() -> socket.connect(BROADCAST));
        assertEquals(CLOSED_BY_FAILURE, socket.isClosed());
        assertUnreachable(() -> closing(new Socket()).connect(BROADCAST, 1000));
    }

    @Test
    void unresolvedAddressIsUnknownToTheAdaptor() throws Exception {
        InetSocketAddress unresolved = InetSocketAddress.createUnresolved("nowhere.invalid", 80);
        Socket adaptor = closing(SocketChannel.open()).socket();
        assertThrowsA(UnknownHostException.class, () -> adaptor.connect(unresolved));
        assertThrowsA(
                UnknownHostException.class,
                () -> closing(SocketChannel.open()).socket().connect(unresolved, 100));
    }

    @Test
    void missingAddressIsRefused() throws Exception {
        assertThrowsA(
                IllegalArgumentException.class, () -> closing(new Socket()).connect(null));
        assertThrowsA(
                NullPointerException.class, () -> closing(SocketChannel.open()).connect(null));
    }

    @Test
    void portZeroIsRefused() throws Exception {
        InetSocketAddress zero = testAddress(0);
        assertThrowsA(SocketException.class, () -> closing(SocketChannel.open()).connect(zero));
        assertThrowsA(SocketException.class, () -> closing(new Socket()).connect(zero));
    }

    @Test
    void adaptorCannotConnectTwice() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        Socket adaptor = closing(SocketChannel.open()).socket();
        adaptor.connect(testAddress(port(listener)));
        Class<? extends Throwable> refusal =
                Runtime.version().feature() >= 25 ? SocketException.class : AlreadyConnectedException.class;
        assertThrowsA(refusal, () -> adaptor.connect(testAddress(port(listener))));
        assertTrue(adaptor.isConnected());
        assertFalse(adaptor.isClosed());
    }

    @Test
    void adaptorOfANonBlockingChannelDoesNotConnect() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        SocketChannel channel = nonBlocking();
        assertThrowsA(IllegalBlockingModeException.class, () -> channel.socket().connect(testAddress(port(listener))));
        assertTrue(channel.isOpen());
    }

    @Test
    void closedSocketsAndChannelsDoNotConnect() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        InetSocketAddress target = testAddress(port(listener));
        Socket socket = new Socket();
        socket.close();
        assertThrows(SocketException.class, "Socket is closed", () -> socket.connect(target));
        SocketChannel channel = SocketChannel.open();
        channel.close();
        assertThrowsA(ClosedChannelException.class, () -> channel.connect(target));
        assertThrowsA(ClosedChannelException.class, channel::finishConnect);
    }

    @Test
    void channelConnectedToItselfReadsWhatItWrites() throws Exception {
        SocketChannel channel = closing(SocketChannel.open()).bind(testAddress(0));
        assertTrue(channel.connect(channel.getLocalAddress()));
        assertEquals(channel.getLocalAddress(), channel.getRemoteAddress());
        writeFully(channel, Pattern.buffer(0, 1000));
        readPattern(channel, 0, 1000);
    }

    @Test
    void socketConnectedToItselfReadsWhatItWrites() throws Exception {
        Socket socket = closing(new Socket());
        socket.bind(testAddress(0));
        socket.connect(socket.getLocalSocketAddress());
        assertEquals(socket.getLocalPort(), socket.getPort());
        socket.getOutputStream().write(Pattern.bytes(0, 1000));
        Pattern.check(0, socket.getInputStream().readNBytes(1000), 0, 1000);
    }

    @Test
    void nonBlockingChannelConnectsToItself() throws Exception {
        SocketChannel channel = nonBlocking();
        channel.bind(testAddress(0));
        finish(channel, channel.connect(channel.getLocalAddress()));
        channel.configureBlocking(true);
        writeFully(channel, Pattern.buffer(0, 10));
        readPattern(channel, 0, 10);
    }

    @Test
    void connectionToAPortThatWasItsOwnOnlyFormerlyIsRefused() throws Exception {
        SocketChannel former = closing(SocketChannel.open()).bind(testAddress(0));
        SocketAddress given = former.getLocalAddress();
        former.close();
        SocketChannel channel = closing(SocketChannel.open()).bind(testAddress(0));
        assertThrows(ConnectException.class, "Connection refused", () -> channel.connect(given));
    }

    @Test
    void pendingConnectionTellsWhereItGoesButNotYetWhereItComesFrom() throws Exception {
        SocketChannel channel = nonBlocking();
        InetSocketAddress silent = silentAddress();
        assertFalse(channel.connect(silent));
        assertTrue(channel.isConnectionPending());
        assertFalse(channel.isConnected());
        assertNull(channel.getLocalAddress());
        assertEquals(silent, channel.getRemoteAddress());
        assertEquals(silent.getPort(), channel.socket().getPort());
    }

    @Test
    void connectionThatIsNotFinishedYetTellsWhereItGoes() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        SocketChannel channel = nonBlocking();
        channel.connect(listener.getLocalAddress());
        assertEquals(listener.getLocalAddress(), channel.getRemoteAddress());
        assertEquals(port(listener), channel.socket().getPort());
        SocketChannel accepted = closing(listener.accept());
        finish(channel, channel.isConnected());
        assertEquals(accepted.getRemoteAddress(), channel.getLocalAddress());
    }

    @Test
    void pendingConnectionOfABoundChannelTellsBothAddresses() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        SocketChannel channel = nonBlocking();
        channel.bind(testAddress(0));
        SocketAddress local = channel.getLocalAddress();
        channel.connect(listener.getLocalAddress());
        assertEquals(local, channel.getLocalAddress());
        assertEquals(local, closing(listener.accept()).getRemoteAddress());
    }

    @Test
    void pendingConnectionIsNotFinishedAndRefusesEverythingElse() throws Exception {
        SocketChannel channel = nonBlocking();
        InetSocketAddress silent = silentAddress();
        assertFalse(channel.connect(silent));
        assertFalse(channel.finishConnect());
        assertThrows(ConnectionPendingException.class, null, () -> channel.connect(silent));
        assertThrows(ConnectionPendingException.class, null, () -> channel.bind(testAddress(0)));
        assertThrows(NotYetConnectedException.class, null, channel::shutdownInput);
        assertThrows(NotYetConnectedException.class, null, channel::shutdownOutput);
        assertTrue(channel.toString().contains("connection-pending"), channel.toString());
        Selector selector = registered(channel, OP_CONNECT).selector();
        assertEquals(0, selector.selectNow());
    }

    @Test
    void connectThatIsResetBeforeItIsFinishedFails() throws Exception {
        assertFinishFails("Connection reset by peer", server -> {});
    }

    @Test
    void connectThatIsEndedAndResetBeforeItIsFinishedFailsOtherwise() throws Exception {
        assertFinishFails("Broken pipe", SocketChannel::shutdownOutput);
    }

    /** @param before what the peer does before it resets the connection */
    private void assertFinishFails(String message, Peer before) throws Exception {
        ServerSocketChannel listener = listeningChannel();
        SocketChannel channel = nonBlocking();
        assertFalse(channel.connect(testAddress(port(listener))));
        SocketChannel server = closing(listener.accept());
        before.does(server);
        transport().awaitOthers();
        server.setOption(StandardSocketOptions.SO_LINGER, 0);
        server.close();
        SelectionKey key = registered(channel, SelectionKey.OP_WRITE);
        awaitReady(key, SelectionKey.OP_WRITE);
        assertThrows(SocketException.class, waitedFor(message), channel::finishConnect);
        assertFalse(channel.isOpen());
    }

    @FunctionalInterface
    private interface Peer {
        void does(SocketChannel server) throws IOException;
    }

    @Test
    void closeOfAPendingConnectionLeavesItsSelectorAtTheNextSelection() throws Exception {
        SocketChannel channel = nonBlocking();
        assertFalse(channel.connect(silentAddress()));
        SelectionKey key = registered(channel, OP_CONNECT);
        key.selector().selectNow();
        channel.close();
        assertFalse(key.isValid());
        key.selector().selectNow();
        assertTrue(key.selector().keys().isEmpty());
    }

    @Test
    void closeEndsABlockedFinishConnect() throws Exception {
        SocketChannel channel = nonBlocking();
        assertFalse(channel.connect(silentAddress()));
        channel.configureBlocking(true);
        Background<Boolean> finish = Background.start(channel::finishConnect).awaitBlockedIn("finishConnect");
        channel.close();
        assertThrown(AsynchronousCloseException.class, null, finish);
    }

    @Test
    void interruptEndsABlockedFinishConnectAndClosesTheChannel() throws Exception {
        SocketChannel channel = nonBlocking();
        assertFalse(channel.connect(silentAddress()));
        channel.configureBlocking(true);
        Background<Boolean> finish = Background.start(channel::finishConnect).awaitBlockedIn("finishConnect");
        finish.thread().interrupt();
        assertThrown(ClosedByInterruptException.class, null, finish);
        assertFalse(channel.isOpen());
    }

    @Test
    void closeDuringASocketConnectThrowsSocketClosed() throws Exception {
        Socket socket = closing(new Socket());
        InetSocketAddress silent = silentAddress();
        Background<Boolean> connect = blockedConnect(socket, silent, 0);
        socket.close();
        Throwable thrown = connect.thrown();
        assertEquals(SocketException.class, thrown.getClass());
        assertTrue(List.of("Socket closed", "Closed by interrupt").contains(thrown.getMessage()), thrown.getMessage());
    }

    @Test
    void closeDuringATimedSocketConnectThrowsSocketClosed() throws Exception {
        Socket socket = closing(new Socket());
        Background<Boolean> connect = blockedConnect(socket, silentAddress(), Patience.NEVER_MS);
        socket.close();
        assertThrown(SocketException.class, "Socket closed", connect);
    }

    @Test
    void closeDuringAnAdaptorsConnectEndsIt() throws Exception {
        SocketChannel channel = closing(SocketChannel.open());
        Background<Boolean> connect = blockedConnect(channel.socket(), silentAddress(), Patience.NEVER_MS);
        channel.close();
        assertTrue(connect.thrown() instanceof IOException);
        assertFalse(channel.isOpen());
    }

    @Test
    void interruptDoesNotEndASocketConnect() throws Exception {
        Socket socket = closing(new Socket());
        ServerSocketChannel silent = silentListener();
        Background<Boolean> connect = Background.start(() -> {
            socket.connect(testAddress(port(silent)), 60_000);
            return Thread.currentThread().isInterrupted();
        });
        connect.awaitBlockedIn("connect").thread().interrupt();
        connect.awaitBlockedIn("connect");
        silent.configureBlocking(false);
        await("the connect that waits for room", () -> {
            acceptAll(silent);
            return connect.isDone();
        });
        assertTrue(connect.result());
    }

    private void acceptAll(ServerSocketChannel listener) {
        try {
            for (SocketChannel waiting; (waiting = listener.accept()) != null; ) {
                closing(waiting);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void adaptorsConnectTimesOutAndClosesTheChannel() throws Exception {
        SocketChannel channel = closing(SocketChannel.open());
        InetSocketAddress silent = silentAddress();
        assertThrowsA(SocketTimeoutException.class, () -> channel.socket().connect(silent, 300));
        assertFalse(channel.isOpen());
    }

    @Test
    void socketWhoseConnectTimedOutCannotConnectAgain() throws Exception {
        Socket socket = closing(new Socket());
        InetSocketAddress silent = silentAddress();
        assertThrowsA(SocketTimeoutException.class, () -> socket.connect(silent, 300));
        assertEquals(CLOSED_BY_FAILURE, socket.isClosed());
        SocketException again = assertThrowsA(SocketException.class, () -> socket.connect(silent, 300));
        assertTrue(List.of("Socket is closed", "Socket closed").contains(again.getMessage()), again.getMessage());
    }

    @Test
    void zeroConnectTimeoutIsNone() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        Socket socket = closing(new Socket());
        socket.connect(testAddress(port(listener)), 0);
        Socket adaptor = closing(SocketChannel.open()).socket();
        adaptor.connect(testAddress(port(listener)), 0);
        assertTrue(socket.isConnected() && adaptor.isConnected());
        assertThrowsA(
                IllegalArgumentException.class,
                () -> closing(SocketChannel.open()).socket().connect(testAddress(port(listener)), -1));
    }

    @Test
    void clientsBeyondTheBacklogConnectOnceTheListenerAccepts() throws Exception {
        ServerSocket listener = closing(new ServerSocket());
        listener.bind(testAddress(0), 1);
        List<Background<Integer>> clients = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int value = i;
            clients.add(Background.start(() -> {
                try (Socket client = new Socket(TestHost.NAME, listener.getLocalPort())) {
                    client.getOutputStream().write(value);
                    return client.getInputStream().read();
                }
            }));
        }
        for (int i = 0; i < 8; i++) {
            try (Socket server = listener.accept()) {
                server.getOutputStream().write(server.getInputStream().read() + 100);
            }
        }
        for (int i = 0; i < 8; i++) {
            assertEquals(i + 100, clients.get(i).result());
        }
    }

    @Test
    void socketOpenedWithALocalAddressUsesIt() throws Exception {
        ServerSocket listener = listeningSocket();
        int free = unusedAddress().getPort();
        InetAddress local = InetAddress.getByName(TestHost.NAME);
        Socket client = closing(new Socket(local, listener.getLocalPort(), local, free));
        assertEquals(free, client.getLocalPort());
        assertEquals(free, closing(listener.accept()).getPort());
    }

    @Test
    void boundChannelTellsItsAddressBeforeItConnectsAndKeepsIt() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        SocketChannel channel = closing(SocketChannel.open()).bind(testAddress(0));
        SocketAddress local = channel.getLocalAddress();
        assertNull(channel.getRemoteAddress());
        channel.connect(listener.getLocalAddress());
        assertEquals(local, channel.getLocalAddress());
        assertEquals(local, closing(listener.accept()).getRemoteAddress());
    }

    private static void finish(SocketChannel channel, boolean connected) throws IOException {
        if (!connected) {
            try (Selector selector = Selector.open()) {
                SelectionKey key = channel.register(selector, OP_CONNECT);
                awaitReady(key, OP_CONNECT);
                assertTrue(channel.finishConnect());
            }
        }
    }

    private static Background<Boolean> blockedConnect(Socket socket, InetSocketAddress target, int timeoutMs)
            throws InterruptedException {
        Background<Boolean> connect = Background.start(() -> {
            socket.connect(target, timeoutMs);
            return true;
        });
        return connect.awaitBlockedIn("connect");
    }

    private static void assertUnreachable(Executable connect) {
        SocketException thrown = assertThrowsA(SocketException.class, connect);
        assertTrue(thrown.getMessage().startsWith("Network is unreachable"), thrown.toString());
    }
}
