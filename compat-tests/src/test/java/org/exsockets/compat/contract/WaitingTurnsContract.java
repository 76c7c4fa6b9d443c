package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Patience;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Which calls wait for those that other threads are making, and what they find when it is their turn. */
@Tag("fallback")
class WaitingTurnsContract extends Contract {
    private static final boolean ADAPTORS_TELL_SOCKETS_EXCEPTIONS =
            Runtime.version().feature() >= 24;

    @Test
    void availableOfASocketDoesNotWaitForItsReader() throws Exception {
        SocketPair pair = socketPair();
        Background<Integer> read = startRead(pair.server());
        Background<Integer> available =
                Background.start(() -> pair.server().getInputStream().available());
        assertEquals(0, available.result());
        assertFalse(read.isDone());
        pair.client().getOutputStream().write(7);
        assertEquals(7, read.result());
    }

    @Test
    void availableOfAnAdaptorDoesNotWaitForItsReader() throws Exception {
        ChannelPair pair = channelPair();
        Background<Integer> read = startRead(pair.server());
        Background<Integer> available =
                Background.start(() -> pair.server().socket().getInputStream().available());
        assertEquals(0, available.result());
        assertFalse(read.isDone());
        writeFully(pair.client(), ByteBuffer.allocate(1));
        assertEquals(1, read.result());
    }

    @Test
    void availableOfAnAdaptorCountsInNonBlockingMode() throws Exception {
        ChannelPair pair = channelPair();
        writeFully(pair.client(), ByteBuffer.allocate(3));
        transport().awaitOthers();
        pair.server().configureBlocking(false);
        assertEquals(3, pair.server().socket().getInputStream().available());
    }

    /** Before, its time begins when it is its turn. */
    @Test
    void readOfASocketBehindAnotherTimesOutFromJdk25On() throws Exception {
        Assumptions.assumeTrue(Runtime.version().feature() >= 25, "JDK-8358496 is not in this JDK");
        SocketPair pair = socketPair();
        Background<Integer> first = startRead(pair.server());
        pair.server().setSoTimeout(60);
        Background<Integer> second =
                Background.start(() -> pair.server().getInputStream().read());
        assertThrown(SocketTimeoutException.class, "Read timed out", second);
        assertFalse(first.isDone());
        pair.client().getOutputStream().write(7);
        assertEquals(7, first.result());
    }

    @Test
    void readOfASocketBehindAnotherKeepsToTheTimeOutOfItsCallFromJdk25On() throws Exception {
        Assumptions.assumeTrue(Runtime.version().feature() >= 25, "JDK-8358496 is not in this JDK");
        SocketPair pair = socketPair();
        Background<Integer> first = startRead(pair.server());
        Background<Integer> second = startRead(pair.server());
        pair.server().setSoTimeout(1);
        pair.client().getOutputStream().write(7);
        assertEquals(7, first.result());
        Background<Integer> third =
                Background.start(() -> pair.server().getInputStream().read());
        assertThrown(SocketTimeoutException.class, "Read timed out", third);
        assertFalse(second.isDone());
        pair.client().getOutputStream().write(8);
        assertEquals(8, second.result());
    }

    @Test
    void timedReadOfASocketGetsWhatItsPredecessorLeaves() throws Exception {
        SocketPair pair = socketPair();
        Background<Integer> first = startRead(pair.server());
        pair.server().setSoTimeout(Patience.NEVER_MS);
        Background<Integer> second = startRead(pair.server());
        pair.client().getOutputStream().write(new byte[] {7, 8});
        assertEquals(15, first.result() + second.result());
        Background<Integer> third = startRead(pair.server());
        pair.server().close();
        assertThrown(SocketException.class, "Socket closed", third);
    }

    @Test
    void changeOfModeWaitsForTheReader() throws Exception {
        ChannelPair pair = channelPair();
        Background<Integer> read = startRead(pair.server());
        Background<?> change =
                Background.start(() -> pair.server().configureBlocking(false)).awaitBlockedIn("configureBlocking");
        assertTrue(pair.server().isBlocking());
        writeFully(pair.client(), ByteBuffer.allocate(1));
        assertEquals(1, read.result());
        change.result();
        assertFalse(pair.server().isBlocking());
    }

    @Test
    void changeOfModeThatHasWaitedFindsTheChannelClosed() throws Exception {
        SocketChannel channel = channelPair().server();
        Background<Integer> read = startRead(channel);
        Background<?> change =
                Background.start(() -> channel.configureBlocking(false)).awaitBlockedIn("configureBlocking");
        channel.close();
        assertThrown(AsynchronousCloseException.class, null, read);
        assertThrown(ClosedChannelException.class, null, change);
    }

