package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Face;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.PeerFailure;
import org.exsockets.compat.harness.PeerJvm;
import org.exsockets.compat.harness.TestHost;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Close, reset and writing to nobody, over both faces, and what either side is told. */
@Tag("placed")
class CloseAndResetContract extends Contract {
    private static final int MORE_THAN_ANY_TRANSPORT_HOLDS = 8 << 20;

    @Test
    void closeDuringSocketReadThrowsSocketClosed() throws Exception {
        Socket local = connectedSocket().local();
        Background<Integer> read = startRead(local);
        local.close();
        assertThrown(SocketException.class, "Socket closed", read);
    }

    @Test
    void closeDuringSocketWriteThrowsSocketClosed() throws Exception {
        Socket local = connectedSocket().local();
        Background<Integer> write = startWrites(local);
        local.close();
        assertThrown(SocketException.class, "Socket closed", write);
    }

    @Test
    void closeDuringSocketAcceptThrowsSocketClosed() throws Exception {
        ServerSocket listener = listeningSocket();
        Background<Socket> accept = Background.start(listener::accept).awaitBlockedIn("accept");
        listener.close();
        assertThrown(SocketException.class, "Socket closed", accept);
    }

    @Test
    void acceptOnAClosedServerSocketThrowsSocketIsClosed() throws Exception {
        ServerSocket listener = listeningSocket();
        listener.close();
        listener.close();
        assertTrue(listener.isClosed());
        assertThrows(SocketException.class, "Socket is closed", listener::accept);
    }

    @Test
    void streamsOfAClosedSocketAreRefused() throws Exception {
        Socket local = connectedSocket().local();
        InputStream in = local.getInputStream();
        OutputStream out = local.getOutputStream();
        local.close();
        local.close();
        assertThrows(SocketException.class, "Socket is closed", local::getInputStream);
        assertThrows(SocketException.class, "Socket is closed", local::getOutputStream);
        assertThrows(SocketException.class, "Socket closed", in::read);
        assertThrows(SocketException.class, "Socket closed", () -> out.write(1));
        assertThrowsA(IOException.class, in::available);
    }

    @Test
    void closingAStreamClosesItsSocket() throws Exception {
        SocketLink first = connectedSocket();
        first.local().getInputStream().close();
        assertTrue(first.local().isClosed());
        SocketLink second = connectedSocket();
        second.local().getOutputStream().close();
        assertTrue(second.local().isClosed());
        assertEquals(0, second.remote().readToEnd());
    }

    @Test
    void lingerZeroMakesThePeersSocketReadThrowConnectionReset() throws Exception {
        SocketLink link = connectedSocket();
        link.remote().abort();
        InputStream in = link.local().getInputStream();
        assertThrows(SocketException.class, "Connection reset", in::read);
        assertThrows(SocketException.class, "Connection reset", in::read);
    }

    @Test
    void aResetThatASocketWasToldOfOutlivesTheShutdownOfItsInput() throws Exception {
        SocketLink link = connectedSocket();
        link.remote().abort();
        InputStream in = link.local().getInputStream();
        assertThrows(SocketException.class, "Connection reset", in::read);
        link.local().shutdownInput();
        assertThrows(SocketException.class, "Connection reset", in::read);
        link.local().close();
        assertThrows(SocketException.class, "Socket closed", in::read);
    }

    @Test
    void aShutInputOfASocketIsAtItsEndIfNobodyWasToldOfTheReset() throws Exception {
        SocketLink link = connectedSocket();
        InputStream in = link.local().getInputStream();
        link.local().shutdownInput();
        link.remote().abort();
        assertEquals(-1, in.read());
        link.local().close();
        assertEquals(-1, in.read());
    }

    @Test
    void lingerZeroMakesThePeersChannelReadThrowConnectionReset() throws Exception {
        ChannelLink link = connectedChannel();
        link.local().setOption(StandardSocketOptions.SO_LINGER, 0);
        var read = link.remote().startReadToEnd();
        link.local().close();
        PeerFailure failure = assertThrowsA(PeerFailure.class, () -> PeerJvm.await(read));
        assertEquals(SocketException.class.getName(), failure.thrownClass());
        assertEquals("Connection reset", failure.thrownMessage());
    }

    @Test
    void resetEndsABlockedSocketRead() throws Exception {
        SocketLink link = connectedSocket();
        Background<Integer> read = startRead(link.local());
        link.remote().abort();
        assertThrown(SocketException.class, "Connection reset", read);
    }

    @Test
    void resetEndsABlockedSocketWrite() throws Exception {
        SocketLink link = connectedSocket();
        Background<Integer> write = startWrites(link.local());
        link.remote().abort();
        assertGone(write.thrown());
    }

