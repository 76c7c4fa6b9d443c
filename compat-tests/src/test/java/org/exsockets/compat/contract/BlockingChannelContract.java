package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.Channel;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.PeerJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Blocking {@code SocketChannel} and {@code ServerSocketChannel}: transfer, interruption, asynchronous close. */
@Tag("placed")
@Tag("noagent")
class BlockingChannelContract extends Contract {
    private static final long SLOW_CONNECT_MS = 100;

    @Test
    void bytesArriveInOrderFromTheOtherProcess() throws Exception {
        ChannelLink link = connectedChannel();
        link.remote().startWrite(3_000_000);
        readPattern(link.local(), 0, 3_000_000);
    }

    @Test
    void bytesArriveInOrderAtTheOtherProcess() throws Exception {
        ChannelLink link = acceptedChannel();
        var read = link.remote().startRead(3_000_000);
        writeFully(link.local(), Pattern.buffer(0, 3_000_000));
        assertEquals("3000000", PeerJvm.await(read));
    }

    @Test
    void blockingReadWaitsForTheFirstByteAndReturnsWhatThereIs() throws Exception {
        ChannelLink link = connectedChannel();
        ByteBuffer buffer = ByteBuffer.allocate(100);
        Background<Integer> read =
                Background.start(() -> link.local().read(buffer)).awaitBlockedIn("read");
        link.remote().write(7);
        assertEquals(7, read.result());
        Pattern.check(0, buffer.flip());
    }

    @Test
    void blockingWriteReturnsOnlyWhenEverythingIsWritten() throws Exception {
        ChannelLink link = connectedChannel();
        int length = 16 << 20;
        Background<Integer> write = Background.start(() -> link.local().write(Pattern.buffer(0, length)));
        write.awaitBlockedIn("write");
        link.remote().read(length);
        assertEquals(length, write.result());
    }

    @Test
    void closeDuringReadThrowsAsynchronousClose() throws Exception {
        SocketChannel local = connectedChannel().local();
        Background<Integer> read = startRead(local);
        local.close();
        assertThrown(AsynchronousCloseException.class, null, read);
    }

    @Test
    void closeDuringWriteThrowsAsynchronousClose() throws Exception {
        SocketChannel local = fullChannel();
        Background<Integer> write = Background.start(() -> local.write(ByteBuffer.allocate(1000)));
        write.awaitBlockedIn("write");
        local.close();
        assertThrown(AsynchronousCloseException.class, null, write);
    }

