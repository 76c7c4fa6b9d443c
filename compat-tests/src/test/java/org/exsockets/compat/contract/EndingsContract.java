package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.StringJoiner;
import org.exsockets.compat.harness.Background;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How one side ends a connection, and what the other one is told, call by call: {@code r} reads, {@code w} writes a byte.
 * Sockets and channels are told different things where their close is different: a socket ends its output before it
 * closes, even if a reset is to follow.
 */
@Tag("placed")
class EndingsContract extends Contract {
    /** Through what the side that is told reads and writes. The ends of a connection are of one kind. */
    private enum Kind {
        SOCKET,
        ADAPTOR,
        CHANNEL,
        NON_BLOCKING_CHANNEL
    }

    private record Ends(Kind kind, Socket ending, Socket told, SocketChannel toldChannel) {}

    @ParameterizedTest(name = "{0} ({2})")
    @CsvSource({
        "the end is read again and again after a close,           close,         rrr,  -1;-1;-1",
        "one write succeeds after a close,                        close,         wwwr, ok;Broken pipe;Broken pipe;-1",
        "the end is read between the writes after a close,        close,         wrwr, ok;-1;Broken pipe;-1",
        "writes after the end was read fail from the second on,   close,         rwwr, -1;ok;Broken pipe;-1",
        "an ended output leaves the other direction alone,        shut,          rwwr, -1;ok;ok;-1",
        "an ended output is followed by a close,                  shut close,    rwwr, -1;ok;Broken pipe;-1",
        "an ended output is followed by a reset,                  shut reset,    rwwr, -1;Broken pipe;Broken pipe;-1",
        "a reset after an ended output is no reset for a writer,  shut reset,    wrwr, Broken pipe;-1;Broken pipe;-1",
        "a reset is read again and again,                         reset,         rrr,"
                + " Connection reset;Connection reset;Connection reset",
        "a reset is written once and the end is read then,        reset,         wwwr,"
                + " Connection reset by peer;Broken pipe;Broken pipe;-1",
        "a reset that was read is not written,                    reset,         rwwr,"
                + " Connection reset;Broken pipe;Broken pipe;Connection reset",
        "a reset that was written is not read,                    reset,         wrwr,"
                + " Connection reset by peer;-1;Broken pipe;-1",
        "bytes before a reset are read first,                     bytes reset,   rrr,  3;Connection reset;Connection reset",
        "bytes before a reset are read after it was written,      bytes reset,   wrwr,"
                + " Connection reset by peer;3;Broken pipe;-1",
        "a reset is written after the bytes before it were read,  bytes reset,   rwwr,"
                + " 3;Connection reset by peer;Broken pipe;-1",
        "a reset takes no account of what was left unread,        unread reset,  rwwr,"
                + " Connection reset;Broken pipe;Broken pipe;Connection reset",
        "an input that was shut down is closed,                   shutIn close,  rwwr, -1;ok;Broken pipe;-1",
        "both directions are ended and closed,                    shutIn shut close, rwwr, -1;ok;Broken pipe;-1",
        "bytes are read before the end after a close,             bytes close,   rrwr, 3;-1;ok;-1",
        "bytes are read before the end of an ended output,        bytes shut,    rrwr, 3;-1;ok;-1"
    })
    void ending(String behaviour, String ending, String calls, String expected) throws Exception {
        for (Kind kind : Kind.values()) {
            assertEquals(expected, told(kind, ending, calls), kind.name());
        }
    }

