package org.exsockets.compat.contract;

import static java.nio.channels.SelectionKey.OP_ACCEPT;
import static java.nio.channels.SelectionKey.OP_CONNECT;
import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a selector must say of a channel, and what it must not, in each state of its connection. */
@Tag("noagent")
class ReadinessContract extends Contract {
    private static final int ALL = OP_READ | OP_WRITE;

    @Test
    void idleConnectionIsWritableAndNotReadable() throws Exception {
        SelectionKey key = registered(connectedChannel().local(), ALL);
        assertEquals(1, key.selector().select(Patience.NEVER_MS));
        assertEquals(OP_WRITE, key.readyOps());
        assertFalse(key.isReadable());
        assertFalse(key.isConnectable());
        assertFalse(key.isAcceptable());
    }

    @Test
    void channelStaysReadableAfterAPartialRead() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = registered(link.local(), OP_READ);
        link.remote().write(1000);
        awaitReady(key, OP_READ);
        assertEquals(1, link.local().read(ByteBuffer.allocate(1)));
        assertEquals(1, key.selector().selectNow());
        assertEquals(OP_READ, key.readyOps());
    }

    @Test
    void channelIsNotReadableOnceEverythingIsRead() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = registered(link.local(), OP_READ);
        link.remote().write(70_000);
        readThroughSelector(link.local(), key.selector(), 70_000);
        assertEquals(0, key.selector().selectNow());
        link.remote().write(1);
        awaitReady(key, OP_READ);
    }

    @Test
    void channelIsNotWritableWhileThePeerHasNoRoom() throws Exception {
        ChannelLink link = connectedChannel();
        link.local().configureBlocking(false);
        fill(link.local(), 0);
        Selector selector = registered(link.local(), ALL).selector();
        assertEquals(0, selector.selectNow());
        assertEquals(0, selector.select(50));
    }

    @Test
    void channelIsWritableAgainWhenThePeerHasRead() throws Exception {
        ChannelLink link = connectedChannel();
        link.local().configureBlocking(false);
        long filled = fill(link.local(), 0);
        SelectionKey key = registered(link.local(), OP_WRITE);
        link.remote().read(filled);
        awaitReady(key, OP_WRITE);
        assertTrue(link.local().write(Pattern.buffer(filled, 100)) > 0);
    }

    @Test
    void channelWithoutRoomAtThePeerIsStillReadable() throws Exception {
        ChannelLink link = connectedChannel();
        link.local().configureBlocking(false);
        fill(link.local(), 0);
        SelectionKey key = registered(link.local(), ALL);
        link.remote().write(10);
        awaitReady(key, OP_READ);
        assertEquals(OP_READ, key.readyOps());
    }

    @Test
    void channelWhoseOutputIsShutDownIsWritableAndRefusesWrites() throws Exception {
        SocketChannel local = connectedChannel().local();
        SelectionKey key = registered(local, ALL);
        local.shutdownOutput();
        awaitReady(key, OP_WRITE);
        assertEquals(OP_WRITE, key.readyOps());
        assertThrows(AsynchronousCloseException.class, null, () -> local.write(Pattern.buffer(0, 1)));
    }

    @Test
    void channelWhoseInputIsShutDownIsReadableAndAtItsEnd() throws Exception {
        SocketChannel local = connectedChannel().local();
        SelectionKey key = registered(local, OP_READ);
        local.shutdownInput();
        awaitReady(key, OP_READ);
        assertEquals(-1, local.read(ByteBuffer.allocate(1)));
    }

    @Test
    void shutdownOfTheInputEndsASleepingSelectOfAnotherThreadAfterAWakeUp() throws Exception {
        SocketChannel local = connectedChannel().local();
        SelectionKey key = registered(local, OP_READ);
        Background<Integer> select =
                Background.start(() -> key.selector().select(Patience.NEVER_MS)).awaitBlockedIn("select");
        local.shutdownInput();
        key.selector().wakeup();
        select.result();
        awaitReady(key, OP_READ);
    }

    @Test
    void connectionShutDownInBothDirectionsIsReadableAndWritable() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = registered(link.local(), ALL);
        link.local().shutdownOutput();
        link.remote().shutdownOutput();
        awaitReady(key, ALL);
        assertEquals(-1, link.local().read(ByteBuffer.allocate(1)));
        assertEquals(0, link.remote().readToEnd());
    }

    @Test
    void bytesBeforeTheEndKeepTheChannelReadableUntilTheEndIsReadToo() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = registered(link.local(), OP_READ);
        link.remote().write(10);
        link.remote().shutdownOutput();
        awaitReady(key, OP_READ);
        assertEquals(10, link.local().read(ByteBuffer.allocate(20)));
        awaitReady(key, OP_READ);
        assertEquals(-1, link.local().read(ByteBuffer.allocate(20)));
        assertEquals(1, key.selector().selectNow());
    }

    @Test
    void resetChannelIsReadableAndWritable() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = registered(link.local(), ALL);
        link.remote().abort();
        awaitReady(key, ALL);
    }

    @Test
    void resetOfAFullChannelMakesItWritable() throws Exception {
        ChannelLink link = connectedChannel();
        link.local().configureBlocking(false);
        fill(link.local(), 0);
        SelectionKey key = registered(link.local(), OP_WRITE);
        assertEquals(0, key.selector().selectNow());
        link.remote().abort();
        awaitReady(key, OP_WRITE);
        assertThrowsA(IOException.class, () -> link.local().write(Pattern.buffer(0, 1)));
    }

    @Test
    void resetIsNotReportedToAKeyWithoutInterest() throws Exception {
        ChannelLink link = connectedChannel();
        Selector watching = closing(Selector.open());
        Selector idle = closing(Selector.open());
        SelectionKey seen = register(link.local(), watching, OP_READ);
        link.local().register(idle, 0);
        link.remote().abort();
        awaitReady(seen, OP_READ);
        assertEquals(0, idle.selectNow());
        assertEquals(0, idle.select(50));
    }

    @Test
    void connectInterestOfAConnectedChannelIsNeverReady() throws Exception {
        ChannelLink link = connectedChannel();
        Selector selector = registered(link.local(), OP_CONNECT).selector();
        link.remote().write(10);
        assertEquals(0, selector.selectNow());
        assertEquals(0, selector.select(50));
    }

    @Test
    void unconnectedChannelIsReadyForWhateverItWants() throws Exception {
        SocketChannel channel = closing(SocketChannel.open());
        SelectionKey key = registered(channel, ALL);
        awaitReady(key, ALL);
        assertEquals(ALL, key.readyOps());
    }

    @Test
    void pendingConnectionIsConnectableOnlyUntilItIsFinished() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        SocketChannel channel = closing(SocketChannel.open());
        channel.configureBlocking(false);
        Selector selector = closing(Selector.open());
        if (!channel.connect(testAddress(port(listener)))) {
            SelectionKey key = channel.register(selector, OP_CONNECT | ALL);
            awaitReady(key, OP_CONNECT);
            assertEquals(OP_CONNECT, key.readyOps());
            assertTrue(channel.finishConnect());
        }
        SelectionKey key = channel.register(selector, OP_CONNECT | ALL);
        awaitReady(key, OP_WRITE);
        assertEquals(OP_WRITE, key.readyOps());
    }

    @Test
    void connectionThatIsNotFinishedEndsSelectionsForWritingWithoutBeingSelected() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        SocketChannel channel = closing(SocketChannel.open());
        channel.configureBlocking(false);
        Selector selector = closing(Selector.open());
        if (!channel.connect(testAddress(port(listener)))) {
            SelectionKey key = channel.register(selector, OP_WRITE);
            assertEquals(0, selector.select());
            assertEquals(Set.of(), selector.selectedKeys());
            key.interestOps(OP_WRITE | OP_CONNECT);
            awaitReady(key, OP_CONNECT);
            assertEquals(OP_CONNECT, key.readyOps());
        }
    }

    @Test
    void channelRegisteredBeforeItConnectsBecomesConnectable() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        SocketChannel channel = closing(SocketChannel.open());
        SelectionKey key = registered(channel, 0);
        assertEquals(0, key.selector().selectNow());
        if (!channel.connect(testAddress(port(listener)))) {
            key.interestOps(OP_CONNECT);
            awaitReady(key, OP_CONNECT);
            assertTrue(channel.finishConnect());
        }
        key.interestOps(ALL);
        awaitReady(key, OP_WRITE);
        writeFully(channel, Pattern.buffer(0, 10));
        readPattern(closing(listener.accept()), 0, 10);
    }

    @Test
    void listenerWithoutPendingConnectionsIsNotAcceptable() throws Exception {
        Selector selector = registered(listeningChannel(), OP_ACCEPT).selector();
        assertEquals(0, selector.selectNow());
        assertEquals(0, selector.select(50));
    }

    @Test
    void listenerStaysAcceptableUntilTheLastPendingConnectionIsAccepted() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        SelectionKey key = registered(listener, OP_ACCEPT);
        for (int i = 0; i < 3; i++) {
            closing(SocketChannel.open(testAddress(port(listener))));
        }
        for (int i = 0; i < 3; i++) {
            awaitReady(key, OP_ACCEPT);
            assertNotNull(closing(listener.accept()));
        }
        assertEquals(0, key.selector().selectNow());
    }

    @Test
    void listenerRegisteredBeforeItIsBoundBecomesAcceptable() throws Exception {
        ServerSocketChannel listener = closing(ServerSocketChannel.open());
        SelectionKey key = registered(listener, 0);
        assertEquals(0, key.selector().selectNow());
        listener.bind(testAddress(0));
        key.interestOps(OP_ACCEPT);
        closing(SocketChannel.open(testAddress(port(listener))));
        awaitReady(key, OP_ACCEPT);
        assertNotNull(closing(listener.accept()));
    }

    @Test
    void acceptedConnectionIsReadyForTheBytesThatCameBeforeItsAccept() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        SocketChannel client = closing(SocketChannel.open(testAddress(port(listener))));
        writeFully(client, Pattern.buffer(0, 100));
        SocketChannel server = closing(listener.accept());
        SelectionKey key = registered(server, ALL);
        awaitReady(key, ALL);
        readPattern(server, 0, 100);
    }

    @Test
    void keyReadyForTwoOperationsIsCountedOnce() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = registered(link.local(), ALL);
        link.remote().write(10);
        awaitReady(key, ALL);
        assertEquals(1, key.selector().selectNow());
        assertEquals(ALL, key.readyOps());
    }

    @Test
    void selectedKeyIsCountedAgainWhenAnotherOperationBecomesReady() throws Exception {
        ChannelLink link = connectedChannel();
        Selector selector = closing(Selector.open());
        SelectionKey key = register(link.local(), selector, ALL);
        assertEquals(1, selector.select(Patience.NEVER_MS));
        assertEquals(0, selector.selectNow());
        link.remote().write(10);
        assertEquals(1, selectUntil(selector, 1));
        assertEquals(ALL, key.readyOps());
        assertEquals(Set.of(key), selector.selectedKeys());
    }

    @Test
    void readySetOfASelectedKeyKeepsWhatIsOver() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = registered(link.local(), OP_READ);
        link.remote().write(10);
        assertEquals(1, key.selector().select(Patience.NEVER_MS));
        readPattern(link.local(), 0, 10);
        assertEquals(0, key.selector().selectNow());
        assertEquals(OP_READ, key.readyOps());
        assertTrue(key.selector().selectedKeys().contains(key));
    }

    @Test
    void changeOfInterestLeavesTheReadySetAloneUntilTheNextSelection() throws Exception {
        ChannelLink link = connectedChannel();
        Selector selector = closing(Selector.open());
        SelectionKey key = register(link.local(), selector, OP_WRITE);
        assertEquals(1, selector.select(Patience.NEVER_MS));
        key.interestOps(OP_READ);
        assertEquals(OP_WRITE, key.readyOps());
        assertTrue(selector.selectedKeys().contains(key));
        selector.selectedKeys().clear();
        assertEquals(0, selector.selectNow());
        link.remote().write(1);
        awaitReady(key, OP_READ);
        assertEquals(OP_READ, key.readyOps());
    }

    @Test
    void selectionsOfTwoSelectorsSeeTheirOwnInterests() throws Exception {
        ChannelLink link = connectedChannel();
        Selector readers = closing(Selector.open());
        Selector writers = closing(Selector.open());
        SelectionKey read = register(link.local(), readers, OP_READ);
        SelectionKey write = register(link.local(), writers, OP_WRITE);
        assertEquals(0, readers.selectNow());
        awaitReady(write, OP_WRITE);
        link.remote().write(1);
        awaitReady(read, OP_READ);
        assertEquals(OP_READ, read.readyOps());
        assertEquals(1, writers.selectNow());
        assertEquals(OP_WRITE, write.readyOps());
    }

    /** Selects until a selection returns something else than 0. */
    private static int selectUntil(Selector selector, int most) throws Exception {
        int n;
        do {
            n = selector.select(Patience.NEVER_MS);
        } while (n == 0);
        assertTrue(n <= most);
        return n;
    }

    private static void readThroughSelector(SocketChannel channel, Selector selector, int lengthBytes)
            throws Exception {
        ByteBuffer received = ByteBuffer.allocate(lengthBytes);
        while (received.hasRemaining()) {
            selector.select(Patience.NEVER_MS);
            selector.selectedKeys().clear();
            channel.read(received);
        }
        Pattern.check(0, received.flip());
    }
}
