package org.exsockets.compat.contract;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.PeerJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Non-blocking reads, writes and accepts: what they return, and what readiness promises. */
@Tag("placed")
@Tag("noagent")
class NonBlockingTransferContract extends Contract {
    @Test
    void readWithNothingToReadReturnsZero() throws Exception {
        SocketChannel local = connectedChannel().local();
        local.configureBlocking(false);
        ByteBuffer buffer = ByteBuffer.allocate(10);
        assertEquals(0, local.read(buffer));
        assertEquals(0, buffer.position());
    }

    @Test
    void acceptWithNothingPendingReturnsNull() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        listener.configureBlocking(false);
        assertNull(listener.accept());
    }

    @Test
    void acceptedChannelOfANonBlockingListenerIsBlocking() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        closing(SocketChannel.open(testAddress(port(listener))));
        Selector selector = registered(listener, SelectionKey.OP_ACCEPT).selector();
        assertEquals(1, selector.select(Patience.NEVER_MS));
        assertTrue(closing(listener.accept()).isBlocking());
    }

    @Test
    void endOfStreamIsReadableAndIsReadAgainAndAgain() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = registered(link.local(), OP_READ);
        link.remote().close();
        for (int i = 0; i < 3; i++) {
            awaitReady(key, OP_READ);
            assertEquals(-1, link.local().read(ByteBuffer.allocate(1)));
        }
    }

    @Test
    void bytesBeforeTheEndAreReadFirst() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = registered(link.local(), OP_READ);
        link.remote().write(100_000);
        link.remote().close();
        long at = 0;
        ByteBuffer buffer = ByteBuffer.allocate(7000);
        int n;
        do {
            awaitReady(key, OP_READ);
            n = link.local().read(buffer.clear());
            Pattern.check(at, buffer.flip());
            at += Math.max(n, 0);
        } while (n >= 0);
        assertEquals(100_000, at);
    }

    @Test
    void resetIsReadableAndTheReadThrowsConnectionReset() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = registered(link.local(), OP_READ);
        link.remote().abort();
        awaitReady(key, OP_READ);
        assertThrows(
                SocketException.class, "Connection reset", () -> link.local().read(ByteBuffer.allocate(1)));
    }

    @Test
    void writesStopWhenThePeerDoesNotReadAndGoOnWhenItDoes() throws Exception {
        ChannelLink link = connectedChannel();
        link.local().configureBlocking(false);
        long filled = fill(link.local(), 0);
        assertTrue(filled > 0);
        SelectionKey key = registered(link.local(), OP_WRITE);
        assertEquals(0, key.selector().selectNow());
        assertEquals(0, link.local().write(Pattern.buffer(filled, 1000)));
        link.remote().read(filled);
        awaitReady(key, OP_WRITE);
        assertEquals(1000, link.local().write(Pattern.buffer(filled, 1000)));
        link.remote().read(1000);
    }

    @Test
    void partialWriteAdvancesTheBufferByWhatItReturns() throws Exception {
        ChannelLink link = connectedChannel();
        link.local().configureBlocking(false);
        ByteBuffer buffer = Pattern.buffer(0, 64 << 20);
        int n = link.local().write(buffer);
        assertTrue(n > 0 && n < buffer.limit(), "written: " + n);
        assertEquals(n, buffer.position());
        link.remote().read(n);
    }

    @Test
    void selectorDrivenTransferRunsInBothDirectionsAtOnce() throws Exception {
        ChannelLink link = connectedChannel();
        var echoed = link.remote().startEcho();
        SelectionKey key = registered(link.local(), OP_READ | OP_WRITE);
        ByteBuffer source = Pattern.buffer(0, 5_000_000);
        ByteBuffer sink = ByteBuffer.allocate(10_000);
        long read = 0;
        int n = 0;
        while (n >= 0) {
            key.selector().select(Patience.NEVER_MS);
            key.selector().selectedKeys().clear();
            if (key.isWritable()) {
                link.local().write(source);
                if (!source.hasRemaining()) {
                    link.local().shutdownOutput();
                    key.interestOps(OP_READ);
                }
            }
            if (key.isReadable()) {
                n = link.local().read(sink.clear());
                Pattern.check(read, sink.flip());
                read += Math.max(n, 0);
            }
        }
        assertEquals(5_000_000, read);
        assertEquals("5000000", PeerJvm.await(echoed));
    }

    @Test
    void registeredChannelCannotBecomeBlocking() throws Exception {
        SocketChannel local = connectedChannel().local();
        register(local, closing(Selector.open()), OP_READ);
        assertThrows(IllegalBlockingModeException.class, null, () -> local.configureBlocking(true));
        assertFalse(local.isBlocking());
    }

    @Test
    void channelBlocksAgainAfterItsKeyIsCancelledAndDeselected() throws Exception {
        ChannelLink link = connectedChannel();
        Selector selector = closing(Selector.open());
        register(link.local(), selector, OP_READ).cancel();
        selector.selectNow();
        link.local().configureBlocking(true);
        link.remote().startWrite(5000);
        readPattern(link.local(), 0, 5000);
    }

    @Test
    void blockingModeCanBeSwitchedBackAndForthBetweenTransfers() throws Exception {
        ChannelLink link = connectedChannel();
        for (int i = 0; i < 5; i++) {
            link.local().configureBlocking(false);
            assertEquals(0, link.local().read(ByteBuffer.allocate(1)));
            assertEquals(100, link.local().write(Pattern.buffer(i * 100L, 100)));
            link.local().configureBlocking(true);
            link.remote().read(100);
            link.remote().startWrite(100);
            readPattern(link.local(), i * 100L, i * 100L + 100);
        }
    }

    @Test
    void endOfInputOfOneSideLeavesItWritable() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = registered(link.local(), OP_READ | OP_WRITE);
        link.remote().shutdownOutput();
        awaitReady(key, OP_READ | OP_WRITE);
        assertEquals(-1, link.local().read(ByteBuffer.allocate(1)));
        assertEquals(300, link.local().write(Pattern.buffer(0, 300)));
        link.remote().read(300);
    }
}
