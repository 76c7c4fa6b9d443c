package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Face;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.PeerListener;
import org.exsockets.compat.harness.PeerSocket;
import org.exsockets.compat.harness.TestHost;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Binding, the backlog, accepting and the end of listeners, over both faces. */
@Tag("fallback")
class ListenersContract extends Contract {
    @Test
    void addressInUseIsRefusedToASecondListener() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        InetSocketAddress taken = testAddress(port(listener));
        ServerSocketChannel second = closing(ServerSocketChannel.open());
        BindException inUse = assertThrowsA(BindException.class, () -> second.bind(taken));
        assertEquals("Address already in use", inUse.getMessage());
        ServerSocket third = closing(new ServerSocket());
        inUse = assertThrowsA(BindException.class, () -> third.bind(taken));
        assertTrue(inUse.getMessage().startsWith("Address already in use"), inUse.getMessage());
    }

    @Test
    void addressInUseByTheOtherProcessIsRefused() throws Exception {
        PeerListener listener = listener(Face.NIO);
        ServerSocketChannel second = closing(ServerSocketChannel.open());
        assertThrows(BindException.class, "Address already in use", () -> second.bind(testAddress(listener.port())));
    }

    @Test
    void secondBindIsRefused() throws Exception {
        ServerSocketChannel channel = listeningChannel();
        assertThrows(AlreadyBoundException.class, null, () -> channel.bind(testAddress(0)));
        ServerSocket socket = listeningSocket();
        assertThrows(SocketException.class, "Already bound", () -> socket.bind(testAddress(0)));
    }

    @Test
    void acceptBeforeBindIsRefused() throws Exception {
        ServerSocket listener = closing(new ServerSocket());
        assertThrows(SocketException.class, "Socket is not bound yet", listener::accept);
        assertEquals(-1, listener.getLocalPort());
    }

    /** An accept that finds the address does not hold up the bind, nor what the bind has yet to do. */
    @Test
    void acceptMayBeginWhileABindIsUnderWay() throws Exception {
        for (int i = 0; i < 20; i++) {
            boolean byAdaptor = i % 2 == 1;
            ServerSocketChannel listener = closing(ServerSocketChannel.open());
            Background<SocketChannel> accept = Background.start(() -> {
                while (listener.getLocalAddress() == null) {
                    Thread.onSpinWait();
                }
                return byAdaptor ? listener.socket().accept().getChannel() : listener.accept();
            });
            Background<ServerSocketChannel> bind = Background.start(() -> listener.bind(testAddress(0)));
            bind.result();
            SocketChannel client = closing(SocketChannel.open(testAddress(port(listener))));
            assertEquals(client.getLocalAddress(), closing(accept.result()).getRemoteAddress());
        }
    }

    /** As above, for an accept that may find no address, and in whatever mode: it gets the next client. */
    @Test
    void acceptAndModeMayBeTriedUntilABindHasEnded() throws Exception {
        for (int i = 0; i < 50; i++) {
            ServerSocketChannel listener = closing(ServerSocketChannel.open());
            listener.configureBlocking(false);
            Background<SocketChannel> accept = Background.start(() -> acceptOnceBound(listener));
            Background<SelectableChannel> mode = Background.start(() -> {
                while (listener.getLocalAddress() == null) {
                    listener.configureBlocking(true);
                    listener.configureBlocking(false);
                }
                return listener.configureBlocking(true);
            });
            Background<ServerSocketChannel> bind = Background.start(() -> listener.bind(testAddress(0)));
            bind.result();
            SocketChannel client = closing(SocketChannel.open(testAddress(port(listener))));
            assertEquals(client.getLocalAddress(), closing(accept.result()).getRemoteAddress());
            mode.result();
        }
    }

    private static SocketChannel acceptOnceBound(ServerSocketChannel listener) throws IOException {
        while (true) {
            try {
                SocketChannel accepted = listener.accept();
                if (accepted != null) {
                    return accepted;
                }
            } catch (NotYetBoundException tooEarly) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void foreignAddressCannotBeBound() throws Exception {
        ServerSocketChannel listener = closing(ServerSocketChannel.open());
        assertThrowsA(BindException.class, () -> listener.bind(new InetSocketAddress("192.0.2.1", 0)));
    }

    @Test
    void portIsFreeAgainAfterTheListenerIsClosed() throws Exception {
        ServerSocketChannel first = listeningChannel();
        int port = port(first);
        closing(SocketChannel.open(testAddress(port)));
        closing(first.accept());
        first.close();
        ServerSocketChannel second = closing(ServerSocketChannel.open()).bind(testAddress(port));
        SocketChannel client = closing(SocketChannel.open(testAddress(port)));
        assertEquals(client.getLocalAddress(), closing(second.accept()).getRemoteAddress());
    }

    @Test
    void nobodyIsReachedAfterTheListenerIsClosed() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        InetSocketAddress address = testAddress(port(listener));
        closing(SocketChannel.open(address));
        listener.close();
        assertThrows(ConnectException.class, "Connection refused", () -> SocketChannel.open(address));
    }

    /** Whether the bind or the close comes first, and at every moment in between. */
    @Test
    void nobodyIsReachedAfterAServerSocketIsClosedWhileItBinds() throws Exception {
        InetSocketAddress address = unusedAddress();
        for (int round = 0; round < 450; round++) {
            ServerSocket listener = new ServerSocket();
            listener.setReuseAddress(true); // Without an implementation the JDK itself would close nothing.
            AtomicBoolean binds = new AtomicBoolean();
            Background<Boolean> bind = Background.start(() -> {
                binds.set(true);
                listener.bind(address);
                return true;
            });
            while (!binds.get()) {
                Thread.onSpinWait();
            }
            for (int spins = 20 * (round % 150); spins > 0; spins--) {
                Thread.onSpinWait();
            }
            listener.close();
            try {
                bind.result();
            } catch (IOException closed) {
                assertTrue(
                        String.valueOf(closed.getCause().getMessage()).matches("Socket (is )?closed"),
                        closed::toString);
            }
            assertThrowsA(ConnectException.class, () -> closing(new Socket(address.getAddress(), address.getPort())));
        }
    }

    @Test
    void pendingConnectionsAreAcceptedInTheOrderOfTheirConnects() throws Exception {
        ServerSocket listener = listeningSocket();
        List<Integer> connected = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Socket client = closing(new Socket(TestHost.NAME, listener.getLocalPort()));
            connected.add(client.getLocalPort());
        }
        List<Integer> accepted = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            accepted.add(closing(listener.accept()).getPort());
        }
        assertEquals(connected, accepted);
    }

    @Test
    void pendingConnectionsFromTheOtherProcessAreAccepted() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        List<PeerSocket> remotes = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            PeerSocket remote = peer().connect(Face.NIO, TestHost.NAME, port(listener));
            closing(remote::close);
            remotes.add(remote.awaitOpen());
            remote.write(100 + i);
        }
        for (PeerSocket remote : remotes) {
            SocketChannel local = closing(listener.accept());
            assertEquals(remote.localAddress(), local.getRemoteAddress());
            readPattern(local, 0, 100 + remotes.indexOf(remote));
        }
    }

    @Test
    void connectionClosedBeforeAcceptIsAcceptedWithItsBytesAndItsEnd() throws Exception {
        ServerSocket listener = listeningSocket();
        try (Socket client = new Socket(TestHost.NAME, listener.getLocalPort())) {
            client.getOutputStream().write(Pattern.bytes(0, 10));
        }
        Socket server = closing(listener.accept());
        byte[] received = server.getInputStream().readAllBytes();
        assertEquals(10, received.length);
        Pattern.check(0, received, 0, 10);
    }

    @Test
    void whatManySentBeforeTheyWereAcceptedIsRead() throws Exception {
        int many = 120; // Below any usual limit of backlogs.
        ServerSocketChannel listener = closing(ServerSocketChannel.open()).bind(testAddress(0), many);
        for (int i = 0; i < many; i++) {
            try (SocketChannel client = SocketChannel.open(testAddress(port(listener)))) {
                assertEquals(4, client.write(ByteBuffer.allocate(4).putInt(0, i)));
            }
        }
        for (int i = 0; i < many; i++) {
            try (SocketChannel accepted = listener.accept()) {
                ByteBuffer got = ByteBuffer.allocate(8);
                assertEquals(4, accepted.read(got));
                assertEquals(i, got.getInt(0));
                assertEquals(-1, accepted.read(got));
            }
        }
    }

    @Test
    void closeOfTheListenerResetsPendingConnections() throws Exception {
        ServerSocket listener = listeningSocket();
        Socket client = closing(new Socket(TestHost.NAME, listener.getLocalPort()));
        listener.close();
        assertThrows(
                SocketException.class,
                "Connection reset",
                () -> client.getInputStream().read());
    }

    @Test
    void closeOfTheListenerLeavesAcceptedConnectionsAlone() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        SocketChannel client = closing(SocketChannel.open(testAddress(port(listener))));
        SocketChannel server = closing(listener.accept());
        listener.close();
        client.write(Pattern.buffer(0, 1000));
        readPattern(server, 0, 1000);
    }

    @Test
    void acceptsOfSeveralThreadsEachGetTheirOwnConnection() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        List<Background<SocketChannel>> accepts = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            accepts.add(Background.start(listener::accept));
        }
        List<Object> connected = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            connected.add(
                    closing(SocketChannel.open(testAddress(port(listener)))).getLocalAddress());
        }
        for (Background<SocketChannel> accept : accepts) {
            assertTrue(connected.remove(closing(accept.result()).getRemoteAddress()));
        }
    }

    /** The second waits for its turn behind the first: for it the listener was closed before, whatever the JDK says then. */
    @Test
    void acceptsOfSeveralThreadsEndWithTheListener() throws Exception {
        ServerSocketChannel closed = listeningChannel();
        closed.close();
        Class<?> closedBefore = Background.start(closed::accept).thrown().getClass();
        ServerSocketChannel listener = listeningChannel();
        Background<SocketChannel> first = Background.start(listener::accept).awaitBlockedIn("accept");
        Background<SocketChannel> second = Background.start(listener::accept).awaitBlockedIn("accept");
        listener.close();
        assertEquals(AsynchronousCloseException.class, first.thrown().getClass());
        assertEquals(closedBefore, second.thrown().getClass());
    }

    @Test
    void socketsConnectToChannelsAndChannelsToSockets() throws Exception {
        ServerSocketChannel channelListener = listeningChannel();
        Socket socketClient = closing(new Socket(TestHost.NAME, port(channelListener)));
        SocketChannel channelServer = closing(channelListener.accept());
        socketClient.getOutputStream().write(Pattern.bytes(0, 3000));
        readPattern(channelServer, 0, 3000);

        ServerSocket socketListener = listeningSocket();
        SocketChannel channelClient = closing(SocketChannel.open(testAddress(socketListener.getLocalPort())));
        Socket socketServer = closing(socketListener.accept());
        writeFully(channelClient, Pattern.buffer(0, 3000));
        Pattern.check(0, socketServer.getInputStream().readNBytes(3000), 0, 3000);
    }

    @Test
    void acceptedChannelOfANewListenerIsConnectedAndOpen() throws Exception {
        ChannelPair pair = channelPair();
        assertTrue(pair.server().isConnected()
                && pair.server().isOpen()
                && pair.server().isBlocking());
        assertNotNull(pair.server().getRemoteAddress());
    }

    @Test
    void subclassOfServerSocketAcceptsIntoItsOwnSocket() throws Exception {
        class OwnSocket extends Socket {}
        class OwnListener extends ServerSocket {
            OwnListener() throws IOException {
                super(0);
            }

            @Override
            public Socket accept() throws IOException {
                OwnSocket socket = new OwnSocket();
                implAccept(socket);
                return socket;
            }
        }
        ServerSocket listener = closing(new OwnListener());
        Socket client = closing(new Socket(TestHost.NAME, listener.getLocalPort()));
        Socket server = closing(listener.accept());
        assertTrue(server instanceof OwnSocket && server.isConnected());
        client.getOutputStream().write(Pattern.bytes(0, 100));
        Pattern.check(0, server.getInputStream().readNBytes(100), 0, 100);
    }
}