    @Test
    void changeOfModeThatHasWaitedFindsTheChannelClosedByAnInterrupt() throws Exception {
        SocketChannel channel = channelPair().server();
        Background<Integer> read = startRead(channel);
        Background<?> change =
                Background.start(() -> channel.configureBlocking(false)).awaitBlockedIn("configureBlocking");
        Background<Integer> next = startRead(channel);
        read.thread().interrupt();
        assertThrown(ClosedByInterruptException.class, null, read);
        assertThrown(ClosedChannelException.class, null, change);
        assertThrown(ClosedChannelException.class, null, next);
    }

    @Test
    void changeOfModeWaitsForAnAccept() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        Background<SocketChannel> accept = Background.start(listener::accept).awaitBlockedIn("accept");
        Background<?> change =
                Background.start(() -> listener.configureBlocking(false)).awaitBlockedIn("configureBlocking");
        assertTrue(listener.isBlocking());
        closing(SocketChannel.open(listener.getLocalAddress()));
        closing(accept.result());
        change.result();
        assertFalse(listener.isBlocking());
    }

    @Test
    void changeOfModeThatHasWaitedFindsTheListenerClosed() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        Background<SocketChannel> accept = Background.start(listener::accept).awaitBlockedIn("accept");
        Background<?> change =
                Background.start(() -> listener.configureBlocking(false)).awaitBlockedIn("configureBlocking");
        listener.close();
        assertThrown(AsynchronousCloseException.class, null, accept);
        assertThrown(ClosedChannelException.class, null, change);
    }

    @Test
    void readThatHasWaitedForAnotherFindsTheChannelClosed() throws Exception {
        SocketChannel channel = channelPair().server();
        Background<Integer> first = startRead(channel);
        Background<Integer> second = startRead(channel);
        Background<Integer> third = startRead(channel.socket());
        channel.close();
        assertThrown(AsynchronousCloseException.class, null, first);
        assertThrown(ClosedChannelException.class, null, second);
        assertThrown(ClosedChannelException.class, null, third);
    }

    @Test
    void writeThatHasWaitedForAnotherFindsTheChannelClosed() throws Exception {
        SocketChannel channel = channelPair().client();
        Background<Integer> first = Background.start(() -> {
            while (true) {
                channel.write(ByteBuffer.allocate(8 << 20));
            }
        });
        first.awaitBlockedIn("write");
        Background<Integer> second =
                Background.start(() -> channel.write(ByteBuffer.allocate(1))).awaitBlockedIn("write");
        channel.close();
        first.thrown(); // A part has been written, so that TCP tells the next write of the close.
        assertThrown(ClosedChannelException.class, null, second);
    }

    @Test
    void readOnlyBufferIsRefusedAfterTheReader() throws Exception {
        ChannelPair pair = channelPair();
        Background<Integer> read = startRead(pair.server());
        ByteBuffer readOnly = ByteBuffer.allocate(1).asReadOnlyBuffer();
        Background<Integer> refused =
                Background.start(() -> pair.server().read(readOnly)).awaitBlockedIn("read");
        writeFully(pair.client(), ByteBuffer.allocate(1));
        assertEquals(1, read.result());
        assertThrown(IllegalArgumentException.class, "Read-only buffer", refused);
    }

    @Test
    void readsThatWaitBeforeAChangeOfModeBlockAsBefore() throws Exception {
        ChannelPair pair = channelPair();
        Background<Integer> first = startRead(pair.server());
        Background<Integer> second = startRead(pair.server());
        Background<?> change =
                Background.start(() -> pair.server().configureBlocking(false)).awaitBlockedIn("configureBlocking");
        writeFully(pair.client(), ByteBuffer.allocate(1));
        assertEquals(1, first.result());
        assertFalse(second.isDone());
        assertTrue(pair.server().isBlocking());
        writeFully(pair.client(), ByteBuffer.allocate(1));
        assertEquals(1, second.result());
        change.result();
    }

    @Test
    void interruptOfAReadThatWaitsForAnotherClosesWhenItIsItsTurn() throws Exception {
        for (boolean adaptor : new boolean[] {false, true}) {
            ChannelPair pair = channelPair();
            SocketChannel channel = pair.server();
            Background<Integer> first = startRead(channel);
            Background<Integer> second = Background.start(() ->
                            adaptor ? channel.socket().getInputStream().read() : channel.read(ByteBuffer.allocate(1)))
                    .awaitBlockedIn("read");
            second.thread().interrupt();
            writeFully(pair.client(), ByteBuffer.allocate(10));
            assertEquals(1, first.result());
            assertThrown(ClosedByInterruptException.class, null, second);
            assertFalse(channel.isOpen());
        }
    }

    @Test
    void adaptorOfAnInterruptedThreadClosesThoughThereIsSomethingToRead() throws Exception {
        ChannelPair pair = channelPair();
        writeFully(pair.client(), ByteBuffer.allocate(1));
        Background<Integer> read = Background.start(() -> {
            Thread.currentThread().interrupt();
            return pair.server().socket().getInputStream().read();
        });
        assertThrown(ClosedByInterruptException.class, null, read);
    }

    @Test
    void whatConcernsTheWholeChannelWaitsForTheReader() throws Exception {
        ChannelPair pair = channelPair();
        SocketChannel channel = pair.server();
        Background<Integer> read = startRead(channel);
        Background<?> bind = Background.start(() -> channel.bind(null)).awaitBlockedIn("bind");
        Background<?> connect =
                Background.start(() -> channel.connect(testAddress(1))).awaitBlockedIn("connect");
        Background<Boolean> finish = Background.start(channel::finishConnect).awaitBlockedIn("finishConnect");
        writeFully(pair.client(), ByteBuffer.allocate(1));
        assertEquals(1, read.result());
        assertThrown(AlreadyBoundException.class, null, bind);
        assertThrown(AlreadyConnectedException.class, null, connect);
        assertTrue(finish.result());
    }

    @Test
    void whatConcernsTheWholeAdaptorWaitsForTheReader() throws Exception {
        ChannelPair pair = channelPair();
        Socket adaptor = pair.server().socket();
        Background<Integer> read = startRead(adaptor);
        Background<?> bind = inBackground(() -> adaptor.bind(null)).awaitBlockedIn("bind");
        Background<?> connect =
                inBackground(() -> adaptor.connect(testAddress(1))).awaitBlockedIn("connect");
        writeFully(pair.client(), ByteBuffer.allocate(1));
        assertEquals(0, read.result());
        assertThrown(SocketException.class, "Already bound", bind);
        if (ADAPTORS_TELL_SOCKETS_EXCEPTIONS) {
            assertThrown(SocketException.class, "Already connected", connect);
        } else {
            assertThrown(AlreadyConnectedException.class, null, connect);
        }
        assertTrue(adaptor.isConnected());
    }

    @Test
    void callsOfAnAdaptorThatHaveWaitedFindItClosed() throws Exception {
        for (boolean interrupt : new boolean[] {false, true}) {
            Socket adaptor = channelPair().server().socket();
            Background<Integer> read = startRead(adaptor);
            Background<?> bind = inBackground(() -> adaptor.bind(null)).awaitBlockedIn("bind");
            Background<?> connect =
                    inBackground(() -> adaptor.connect(testAddress(1))).awaitBlockedIn("connect");
            if (interrupt) {
                read.thread().interrupt();
            } else {
                adaptor.close();
            }
            read.thrown();
            assertThrown(ClosedChannelException.class, null, bind);
            assertThrown(AsynchronousCloseException.class, null, connect);
        }
    }

    private static Background<?> inBackground(Executable call) {
        return Background.start(() -> {
            try {
                call.execute();
            } catch (Exception | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
            return null;
        });
    }

    @Test
    void acceptOfAnInterruptedThreadClosesWhenItIsItsTurn() throws Exception {
        for (boolean adaptor : new boolean[] {false, true}) {
            ServerSocketChannel listener = listeningChannel();
            Background<SocketChannel> first = Background.start(listener::accept).awaitBlockedIn("accept");
            Background<?> second = Background.start(() -> {
                        Thread.currentThread().interrupt();
                        return adaptor ? listener.socket().accept() : listener.accept();
                    })
                    .awaitBlockedIn("accept");
            assertTrue(listener.isOpen());
            closing(SocketChannel.open(listener.getLocalAddress()));
            closing(first.result());
            assertThrown(ClosedByInterruptException.class, null, second);
            assertFalse(listener.isOpen());
        }
    }

    @Test
    void emptyReadBehindAResetIsToldOfIt() throws Exception {
        ChannelPair pair = channelPair();
        pair.client().setOption(StandardSocketOptions.SO_LINGER, 0);
        pair.client().close();
        transport().awaitOthers();
        assertThrows(
                SocketException.class, "Connection reset", () -> pair.server().read(ByteBuffer.allocate(1)));
        ByteBuffer empty = ByteBuffer.allocate(0);
        assertThrows(
                SocketException.class, "Connection reset", () -> pair.server().read(empty));
        assertThrows(
                SocketException.class, "Connection reset", () -> pair.server().read(new ByteBuffer[] {empty, empty}));
    }

    @Test
    void acceptOfAServerSocketWithATimeoutWaitsNoLongerForAnother() throws Exception {
        ServerSocket listener = listeningSocket();
        Background<Socket> first = Background.start(listener::accept).awaitBlockedIn("accept");
        listener.setSoTimeout(20);
        assertThrows(SocketTimeoutException.class, "Accept timed out", listener::accept);
        assertFalse(first.isDone());
        closing(new Socket(listener.getInetAddress(), listener.getLocalPort()));
        closing(first.result());
    }

    @Test
    void socketsOfAConnectionClosedMeanwhileTellBothReaders() throws Exception {
        Socket socket = socketPair().server();
        Background<Integer> first = startRead(socket);
        Background<Integer> second = startRead(socket);
        socket.close();
        assertThrown(SocketException.class, "Socket closed", first);
        assertThrown(SocketException.class, "Socket closed", second);
    }
}