    @ParameterizedTest(name = "{0} ({2})")
    @CsvSource({
        "close with unread bytes,                unread close,          rrr,  -1;-1;-1,"
                + " Connection reset;Connection reset;Connection reset",
        "close with unread bytes and writing,    unread close,          wwwr, Broken pipe;Broken pipe;Broken pipe;-1,"
                + " Connection reset by peer;Broken pipe;Broken pipe;-1",
        "close with unread bytes and both,       unread close,          rwwr, -1;Broken pipe;Broken pipe;-1,"
                + " Connection reset;Broken pipe;Broken pipe;Connection reset",
        "close with bytes under way both ways,   unread bytes close,    rrr,  3;-1;-1,"
                + " 3;Connection reset;Connection reset",
        "close with bytes both ways and writing, unread bytes close,    wrwr, Broken pipe;3;Broken pipe;-1,"
                + " Connection reset by peer;3;Broken pipe;-1",
        "close with linger and unread bytes,     unread linger close,   rwwr, -1;Broken pipe;Broken pipe;-1,"
                + " Connection reset;Broken pipe;Broken pipe;Connection reset"
    })
    void closeWithUnreadBytes(String behaviour, String ending, String calls, String sockets, String channels)
            throws Exception {
        for (Kind kind : Kind.values()) {
            assertEquals(kind == Kind.SOCKET ? sockets : channels, told(kind, ending, calls), kind.name());
        }
    }

    private String told(Kind kind, String ending, String calls) throws Exception {
        Ends ends = open(kind);
        for (String step : ending.split(" ")) {
            switch (step) {
                case "unread" -> write(ends, new byte[5]);
                case "bytes" -> ends.ending().getOutputStream().write(new byte[3]);
                case "shut" -> ends.ending().shutdownOutput();
                case "shutIn" -> ends.ending().shutdownInput();
                case "linger" -> ends.ending().setSoLinger(true, 5);
                case "reset" -> {
                    ends.ending().setSoLinger(true, 0);
                    ends.ending().close();
                }
                case "close" -> ends.ending().close();
                default -> throw new IllegalArgumentException(step);
            }
            awaitArrival();
        }
        StringJoiner told = new StringJoiner(";");
        for (char call : calls.toCharArray()) {
            told.add(call == 'r' ? read(ends) : write(ends, new byte[1]));
            awaitArrival();
        }
        return told.toString();
    }

    private String read(Ends ends) throws IOException {
        try {
            return switch (ends.kind()) {
                case SOCKET, ADAPTOR ->
                    String.valueOf(ends.told().getInputStream().read(new byte[10]));
                default -> String.valueOf(ends.toldChannel().read(ByteBuffer.allocate(10)));
            };
        } catch (SocketException e) {
            assertEquals(SocketException.class, e.getClass());
            return e.getMessage();
        }
    }

    private String write(Ends ends, byte[] bytes) {
        try {
            switch (ends.kind()) {
                case SOCKET, ADAPTOR -> ends.told().getOutputStream().write(bytes);
                default -> ends.toldChannel().write(ByteBuffer.wrap(bytes));
            }
            return "ok";
        } catch (IOException e) {
            assertEquals(ends.kind() == Kind.SOCKET ? SocketException.class : IOException.class, e.getClass());
            return e.getMessage();
        }
    }

    private Ends open(Kind kind) throws IOException {
        if (kind == Kind.SOCKET) {
            SocketPair pair = socketPair();
            return new Ends(kind, pair.server(), pair.client(), null);
        }
        ChannelPair pair = channelPair();
        pair.client().configureBlocking(kind != Kind.NON_BLOCKING_CHANNEL);
        return new Ends(kind, pair.server().socket(), pair.client().socket(), pair.client());
    }

    // Half close.

    @Test
    void inputThatIsShutDownStaysSilentTowardsThePeer() throws Exception {
        for (Kind kind : List.of(Kind.SOCKET, Kind.ADAPTOR)) {
            Ends ends = open(kind);
            ends.ending().shutdownInput();
            for (int i = 0; i < 3; i++) {
                assertEquals("ok", write(ends, new byte[10]));
            }
            ends.told().setSoTimeout(30);
            assertThrowsA(
                    SocketTimeoutException.class,
                    () -> ends.told().getInputStream().read());
        }
    }

