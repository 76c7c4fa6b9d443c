package org.exsockets.compat.contract;

import static java.nio.channels.SelectionKey.OP_CONNECT;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.compat.harness.Face;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.PeerListener;
import org.exsockets.compat.harness.PeerSocket;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connecting a channel, in both modes: pending connections, refusals, addresses that cannot be connected to. */
@Tag("fallback")
@Tag("noagent")
class NonBlockingConnectContract extends Contract {
    @Test
    void connectionIsCompleteBeforeTheListenerAccepts() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        SocketChannel channel = nonBlocking();
        connectThroughSelector(channel, testAddress(port(listener)));
        assertTrue(channel.isConnected());
        assertFalse(channel.isConnectionPending());
        assertNotNull(closing(listener.accept()));
    }

    /** What the listener has accepted is connected, also for a connect that another thread makes in the background. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void acceptedConnectIsFinishedAtOnce(boolean selected) throws Exception {
        ServerSocketChannel listener = listeningChannel();
        Selector selector = closing(Selector.open());
        for (int i = 0; i < 200; i++) {
            try (SocketChannel channel = SocketChannel.open()) {
                channel.configureBlocking(false);
                channel.connect(testAddress(port(listener)));
                channel.register(selector, OP_CONNECT);
                try (SocketChannel accepted = listener.accept()) {
                    assertNotNull(accepted);
                    assertEquals(1, selected ? selector.selectNow(ready -> {}) : 1);
                    assertTrue(channel.finishConnect());
                }
            }
        }
    }

    @Test
    void nonBlockingConnectReachesTheOtherProcess() throws Exception {
        PeerListener listener = listener(Face.NIO);
        PeerSocket remote = listener.accept();
        SocketChannel channel = nonBlocking();
        connectThroughSelector(channel, testAddress(listener.port()));
        assertEquals(500, channel.write(Pattern.buffer(0, 500)));
        remote.read(500);
    }

    @Test
    void refusedNonBlockingConnectThrowsConnectionRefusedAndClosesTheChannel() throws Exception {
        SocketChannel channel = nonBlocking();
        InetSocketAddress nobody = unusedAddress();
        assertThrows(
                ConnectException.class, waitedFor("Connection refused"), () -> connectThroughSelector(channel, nobody));
        assertFalse(channel.isOpen());
    }

    @Test
    void refusedBlockingConnectThrowsConnectionRefusedAndClosesTheChannel() throws Exception {
        SocketChannel channel = closing(SocketChannel.open());
        InetSocketAddress nobody = unusedAddress();
        assertThrows(ConnectException.class, "Connection refused", () -> channel.connect(nobody));
        assertFalse(channel.isOpen());
    }

    @Test
    void finishConnectWithoutConnectThrowsNoConnectionPending() throws Exception {
        SocketChannel channel = nonBlocking();
        assertThrows(NoConnectionPendingException.class, null, channel::finishConnect);
    }

    @Test
    void finishConnectOfAConnectedChannelIsTrue() throws Exception {
        SocketChannel channel = connectedChannel().local();
        assertTrue(channel.finishConnect());
        channel.configureBlocking(false);
        assertTrue(channel.finishConnect());
    }

    @Test
    void pendingConnectionRefusesASecondConnectAndTransfers() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        SocketChannel channel = nonBlocking();
        SocketAddress target = testAddress(port(listener));
        if (!channel.connect(target)) {
            assertTrue(channel.isConnectionPending());
            assertFalse(channel.isConnected());
            assertThrows(ConnectionPendingException.class, null, () -> channel.connect(target));
            assertThrows(NotYetConnectedException.class, null, () -> channel.read(ByteBuffer.allocate(1)));
            assertThrows(NotYetConnectedException.class, null, () -> channel.write(ByteBuffer.allocate(1)));
        }
    }

    @Test
    void pendingConnectionCanBeFinishedInBlockingMode() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        SocketChannel channel = nonBlocking();
        channel.connect(testAddress(port(listener)));
        channel.configureBlocking(true);
        assertTrue(channel.finishConnect());
        assertTrue(channel.isConnected());
    }

    @Test
    void closeOfAPendingConnectionIsSeenByFinishConnect() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        SocketChannel channel = nonBlocking();
        channel.connect(testAddress(port(listener)));
        channel.close();
        assertThrowsA(ClosedChannelException.class, channel::finishConnect);
        assertFalse(channel.isConnectionPending());
    }

    @Test
    void connectedChannelIsWritableAtOnce() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        SocketChannel channel = nonBlocking();
        connectThroughSelector(channel, testAddress(port(listener)));
        SelectionKey key = registered(channel, OP_WRITE);
        assertEquals(1, key.selector().select(Patience.NEVER_MS));
        assertTrue(key.isWritable());
        assertFalse(key.isConnectable());
    }

    @Test
    void hundredConnectionsPendInOneSelector() throws Exception {
        ServerSocketChannel listener = closing(ServerSocketChannel.open()).bind(testAddress(0), 200);
        Selector selector = closing(Selector.open());
        List<SocketChannel> channels = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            SocketChannel channel = nonBlocking();
            channel.connect(testAddress(port(listener)));
            channel.register(selector, OP_CONNECT);
            channels.add(channel);
        }
        while (!channels.stream().allMatch(SocketChannel::isConnected)) {
            selector.select(Patience.NEVER_MS);
            for (SelectionKey key : selector.selectedKeys()) {
                assertTrue(((SocketChannel) key.channel()).finishConnect());
                key.interestOps(0);
            }
            selector.selectedKeys().clear();
        }
        for (int i = 0; i < 100; i++) {
            assertNotNull(closing(listener.accept()));
        }
    }

    @Test
    void writesBeforeAcceptAreReadAfterAccept() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        SocketChannel client = closing(SocketChannel.open(testAddress(port(listener))));
        writeFully(client, Pattern.buffer(0, 5000));
        client.close();
        SocketChannel server = closing(listener.accept());
        readPattern(server, 0, 5000);
        assertEquals(-1, server.read(ByteBuffer.allocate(1)));
    }

    @Test
    void unresolvedAddressIsRefused() throws Exception {
        SocketChannel channel = closing(SocketChannel.open());
        InetSocketAddress unresolved = InetSocketAddress.createUnresolved("nowhere.invalid", 80);
        assertThrows(UnresolvedAddressException.class, null, () -> channel.connect(unresolved));
    }

    @Test
    void addressOfAnotherFamilyIsRefused() throws Exception {
        SocketChannel channel = closing(SocketChannel.open());
        SocketAddress foreign = new SocketAddress() {
            private static final long serialVersionUID = 1L;
        };
        assertThrows(UnsupportedAddressTypeException.class, null, () -> channel.connect(foreign));
    }

    @Test
    void wildcardAddressConnectsToThisHost() throws Exception {
        ServerSocketChannel listener = closing(ServerSocketChannel.open()).bind(new InetSocketAddress(0));
        SocketChannel channel = closing(SocketChannel.open());
        assertTrue(channel.connect(new InetSocketAddress("0.0.0.0", port(listener))));
        assertEquals(new InetSocketAddress("127.0.0.1", port(listener)), channel.getRemoteAddress());
        SocketChannel server = closing(listener.accept());
        writeFully(channel, Pattern.buffer(0, 10));
        readPattern(server, 0, 10);
    }

    private static void connectThroughSelector(SocketChannel channel, SocketAddress target) throws Exception {
        try (Selector selector = Selector.open()) {
            if (channel.connect(target)) {
                return;
            }
            SelectionKey key = channel.register(selector, OP_CONNECT);
            assertEquals(1, selector.select(Patience.NEVER_MS));
            assertTrue(key.isConnectable());
            assertTrue(channel.finishConnect());
        }
    }
}
