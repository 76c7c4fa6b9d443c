package org.exsockets.compat.contract;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.PeerSocket;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How keys, channels and selectors end: cancellation, close of a channel, close of a selector. */
@Tag("fallback")
@Tag("noagent")
class SelectorCloseContract extends Contract {
    /** The peer of a channel that was closed while it was registered, and the select that was under way. */
    private record ClosedDuringSelect(PeerSocket remote, Background<Integer> select) {}

    private ClosedDuringSelect closeDuringSelect(Selector selector) throws Exception {
        ChannelLink link = connectedChannel();
        register(link.local(), selector, OP_READ);
        Background<Integer> select = startSelect(selector);
        link.local().close();
        return new ClosedDuringSelect(link.remote(), select);
    }

    private static void assertWritesEnd(SocketChannel channel) {
        assertThrows(IOException.class, "Broken pipe", () -> {
            while (true) {
                channel.write(ByteBuffer.allocate(1));
            }
        });
    }

    @Test
    void cancelledKeyIsInvalidAtOnceAndLeavesAtTheNextSelect() throws Exception {
        Selector selector = closing(Selector.open());
        SocketChannel channel = connectedChannel().local();
        SelectionKey key = register(channel, selector, OP_READ);
        key.cancel();
        key.cancel();
        assertFalse(key.isValid());
        assertTrue(selector.keys().contains(key));
        selector.selectNow();
        assertTrue(selector.keys().isEmpty());
        assertNull(channel.keyFor(selector));
        assertFalse(channel.isRegistered());
    }

    @Test
    void cancelledKeyThrowsCancelledKey() throws Exception {
        SelectionKey key = registered(connectedChannel().local(), OP_READ);
        key.cancel();
        assertThrows(CancelledKeyException.class, null, key::interestOps);
        assertThrows(CancelledKeyException.class, null, () -> key.interestOps(OP_WRITE));
        assertThrows(CancelledKeyException.class, null, key::readyOps);
        assertThrows(CancelledKeyException.class, null, key::isReadable);
    }

    @Test
    void registeringAgainBeforeTheCancelledKeyIsGoneThrowsCancelledKey() throws Exception {
        Selector selector = closing(Selector.open());
        SocketChannel channel = connectedChannel().local();
        register(channel, selector, OP_READ).cancel();
        assertThrows(CancelledKeyException.class, null, () -> channel.register(selector, OP_READ));
    }

    @Test
    void channelCanBeRegisteredAgainAfterTheSelect() throws Exception {
        Selector selector = closing(Selector.open());
        ChannelLink link = connectedChannel();
        SelectionKey first = register(link.local(), selector, OP_READ);
        first.cancel();
        selector.selectNow();
        SelectionKey second = link.local().register(selector, OP_READ);
        assertNotSame(first, second);
        link.remote().write(1);
        awaitReady(second, OP_READ);
    }

    @Test
    void cancelledKeyIsRemovedFromTheSelectedSet() throws Exception {
        Selector selector = closing(Selector.open());
        SelectionKey key = register(connectedChannel().local(), selector, OP_WRITE);
        assertEquals(1, selector.select(Patience.NEVER_MS));
        key.cancel();
        assertTrue(selector.selectedKeys().contains(key));
        selector.selectNow();
        assertTrue(selector.selectedKeys().isEmpty());
    }