    @Test
    void writesAfterTheOwnOutputIsShutDownAreRefusedByChannelsAsIfTheyWereClosed() throws Exception {
        SocketChannel channel = channelPair().client();
        channel.shutdownOutput();
        assertSame(channel, channel.shutdownOutput());
        assertThrows(AsynchronousCloseException.class, null, () -> channel.write(ByteBuffer.allocate(1)));
        assertThrows(AsynchronousCloseException.class, null, () -> channel.write(ByteBuffer.allocate(0)));
        assertThrows(
                AsynchronousCloseException.class, null, () -> channel.write(new ByteBuffer[] {ByteBuffer.allocate(1)}));
        Socket adaptor = channelPair().client().socket();
        OutputStream out = adaptor.getOutputStream();
        adaptor.shutdownOutput();
        assertThrows(ClosedChannelException.class, null, () -> out.write(1));
    }

    @Test
    void adaptorShutsDownADirectionTwiceWithoutComplaint() throws Exception {
        Socket adaptor = channelPair().client().socket();
        adaptor.shutdownInput();
        adaptor.shutdownInput();
        adaptor.shutdownOutput();
        adaptor.shutdownOutput();
        assertTrue(adaptor.isInputShutdown() && adaptor.isOutputShutdown());
    }

    @Test
    void shutdownOfAClosedAdaptorIsRefused() throws Exception {
        Socket adaptor = channelPair().client().socket();
        adaptor.close();
        assertThrows(ClosedChannelException.class, null, adaptor::shutdownInput);
        assertThrows(ClosedChannelException.class, null, adaptor::shutdownOutput);
    }

    @Test
    void bothInputsShutDownLetBothSidesWrite() throws Exception {
        for (Kind kind : Kind.values()) {
            Ends ends = open(kind);
            ends.ending().shutdownInput();
            ends.told().shutdownInput();
            assertEquals("ok", write(ends, new byte[10]));
            ends.ending().getOutputStream().write(new byte[10]);
        }
    }

    @Test
    void oneSideShutsDownBothDirectionsAndTheOtherReadsTheEnd() throws Exception {
        for (Kind kind : Kind.values()) {
            Ends ends = open(kind);
            ends.ending().shutdownInput();
            ends.ending().shutdownOutput();
            awaitArrival();
            assertEquals("-1", read(ends));
            assertFalse(ends.ending().isClosed());
            assertTrue(ends.ending().isConnected());
        }
    }

    // Nothing to transfer.

    @Test
    void readsOfNothingReturnZeroWhateverHasHappened() throws Exception {
        for (String ending : List.of("close", "reset", "shut")) {
            SocketPair sockets = socketPair();
            end(sockets.server(), ending);
            assertEquals(0, sockets.client().getInputStream().read(new byte[0]));
            ChannelPair channels = channelPair();
            end(channels.server().socket(), ending);
            assertEquals(0, channels.client().socket().getInputStream().read(new byte[0]));
        }
    }

    @Test
    void writesOfNothingSucceedWhateverThePeerHasDone() throws Exception {
        for (String ending : List.of("close", "reset", "shut")) {
            SocketPair sockets = socketPair();
            end(sockets.server(), ending);
            sockets.client().getOutputStream().write(new byte[0]);
            ChannelPair channels = channelPair();
            end(channels.server().socket(), ending);
            ByteBuffer nothing = ByteBuffer.allocate(0);
            assertEquals(0, channels.client().write(nothing));
            assertEquals(0, channels.client().write(new ByteBuffer[] {nothing, nothing}));
            assertEquals(0, channels.client().write(new ByteBuffer[0]));
            channels.client().socket().getOutputStream().write(new byte[0]);
        }
    }

    @Test
    void writeOfNothingDoesNotUpTheOneWriteThatSucceedsAfterAClose() throws Exception {
        ChannelPair pair = channelPair();
        pair.server().close();
        awaitArrival();
        assertEquals(0, pair.client().write(ByteBuffer.allocate(0)));
        assertEquals(1, pair.client().write(ByteBuffer.allocate(1)));
        awaitArrival();
        assertEquals(0, pair.client().write(ByteBuffer.allocate(0)));
        assertThrows(IOException.class, "Broken pipe", () -> pair.client().write(ByteBuffer.allocate(1)));
    }