    @Test
    void channelCloseWithUnreadBytesResetsThePeer() throws Exception {
        ChannelPair pair = channelPair();
        pair.client().write(Pattern.buffer(0, 100));
        readPattern(pair.server(), 0, 1);
        pair.server().close();
        assertThrows(
                SocketException.class, "Connection reset", () -> pair.client().read(ByteBuffer.allocate(1)));
    }

    /**
     * Before it closes, a {@code java.net.Socket} ends its output, so on TCP the peer's reader may meet the end of
     * the stream instead of the reset that follows it; its writer fails in either case.
     */
    @Test
    void socketCloseWithUnreadBytesEndsThePeersReadingAndWriting() throws Exception {
        SocketPair pair = socketPair();
        pair.client().getOutputStream().write(Pattern.bytes(0, 100));
        assertEquals(Pattern.at(0), (byte) pair.server().getInputStream().read());
        pair.server().close();
        try {
            assertEquals(-1, pair.client().getInputStream().read());
        } catch (SocketException reset) {
            assertEquals("Connection reset", reset.getMessage());
        }
        assertGone(assertThrowsA(IOException.class, () -> {
            while (true) {
                pair.client().getOutputStream().write(1);
            }
        }));
    }

    @Test
    void firstWriteAfterThePeersOrderlyCloseSucceedsAndLaterOnesFail() throws Exception {
        SocketLink link = connectedSocket();
        link.remote().close();
        assertEquals(-1, link.local().getInputStream().read());
        OutputStream out = link.local().getOutputStream();
        out.write(1);
        assertGone(assertThrowsA(IOException.class, () -> {
            while (true) {
                out.write(1);
            }
        }));
    }

    @Test
    void channelWritesAfterThePeersCloseFailInTheEnd() throws Exception {
        ChannelLink link = connectedChannel();
        link.remote().close();
        assertEquals(-1, link.local().read(ByteBuffer.allocate(1)));
        assertEquals(1, link.local().write(ByteBuffer.allocate(1)));
        assertGone(assertThrowsA(IOException.class, () -> {
            while (true) {
                link.local().write(ByteBuffer.allocate(1));
            }
        }));
        assertTrue(link.local().isOpen());
    }

    @Test
    void largeChannelWriteAfterThePeersCloseIsTakenInPartAndTheNextOneFails() throws Exception {
        ChannelLink link = connectedChannel();
        link.remote().close();
        assertEquals(-1, link.local().read(ByteBuffer.allocate(1)));
        ByteBuffer large = ByteBuffer.allocateDirect(MORE_THAN_ANY_TRANSPORT_HOLDS);
        int n = link.local().write(large);
        assertTrue(n > 0 && n < large.capacity(), () -> n + " bytes written to nobody");
        assertEquals(n, large.position());
        assertThrows(IOException.class, "Broken pipe", () -> link.local().write(large));
    }

    @Test
    void largeSocketWriteAfterThePeersCloseFails() throws Exception {
        SocketLink link = connectedSocket();
        link.remote().close();
        assertEquals(-1, link.local().getInputStream().read());
        byte[] large = new byte[MORE_THAN_ANY_TRANSPORT_HOLDS];
        assertGone(assertThrowsA(
                IOException.class, () -> link.local().getOutputStream().write(large)));
    }

    @Test
    void channelWritesAfterAResetFail() throws Exception {
        ChannelLink link = connectedChannel();
        link.remote().abort();
        assertThrows(
                SocketException.class, "Connection reset", () -> link.local().read(ByteBuffer.allocate(1)));
        assertThrowsA(IOException.class, () -> link.local().write(ByteBuffer.allocate(1)));
    }

    @Test
    void bytesThatArrivedBeforeTheEndAreReadAfterTheConnectionIsClosedByThePeer() throws Exception {
        SocketLink link = connectedSocket();
        link.remote().write(1000);
        link.remote().close();
        byte[] received = link.local().getInputStream().readAllBytes();
        assertEquals(1000, received.length);
        Pattern.check(0, received, 0, 1000);
        assertEquals(-1, link.local().getInputStream().read());
    }

    @Test
    void closeWithLingerDeliversEverythingFirst() throws Exception {
        SocketLink link = connectedSocket();
        link.local().setSoLinger(true, 10);
        var read = link.remote().startReadToEnd();
        link.local().getOutputStream().write(Pattern.bytes(0, 500_000));
        link.local().close();
        assertEquals("500000", PeerJvm.await(read));
    }

    @Test
    void closedSocketTellsItsStateAndNoAddresses() throws Exception {
        Socket local = connectedSocket().local();
        local.close();
        assertTrue(local.isClosed());
        assertTrue(local.isConnected());
        assertTrue(local.isBound());
        assertFalse(local.isInputShutdown());
        assertEquals("0.0.0.0/0.0.0.0", local.getLocalAddress().toString());
    }