    @Test
    void closedChannelLeavesTheSelectorAtTheNextSelect() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = registered(link.local(), OP_READ);
        link.local().close();
        assertFalse(key.isValid());
        key.selector().selectNow();
        assertTrue(key.selector().keys().isEmpty());
        assertEquals(0, link.remote().readToEnd());
    }

    @Test
    void closedListenerLeavesTheSelectorAtTheNextSelect() throws Exception {
        var listener = listeningChannel();
        SelectionKey key = registered(listener, SelectionKey.OP_ACCEPT);
        listener.close();
        assertFalse(key.isValid());
        key.selector().selectNow();
        assertTrue(key.selector().keys().isEmpty());
    }

    @Test
    void channelClosedDuringSelectLeavesAfterAWakeUp() throws Exception {
        Selector selector = closing(Selector.open());
        ClosedDuringSelect closed = closeDuringSelect(selector);
        selector.wakeup();
        assertEquals(0, closed.select().result());
        selector.selectNow();
        assertTrue(selector.keys().isEmpty());
    }

    @Test
    void closeOfARegisteredChannelWithUnreadBytesIsAnEndBeforeItIsAReset() throws Exception {
        try (Selector selector = Selector.open()) {
            ChannelPair pair = channelPair();
            register(pair.server(), selector, OP_READ);
            writeFully(pair.client(), ByteBuffer.allocate(5));
            selector.select();
            pair.server().close();
            assertEquals(-1, pair.client().read(ByteBuffer.allocate(1)));
            selector.selectNow();
            assertWritesEnd(pair.client());
        }
    }

    @Test
    void peerWritesToAClosedChannelUntilItsSelectorHasLetGo() throws Exception {
        try (Selector selector = Selector.open()) {
            ChannelPair pair = channelPair();
            register(pair.server(), selector, OP_READ);
            selector.selectNow();
            pair.server().close();
            assertEquals(-1, pair.client().read(ByteBuffer.allocate(1)));
            for (int i = 0; i < 10; i++) {
                assertEquals(1, pair.client().write(ByteBuffer.allocate(1)));
            }
            assertEquals(0, selector.selectNow());
            assertWritesEnd(pair.client());
        }
    }

    @Test
    void outputOfARegisteredChannelIsNotShutByItsClose() throws Exception {
        try (Selector selector = Selector.open()) {
            SocketChannel closed = connectedChannel().local();
            register(closed, selector, OP_READ);
            closed.close();
            assertFalse(closed.socket().isOutputShutdown());
            assertFalse(closed.socket().isInputShutdown());
            SocketChannel shut = connectedChannel().local();
            register(shut, selector, OP_READ);
            shut.shutdownOutput();
            shut.close();
            assertTrue(shut.socket().isOutputShutdown());
        }
    }

    @Test
    void peerSeesTheEndThoughTheClosedChannelIsStillRegisteredWithASleepingSelector() throws Exception {
        Selector selector = closing(Selector.open());
        ClosedDuringSelect closed = closeDuringSelect(selector);
        selector.wakeup();
        closed.select().result();
        selector.selectNow();
        assertEquals(0, closed.remote().readToEnd());
    }

    @Test
    void endOfThePeerEndsASelectDuringWhichTheChannelWasClosed() throws Exception {
        Selector selector = closing(Selector.open());
        ClosedDuringSelect closed = closeDuringSelect(selector);
        closed.remote().close();
        assertEquals(0, closed.select().result());
        assertTrue(selector.keys().isEmpty());
    }

    @Test
    void closeOfAChannelAloneEndsNoSelect() throws Exception {
        Selector selector = closing(Selector.open());
        ClosedDuringSelect closed = closeDuringSelect(selector);
        assertEquals(0, closed.remote().readToEnd());
        closed.select().awaitBlockedIn("select");
        selector.wakeup();
        assertEquals(0, closed.select().result());
        assertTrue(selector.keys().isEmpty());
    }

    @Test
    void bytesThatArriveWhileTheChannelIsBeingClosedEndASelect() throws Exception {
        Selector selector = closing(Selector.open());
        for (int round = 0; round < 20; round++) {
            ChannelLink link = connectedChannel();
            register(link.local(), selector, OP_READ);
            Background<Integer> select = startSelect(selector);
            Background<Void> write = Background.start(() -> {
                link.remote().write(1);
                return null;
            });
            link.local().close();
            write.result();
            select.result(); // Of the bytes or of the close or of both.
            selector.selectNow();
            selector.selectedKeys().clear();
            assertTrue(selector.keys().isEmpty());
        }
    }

    @Test
    void closeOfTheSelectorEndsASelectInProgress() throws Exception {
        Selector selector = idleSelector();
        Background<Integer> select = startSelect(selector);
        selector.close();
        assertEquals(0, select.result());
        assertThrows(ClosedSelectorException.class, null, selector::select);
    }

    @Test
    void closedSelectorRefusesEverythingButCloseAndWakeUp() throws Exception {
        Selector selector = Selector.open();
        selector.close();
        selector.close();
        selector.wakeup();
        assertFalse(selector.isOpen());
        assertThrows(ClosedSelectorException.class, null, selector::select);
        assertThrows(ClosedSelectorException.class, null, selector::selectNow);
        assertThrows(ClosedSelectorException.class, null, () -> selector.select(10));
        assertThrows(ClosedSelectorException.class, null, selector::keys);
        assertThrows(ClosedSelectorException.class, null, selector::selectedKeys);
    }

    @Test
    void registeringWithAClosedSelectorThrowsClosedSelector() throws Exception {
        Selector selector = Selector.open();
        selector.close();
        SocketChannel channel = connectedChannel().local();
        channel.configureBlocking(false);
        assertThrows(ClosedSelectorException.class, null, () -> channel.register(selector, OP_READ));
    }

    @Test
    void channelsOutliveTheirSelector() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = registered(link.local(), OP_READ);
        key.selector().close();
        assertFalse(key.isValid());
        assertFalse(link.local().isRegistered());
        link.local().configureBlocking(true);
        link.remote().write(20);
        assertEquals(20, link.local().read(ByteBuffer.allocate(20)));
    }

    @Test
    void cancelFromAnotherThreadDuringSelectTakesEffectAfterAWakeUp() throws Exception {
        Selector selector = closing(Selector.open());
        ChannelLink link = connectedChannel();
        SelectionKey key = register(link.local(), selector, OP_READ);
        Background<Integer> select = startSelect(selector);
        key.cancel();
        selector.wakeup();
        assertEquals(0, select.result());
        link.remote().write(1);
        assertEquals(0, selector.select(50));
        assertTrue(selector.keys().isEmpty());
    }
}
