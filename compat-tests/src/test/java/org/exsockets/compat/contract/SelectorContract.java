package org.exsockets.compat.contract;

import static java.nio.channels.SelectionKey.OP_ACCEPT;
import static java.nio.channels.SelectionKey.OP_CONNECT;
import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.IllegalSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Face;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.TestHost;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Selectors and their key sets, on one thread: what is selected, retained, reported and refused. */
@Tag("fallback")
@Tag("noagent")
class SelectorContract extends Contract {
    @Test
    void readyKeyStaysReadyUntilTheBytesAreConsumed() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = registered(link.local(), OP_READ);
        link.remote().write(10);
        for (int i = 0; i < 5; i++) {
            assertEquals(1, key.selector().select(Patience.NEVER_MS));
            assertTrue(key.isReadable());
            key.selector().selectedKeys().clear();
            assertEquals(2, link.local().read(ByteBuffer.allocate(2)));
        }
        assertEquals(0, key.selector().selectNow());
    }

    @Test
    void keyLeftInTheSelectedSetIsNotCountedAgain() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = registered(link.local(), OP_READ);
        link.remote().write(1);
        assertEquals(1, key.selector().select(Patience.NEVER_MS));
        assertEquals(0, key.selector().select(50));
        assertEquals(Set.of(key), key.selector().selectedKeys());
    }

    @Test
    void readySetOfARetainedKeyGathersOperations() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = registered(link.local(), OP_WRITE);
        assertEquals(1, key.selector().select(Patience.NEVER_MS));
        assertEquals(OP_WRITE, key.readyOps());
        link.remote().write(1);
        key.interestOps(OP_READ);
        assertEquals(1, key.selector().select(Patience.NEVER_MS));
        assertEquals(OP_READ | OP_WRITE, key.readyOps());
    }

    @Test
    void readySetOfAFreshlySelectedKeyHoldsOnlyWhatIsReady() throws Exception {
        ChannelLink link = connectedChannel();
        Selector selector = closing(Selector.open());
        SelectionKey key = register(link.local(), selector, OP_READ | OP_WRITE);
        assertEquals(1, selector.select(Patience.NEVER_MS));
        assertEquals(OP_WRITE, key.readyOps());
        selector.selectedKeys().clear();
        link.remote().write(1);
        awaitReady(key, OP_READ | OP_WRITE);
        assertEquals(1, link.local().read(ByteBuffer.allocate(10)));
        selector.selectedKeys().clear();
        assertEquals(1, selector.select(Patience.NEVER_MS));
        assertEquals(OP_WRITE, key.readyOps());
    }

    @Test
    void selectNowReturnsAtOnce() throws Exception {
        Selector selector = idleSelector();
        assertEquals(0, selector.selectNow());
        assertTrue(selector.selectedKeys().isEmpty());
    }

    @Test
    void selectWithATimeoutWaitsThatLong() throws Exception {
        Selector selector = idleSelector();
        long startNs = System.nanoTime();
        assertEquals(0, selector.select(120));
        long elapsedMs = (System.nanoTime() - startNs) / 1_000_000;
        assertTrue(elapsedMs >= 118, "elapsed ms: " + elapsedMs);
    }

    @Test
    void negativeTimeoutIsRefused() throws Exception {
        Selector selector = closing(Selector.open());
        assertThrowsA(IllegalArgumentException.class, () -> selector.select(-1));
    }

    @Test
    void selectWithAnActionHandsOverReadyKeysAndKeepsNone() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = registered(link.local(), OP_READ);
        link.remote().write(1);
        List<SelectionKey> handed = new ArrayList<>();
        assertEquals(1, key.selector().select(handed::add, Patience.NEVER_MS));
        assertEquals(1, key.selector().selectNow(handed::add));
        assertEquals(List.of(key, key), handed);
        assertTrue(key.selector().selectedKeys().isEmpty());
        assertEquals(OP_READ, key.readyOps());
    }

    @Test
    void pendingConnectionMakesTheListenerAcceptableUntilAccepted() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        SelectionKey key = registered(listener, OP_ACCEPT);
        var remote = peer().connect(Face.NIO, TestHost.NAME, port(listener));
        for (int i = 0; i < 2; i++) {
            assertEquals(1, key.selector().select(Patience.NEVER_MS));
            assertTrue(key.isAcceptable());
            key.selector().selectedKeys().clear();
        }
        assertNotNull(closing(listener.accept()));
        remote.awaitOpen();
        assertEquals(0, key.selector().selectNow());
        assertNull(listener.accept());
    }

    @Test
    void attachmentsAreKeptAndExchanged() throws Exception {
        Selector selector = closing(Selector.open());
        SocketChannel channel = connectedChannel().local();
        channel.configureBlocking(false);
        SelectionKey key = channel.register(selector, OP_READ, "first");
        assertEquals("first", key.attachment());
        assertEquals("first", key.attach("second"));
        assertSame(key, channel.register(selector, OP_WRITE, "third"));
        assertEquals("third", key.attachment());
        assertEquals(OP_WRITE, key.interestOps());
    }

    @Test
    void keyKnowsItsChannelAndItsSelector() throws Exception {
        Selector selector = closing(Selector.open());
        SocketChannel channel = connectedChannel().local();
        SelectionKey key = register(channel, selector, OP_READ);
        assertSame(channel, key.channel());
        assertSame(selector, key.selector());
        assertSame(key, channel.keyFor(selector));
        assertTrue(channel.isRegistered());
        assertEquals(Set.of(key), selector.keys());
    }

    @Test
    void selectedSetRefusesAdditionsAndKeySetRefusesChanges() throws Exception {
        SelectionKey key = registered(connectedChannel().local(), OP_READ);
        assertThrowsA(
                UnsupportedOperationException.class,
                () -> key.selector().selectedKeys().add(key));
        assertThrowsA(
                UnsupportedOperationException.class, () -> key.selector().keys().remove(key));
        assertThrowsA(
                UnsupportedOperationException.class, () -> key.selector().keys().clear());
    }

    @Test
    void channelsThatAreNotTheJdksAreRefused() throws Exception {
        Selector selector = closing(Selector.open());
        SelectableChannel other = closing(new OtherChannel());
        other.configureBlocking(false);
        assertThrows(IllegalSelectorException.class, null, () -> other.register(selector, OP_READ));
        assertTrue(selector.keys().isEmpty());
        assertEquals(0, selector.selectNow());
    }

    private static final class OtherChannel extends AbstractSelectableChannel {
        OtherChannel() {
            super(SelectorProvider.provider());
        }

        @Override
        protected void implCloseSelectableChannel() {}

        @Override
        protected void implConfigureBlocking(boolean block) {}

        @Override
        public int validOps() {
            return OP_READ;
        }
    }

    @Test
    void blockingChannelCannotBeRegistered() throws Exception {
        Selector selector = closing(Selector.open());
        SocketChannel channel = connectedChannel().local();
        assertThrows(IllegalBlockingModeException.class, null, () -> channel.register(selector, OP_READ));
    }

    @Test
    void operationsThatAChannelDoesNotHaveAreRefused() throws Exception {
        Selector selector = closing(Selector.open());
        ServerSocketChannel listener = listeningChannel();
        listener.configureBlocking(false);
        SocketChannel channel = connectedChannel().local();
        channel.configureBlocking(false);
        assertEquals(OP_READ | OP_WRITE | OP_CONNECT, channel.validOps());
        assertEquals(OP_ACCEPT, listener.validOps());
        assertThrowsA(IllegalArgumentException.class, () -> channel.register(selector, OP_ACCEPT));
        assertThrowsA(IllegalArgumentException.class, () -> listener.register(selector, OP_READ));
        SelectionKey key = channel.register(selector, 0);
        assertThrowsA(IllegalArgumentException.class, () -> key.interestOps(OP_ACCEPT));
    }

    @Test
    void interestCanBeSetAddedAndRemoved() throws Exception {
        SelectionKey key = registered(connectedChannel().local(), 0);
        assertEquals(0, key.interestOpsOr(OP_READ));
        assertEquals(OP_READ, key.interestOpsOr(OP_WRITE));
        assertEquals(OP_READ | OP_WRITE, key.interestOpsAnd(~OP_READ));
        assertEquals(OP_WRITE, key.interestOps());
        assertSame(key, key.interestOps(0));
        assertEquals(0, key.selector().selectNow());
    }

    @Test
    void selectedKeyOfAChannelWrittenToAfterThePeersCloseIsReadyForItsInterestAlone() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = selectedForWritingThenOnlyReading(link);
        link.remote().close();
        awaitReadyOps(key, OP_READ | OP_WRITE);
        assertEquals(1, link.local().write(ByteBuffer.allocate(1)));
        awaitReadyOps(key, OP_READ);
    }

    @Test
    void selectedKeyOfAChannelShutBothWaysIsReadyForItsInterestAlone() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = selectedForWritingThenOnlyReading(link);
        link.local().shutdownOutput();
        assertEquals(0, key.selector().selectNow());
        assertEquals(OP_WRITE, key.readyOps());
        link.local().shutdownInput();
        assertEquals(1, key.selector().selectNow());
        assertEquals(OP_READ, key.readyOps());
    }

    @Test
    void selectedKeyOfAChannelThatBothEndsHaveShutIsReadyForItsInterestAlone() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = selectedForWritingThenOnlyReading(link);
        link.remote().shutdownOutput();
        awaitReadyOps(key, OP_READ | OP_WRITE);
        link.local().shutdownOutput();
        assertEquals(0, key.selector().selectNow());
        assertEquals(OP_READ, key.readyOps());
    }

    /** Of a program that forgets it: to poll(2) it is one in writing. */
    @Test
    void interestInConnectingOfAConnectedChannelEndsSelectionsWithoutTheKey() throws Exception {
        SelectionKey key = registered(connectedChannel().local(), OP_CONNECT | OP_READ);
        for (int i = 0; i < 3; i++) {
            Background<Integer> select = Background.start(() -> key.selector().select());
            assertEquals(0, select.result());
        }
        assertEquals(0, key.readyOps());
    }

    @Test
    void hungUpChannelIsReadyForConnectingToo() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = registered(link.local(), OP_CONNECT);
        link.local().shutdownOutput();
        link.local().shutdownInput();
        assertEquals(1, key.selector().select());
        assertEquals(OP_CONNECT, key.readyOps());
    }

    /** Though nothing has looked at the peer's end before. */
    @Test
    void channelThatBothEndsHaveShutIsReadyForConnectingAtTheFirstSelection() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = register(link.local(), closing(Selector.open()), OP_WRITE | OP_CONNECT);
        link.local().shutdownOutput();
        link.remote().shutdownOutput();
        assertEquals(1, key.selector().select());
        assertEquals(OP_WRITE | OP_CONNECT, key.readyOps());
    }

    private SelectionKey selectedForWritingThenOnlyReading(ChannelLink link) throws Exception {
        SelectionKey key = register(link.local(), closing(Selector.open()), OP_WRITE);
        awaitReadyOps(key, OP_WRITE);
        key.interestOps(OP_READ);
        return key;
    }

    /** Leaves the key selected. */
    private static void awaitReadyOps(SelectionKey key, int ops) {
        await("ready operations " + ops, () -> {
            try {
                key.selector().selectNow();
                return key.readyOps() == ops;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** Whatever is ready of other channels adds to what a selected key was ready for before. */
    @Test
    void selectedKeyOfAnUnconnectedChannelIsReadyForItsInterestAlone() throws Exception {
        SelectionKey key = registered(closing(SocketChannel.open()), OP_READ);
        assertEquals(1, key.selector().selectNow());
        assertEquals(OP_READ, key.readyOps());
        key.interestOps(OP_WRITE);
        assertEquals(1, key.selector().selectNow());
        assertEquals(OP_WRITE, key.readyOps());
    }

    @Test
    void keyWithoutInterestIsNeverSelected() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = registered(link.local(), 0);
        link.remote().write(10);
        assertEquals(0, key.selector().select(50));
        key.interestOps(OP_READ);
        assertEquals(1, key.selector().select(Patience.NEVER_MS));
    }

    @Test
    void oneChannelIsReadyInTwoSelectors() throws Exception {
        ChannelLink link = connectedChannel();
        Selector first = closing(Selector.open());
        Selector second = closing(Selector.open());
        SelectionKey firstKey = register(link.local(), first, OP_READ);
        SelectionKey secondKey = register(link.local(), second, OP_READ | OP_WRITE);
        link.remote().write(10);
        awaitReady(firstKey, OP_READ);
        awaitReady(secondKey, OP_READ | OP_WRITE);
        assertEquals(OP_READ, firstKey.readyOps());
        assertEquals(10, link.local().read(ByteBuffer.allocate(20)));
        assertEquals(0, first.selectNow());
    }

    @Test
    void selectorWithoutKeysWaitsItsTimeout() throws Exception {
        Selector selector = closing(Selector.open());
        long startNs = System.nanoTime();
        assertEquals(0, selector.select(60));
        assertTrue(System.nanoTime() - startNs >= 58_000_000);
        assertTrue(selector.keys().isEmpty());
        assertFalse(selector.selectedKeys().iterator().hasNext());
    }
}