    @Test
    void closeFromTwoThreadsAtOnceIsOneClose() throws Exception {
        for (int i = 0; i < 20; i++) {
            ChannelLink link = connectedChannel();
            Background<Boolean> other = Background.start(() -> {
                link.local().close();
                return true;
            });
            link.local().close();
            assertTrue(other.result());
            assertEquals(0, link.remote().readToEnd());
        }
    }

    @Test
    void socketIsClosedByTryWithResourcesAndThePeerReadsTheEnd() throws Exception {
        ServerSocket listener = listeningSocket();
        var remote = peer().connect(Face.NET, TestHost.NAME, listener.getLocalPort());
        try (Socket local = listener.accept()) {
            local.getOutputStream().write(Pattern.bytes(0, 10));
        }
        assertEquals(10, remote.awaitOpen().readToEnd());
        remote.close();
    }

    @Test
    void unconnectedChannelAndSocketCloseQuietly() throws Exception {
        SocketChannel channel = SocketChannel.open();
        channel.close();
        assertFalse(channel.isOpen());
        Socket socket = new Socket();
        socket.close();
        assertTrue(socket.isClosed());
        assertThrows(SocketException.class, "Socket is closed", () -> socket.connect(testAddress(1)));
    }

    /** Checks that an exception is one of those that tell a writer that the other side is gone. */
    private static void assertGone(Throwable thrown) {
        String message = String.valueOf(thrown.getMessage());
        boolean known = Arrays.asList("Broken pipe", "Connection reset", "Connection reset by peer")
                .contains(message);
        assertTrue(thrown instanceof IOException && known, thrown.toString());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shutInputOfAChannelIsAtItsEndThoughAResetWasRead(boolean blocking) throws Exception {
        ChannelPair pair = channelPair();
        pair.server().setOption(StandardSocketOptions.SO_LINGER, 0);
        pair.server().close();
        transport().awaitOthers();
        pair.client().configureBlocking(blocking);
        for (int i = 0; i < 2; i++) {
            assertThrows(
                    SocketException.class,
                    "Connection reset",
                    () -> pair.client().read(ByteBuffer.allocate(9)));
        }
        pair.client().shutdownInput();
        assertEquals(-1, pair.client().read(ByteBuffer.allocate(9)));
        assertEquals(-1, pair.client().read(ByteBuffer.allocate(0)));
    }

    @Test
    void nonBlockingWriteToAShutOutputTakesTheResetAway() throws Exception {
        ChannelPair pair = resetBehindShutOutput();
        pair.client().configureBlocking(false);
        assertThrows(AsynchronousCloseException.class, null, () -> pair.client().write(ByteBuffer.allocate(1)));
        assertEquals(3, pair.client().read(ByteBuffer.allocate(9)));
        assertEquals(-1, pair.client().read(ByteBuffer.allocate(9)));
    }

    @Test
    void blockingWriteToAShutOutputLeavesTheReset() throws Exception {
        ChannelPair pair = resetBehindShutOutput();
        assertThrows(AsynchronousCloseException.class, null, () -> pair.client().write(ByteBuffer.allocate(1)));
        assertEquals(3, pair.client().read(ByteBuffer.allocate(9)));
        assertThrows(
                SocketException.class, "Connection reset", () -> pair.client().read(ByteBuffer.allocate(9)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void writeOfASocketToAShutOutputIsToldOfTheReset(boolean shutBefore) throws Exception {
        SocketLink link = connectedSocket();
        OutputStream out = link.local().getOutputStream();
        if (shutBefore) {
            link.local().shutdownOutput();
        }
        link.remote().abort();
        transport().awaitOthers();
        if (!shutBefore) {
            link.local().shutdownOutput();
        }
        assertThrows(SocketException.class, "Connection reset by peer", () -> out.write(1));
        assertThrows(SocketException.class, "Broken pipe", () -> out.write(1));
        assertEquals(-1, link.local().getInputStream().read());
    }

    private ChannelPair resetBehindShutOutput() throws Exception {
        ChannelPair pair = channelPair();
        writeFully(pair.client(), ByteBuffer.allocate(4000));
        pair.client().shutdownOutput();
        writeFully(pair.server(), ByteBuffer.allocate(3));
        transport().awaitOthers();
        assertEquals(7, pair.server().read(ByteBuffer.allocate(7)));
        pair.server().close();
        transport().awaitOthers();
        return pair;
    }

    @Test
    void selectionFindsAResetBesideReadinessToWrite() throws Exception {
        ChannelPair pair = channelPair();
        SelectionKey key = registered(pair.client(), SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        assertEquals(1, key.selector().selectNow());
        assertEquals(SelectionKey.OP_WRITE, key.readyOps());
        key.selector().selectedKeys().clear();
        pair.server().setOption(StandardSocketOptions.SO_LINGER, 0);
        pair.server().close();
        transport().awaitOthers();
        assertEquals(1, key.selector().selectNow());
        assertEquals(SelectionKey.OP_READ | SelectionKey.OP_WRITE, key.readyOps());
    }
}