    @Test
    void closeDuringAcceptThrowsAsynchronousClose() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        Background<SocketChannel> accept = Background.start(listener::accept).awaitBlockedIn("accept");
        listener.close();
        assertThrown(AsynchronousCloseException.class, null, accept);
    }

    @Test
    void interruptDuringReadClosesTheChannelAndKeepsTheInterruptStatus() throws Exception {
        SocketChannel local = connectedChannel().local();
        boolean[] interrupted = new boolean[1];
        Background<Integer> read = Background.start(() -> {
            try {
                return local.read(ByteBuffer.allocate(1));
            } finally {
                interrupted[0] = Thread.currentThread().isInterrupted();
            }
        });
        read.awaitBlockedIn("read").thread().interrupt();
        assertThrown(ClosedByInterruptException.class, null, read);
        assertTrue(interrupted[0]);
        assertFalse(local.isOpen());
    }

    @Test
    void interruptDuringWriteClosesTheChannel() throws Exception {
        SocketChannel local = fullChannel();
        Background<Integer> write = Background.start(() -> local.write(ByteBuffer.allocate(1000)));
        write.awaitBlockedIn("write").thread().interrupt();
        assertThrown(ClosedByInterruptException.class, null, write);
        assertFalse(local.isOpen());
    }

    @Test
    void interruptDuringAcceptClosesTheListener() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        Background<SocketChannel> accept = Background.start(listener::accept).awaitBlockedIn("accept");
        accept.thread().interrupt();
        assertThrown(ClosedByInterruptException.class, null, accept);
        assertFalse(listener.isOpen());
    }

    @Test
    void readWithTheInterruptStatusSetClosesTheChannel() throws Exception {
        ChannelLink link = connectedChannel();
        link.remote().write(10);
        Thread.currentThread().interrupt();
        assertThrows(ClosedByInterruptException.class, null, () -> link.local().read(ByteBuffer.allocate(10)));
        assertTrue(Thread.interrupted());
        assertFalse(link.local().isOpen());
    }

    @Test
    void writeWithTheInterruptStatusSetClosesTheChannel() throws Exception {
        SocketChannel local = connectedChannel().local();
        Thread.currentThread().interrupt();
        assertThrows(ClosedByInterruptException.class, null, () -> local.write(ByteBuffer.allocate(10)));
        assertTrue(Thread.interrupted());
    }

    @Test
    void acceptWithTheInterruptStatusSetClosesTheListener() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        Thread.currentThread().interrupt();
        assertThrows(ClosedByInterruptException.class, null, listener::accept);
        assertTrue(Thread.interrupted());
        assertFalse(listener.isOpen());
    }

    @Test
    void connectWithTheInterruptStatusSetClosesTheChannel() throws Exception {
        InetSocketAddress target = testAddress(port(listeningChannel()));
        SocketChannel channel = closing(SocketChannel.open());
        Thread.currentThread().interrupt();
        assertThrows(ClosedByInterruptException.class, null, () -> channel.connect(target));
        assertTrue(Thread.interrupted());
        assertFalse(channel.isOpen());
    }

    @Test
    void closeDuringConnectThrowsAsynchronousClose() throws Exception {
        SocketChannel[] blocked = new SocketChannel[1];
        Background<Boolean> connect = connectUntilBlocked(blocked);
        blocked[0].close();
        assertThrown(AsynchronousCloseException.class, null, connect);
    }

    @Test
    void interruptDuringConnectClosesTheChannel() throws Exception {
        SocketChannel[] blocked = new SocketChannel[1];
        Background<Boolean> connect = connectUntilBlocked(blocked);
        connect.thread().interrupt();
        assertThrown(ClosedByInterruptException.class, null, connect);
        assertFalse(blocked[0].isOpen());
    }

    @Test
    void readAndWriteBeforeConnectThrowNotYetConnected() throws Exception {
        SocketChannel channel = closing(SocketChannel.open());
        assertThrows(NotYetConnectedException.class, null, () -> channel.read(ByteBuffer.allocate(1)));
        assertThrows(NotYetConnectedException.class, null, () -> channel.write(ByteBuffer.allocate(1)));
        assertThrows(NotYetConnectedException.class, null, channel::shutdownInput);
        assertThrows(NotYetConnectedException.class, null, channel::shutdownOutput);
    }

    @Test
    void secondConnectThrowsAlreadyConnected() throws Exception {
        SocketChannel local = connectedChannel().local();
        assertThrows(AlreadyConnectedException.class, null, () -> local.connect(testAddress(1)));
        assertTrue(local.isConnected());
    }

    @Test
    void acceptBeforeBindThrowsNotYetBound() throws Exception {
        ServerSocketChannel listener = closing(ServerSocketChannel.open());
        assertThrows(NotYetBoundException.class, null, listener::accept);
    }

    @Test
    void everyOperationOnAClosedChannelThrowsClosedChannel() throws Exception {
        SocketChannel local = connectedChannel().local();
        local.close();
        local.close();
        assertFalse(local.isOpen());
        assertThrowsA(ClosedChannelException.class, () -> local.read(ByteBuffer.allocate(1)));
        assertThrowsA(ClosedChannelException.class, () -> local.write(ByteBuffer.allocate(1)));
        assertThrows(ClosedChannelException.class, null, local::shutdownOutput);
        assertThrows(ClosedChannelException.class, null, local::shutdownInput);
        assertThrows(ClosedChannelException.class, null, local::getLocalAddress);
        assertThrows(ClosedChannelException.class, null, local::getRemoteAddress);
        assertThrows(ClosedChannelException.class, null, () -> local.configureBlocking(false));
        assertThrowsA(ClosedChannelException.class, () -> local.connect(testAddress(1)));
    }

    @Test
    void everyOperationOnAClosedListenerThrowsClosedChannel() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        listener.close();
        assertThrowsA(ClosedChannelException.class, listener::accept);
        assertThrows(ClosedChannelException.class, null, listener::getLocalAddress);
        assertThrows(ClosedChannelException.class, null, () -> listener.bind(testAddress(0)));
    }

    @Test
    void readerAndWriterWorkOnOneChannelAtTheSameTime() throws Exception {
        ChannelLink link = connectedChannel();
        var echoed = link.remote().startEcho();
        int length = 8 << 20;
        Background<Boolean> writer = Background.start(() -> {
            writeFully(link.local(), Pattern.buffer(0, length));
            link.local().shutdownOutput();
            return true;
        });
        readPattern(link.local(), 0, length);
        assertTrue(writer.result());
        assertEquals(-1, link.local().read(ByteBuffer.allocate(1)));
        assertEquals(Integer.toString(length), PeerJvm.await(echoed));
    }

    /** Calls that may block close the channel of an interrupted thread, also where they would have failed at once. */
    @Test
    void callsOfAnInterruptedThreadThatFailAnywayCloseTheChannel() throws Exception {
        SocketChannel connected = connectedChannel().local();
        assertClosedByInterrupt(connected, () -> connected.connect(connected.getRemoteAddress()));
        SocketChannel adapted = connectedChannel().local();
        assertClosedByInterrupt(adapted, () -> adapted.socket().connect(testAddress(1)));
        SocketChannel shut = connectedChannel().local().shutdownOutput();
        assertClosedByInterrupt(shut, () -> shut.write(ByteBuffer.allocate(1)));
        SocketChannel unconnected = closing(SocketChannel.open());
        assertClosedByInterrupt(unconnected, unconnected::finishConnect);
        ServerSocketChannel unbound = closing(ServerSocketChannel.open());
        assertClosedByInterrupt(unbound, unbound::accept);
        ServerSocketChannel adaptedListener = closing(ServerSocketChannel.open());
        assertClosedByInterrupt(adaptedListener, () -> adaptedListener.socket().accept());
    }

    private static void assertClosedByInterrupt(Channel channel, Executable call) {
        Thread.currentThread().interrupt();
        try {
            assertThrows(ClosedByInterruptException.class, null, call);
        } finally {
            assertTrue(Thread.interrupted());
        }
        assertFalse(channel.isOpen());
    }

    /** Fills the backlog of a listener that never accepts, until a connect blocks, and leaves its channel in place 0. */
    private Background<Boolean> connectUntilBlocked(SocketChannel[] blocked) throws Exception {
        InetSocketAddress target =
                testAddress(port(closing(ServerSocketChannel.open()).bind(testAddress(0), 1)));
        Background<Boolean> connect = Background.start(() -> {
            while (true) {
                blocked[0] = SocketChannel.open();
                blocked[0].connect(target);
                closing(blocked[0]);
            }
        });
        SocketChannel seen;
        do {
            // One that is merely slow is over soon, and the next one has another channel.
            connect.awaitBlockedIn("connect");
            seen = blocked[0];
            Thread.sleep(Patience.lasting(SLOW_CONNECT_MS));
        } while (blocked[0] != seen);
        return connect;
    }

    /** Returns a blocking channel whose next write must block. */
    private SocketChannel fullChannel() throws Exception {
        SocketChannel local = connectedChannel().local();
        local.configureBlocking(false);
        fill(local, 0);
        local.configureBlocking(true);
        return local;
    }
}