    @Test
    void aGatheringWriteIsOneWriteAfterAClose() throws Exception {
        ChannelPair pair = channelPair();
        pair.server().close();
        awaitArrival();
        ByteBuffer[] headAndBody = {ByteBuffer.allocate(100), ByteBuffer.allocate(1000)};
        assertEquals(1100, pair.client().write(headAndBody));
        awaitArrival();
        headAndBody[0].clear();
        assertThrows(IOException.class, "Broken pipe", () -> pair.client().write(headAndBody));
    }

    private void end(Socket socket, String how) throws IOException {
        if (how.equals("shut")) {
            socket.shutdownOutput();
        } else {
            if (how.equals("reset")) {
                socket.setSoLinger(true, 0);
            }
            socket.close();
        }
        awaitArrival();
    }

    // The own close.

    @Test
    void streamsOfAClosedAdaptorThrowClosedChannel() throws Exception {
        Socket adaptor = channelPair().client().socket();
        InputStream in = adaptor.getInputStream();
        OutputStream out = adaptor.getOutputStream();
        adaptor.close();
        assertThrows(ClosedChannelException.class, null, in::read);
        assertThrows(ClosedChannelException.class, null, in::available);
        assertThrows(ClosedChannelException.class, null, () -> in.skip(1));
        assertThrows(ClosedChannelException.class, null, () -> out.write(1));
        assertEquals(0, in.read(new byte[0]));
        out.write(new byte[0]);
        out.flush();
        in.close();
    }

    @Test
    void closeDuringAReadThroughTheAdaptorThrowsAsynchronousClose() throws Exception {
        SocketChannel channel = channelPair().client();
        Background<Integer> read = startRead(channel.socket());
        channel.socket().close();
        assertThrown(AsynchronousCloseException.class, null, read);
    }

    @Test
    void socketThatHasReadTheEndReadsItEvenAfterItsClose() throws Exception {
        for (boolean own : new boolean[] {false, true}) {
            SocketPair pair = socketPair();
            InputStream in = pair.client().getInputStream();
            if (own) {
                pair.client().shutdownInput();
            } else {
                pair.server().close();
            }
            assertEquals(-1, in.read());
            pair.client().close();
            assertEquals(-1, in.read());
            assertEquals(0, in.skip(5));
            assertEquals(0, in.readAllBytes().length);
            assertThrows(SocketException.class, "Socket closed", in::available);
        }
    }

    @Test
    void socketWhoseInputWasShutDownButNotReadIsClosedAfterItsClose() throws Exception {
        Socket socket = socketPair().client();
        InputStream in = socket.getInputStream();
        socket.shutdownInput();
        socket.close();
        assertThrows(SocketException.class, "Socket closed", in::read);
    }

    @Test
    void closingOneStreamOfASocketClosesTheOther() throws Exception {
        SocketPair first = socketPair();
        OutputStream out = first.client().getOutputStream();
        first.client().getInputStream().close();
        assertThrows(SocketException.class, "Socket closed", () -> out.write(1));
        assertEquals(-1, first.server().getInputStream().read());
        SocketPair second = socketPair();
        InputStream in = second.client().getInputStream();
        second.client().getOutputStream().close();
        assertThrows(SocketException.class, "Socket closed", in::read);
    }

    @Test
    void closingTheInputStreamAfterTheOutputWasShutDownEndsInOrder() throws Exception {
        SocketPair pair = socketPair();
        pair.client().getOutputStream().write(7);
        pair.client().shutdownOutput();
        pair.client().getInputStream().close();
        assertEquals(7, pair.server().getInputStream().read());
        assertEquals(-1, pair.server().getInputStream().read());
        assertTrue(pair.client().isOutputShutdown());
        assertFalse(pair.client().isInputShutdown());
    }
}
