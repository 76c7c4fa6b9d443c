package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Face;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Urgent data, as Linux's TCP has it: a read ends before the urgent byte, the next one passes over it, or begins with it
 * if the receiver has SO_OOBINLINE. The newest urgent byte is the only one.
 *
 * <p>In the scripts small letters are written, capital ones sent as urgent data, {@code 1} reads one byte, {@code *}
 * reads what there is. The sender's output is shut down in the end. Each {@code |} stands where a read ends.
 */
@Tag("usual")
class UrgentDataContract extends Contract {
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "a single urgent byte is not seen,                              U,           ''",
        "urgent byte first is passed over,                              Uab,         ab",
        "urgent byte in the middle ends a read and is passed over,      aUb,         a|b",
        "urgent byte last is passed over,                               abU,         ab",
        "urgent bytes one after the other all vanish,                   UVW,         ''",
        "only the last of two urgent bytes behind others vanishes,      aUVb,        aU|b",
        "an earlier urgent byte becomes an ordinary one,                aUbVc,       aUb|c",
        "two urgent bytes around an ordinary one vanish at the reader,  UbV,         b",
        "two urgent bytes in a long stream,                             abcUdefVghi, abcUdef|ghi",
        "an urgent byte behind what was read at once vanishes,          aUb1cVd,     a|bc|d",
        "urgent bytes that were read up to vanish each,                 aU*Vb,       a|b"
    })
    void notInline(String behaviour, String script, String expected) throws Exception {
        assertReads(false, script, expected);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "a single inline urgent byte is read,                           U,           U",
        "inline urgent byte first is read with what follows,            Uab,         Uab",
        "inline urgent byte in the middle begins a read,                aUb,         a|Ub",
        "inline urgent byte last is read alone,                         abU,         ab|U",
        "the last of several inline urgent bytes is read alone,         UVW,         UV|W",
        "the last of two inline urgent bytes begins a read,             aUVb,        aU|Vb",
        "an earlier inline urgent byte ends no read,                    aUbVc,       aUb|Vc",
        "inline urgent bytes in a long stream,                          abcUdefVghi, abcUdef|Vghi",
        "inline urgent bytes after a read of one byte,                  aUb1cVd,     a|Ubc|Vd"
    })
    void inline(String behaviour, String script, String expected) throws Exception {
        assertReads(true, script, expected);
    }

    private void assertReads(boolean inline, String script, String expected) throws Exception {
        for (Face face : Face.values()) {
            SocketPair pair = pair(face);
            pair.server().setOOBInline(inline);
            StringBuilder reads = new StringBuilder();
            for (char step : script.toCharArray()) {
                if (step == '1' || step == '*') {
                    append(reads, read(pair.server(), step == '1' ? 1 : 100));
                } else {
                    send(pair.client(), String.valueOf(step));
                }
            }
            pair.client().shutdownOutput();
            awaitArrival();
            for (String read = read(pair.server(), 100); read != null; read = read(pair.server(), 100)) {
                append(reads, read);
            }
            assertEquals(expected, reads.toString(), face + ", inline " + inline);
        }
    }

    private static void append(StringBuilder reads, String read) {
        reads.append(reads.isEmpty() ? "" : "|").append(read);
    }

    @Test
    void availableCountsUpToTheUrgentByte() throws Exception {
        for (Face face : Face.values()) {
            SocketPair pair = pair(face);
            send(pair.client(), "abUcd");
            InputStream in = pair.server().getInputStream();
            assertEquals(2, in.available());
            assertEquals('a', in.read());
            assertEquals(1, in.available());
            assertEquals('b', in.read());
            assertEquals(0, in.available());
            assertEquals('c', in.read());
            assertEquals(1, in.available());
        }
    }

    @Test
    void availableCountsInlineUrgentBytes() throws Exception {
        for (Face face : Face.values()) {
            SocketPair pair = pair(face);
            pair.server().setOOBInline(true);
            send(pair.client(), "abUcd");
            assertEquals(5, pair.server().getInputStream().available());
        }
    }

    @Test
    void optionCountsWhenBytesAreReadNotWhenTheyArrive() throws Exception {
        for (Face face : Face.values()) {
            SocketPair pair = pair(face);
            send(pair.client(), "aUb");
            pair.server().setOOBInline(true);
            assertEquals("a", read(pair.server(), 9));
            assertEquals("Ub", read(pair.server(), 9));
            send(pair.client(), "cVd");
            assertEquals("c", read(pair.server(), 9));
            pair.server().setOOBInline(false);
            assertEquals("d", read(pair.server(), 9));
        }
    }

    @Test
    void optionSetBeforeTheConnectCounts() throws Exception {
        try (var listener = listeningSocket();
                Socket client = new Socket()) {
            client.setOOBInline(true);
            client.connect(listener.getLocalSocketAddress());
            try (Socket server = listener.accept()) {
                server.sendUrgentData('U');
                assertEquals('U', client.getInputStream().read());
            }
        }
        try (var listener = listeningChannel();
                SocketChannel client = SocketChannel.open()) {
            client.socket().setOOBInline(true);
            client.connect(listener.getLocalAddress());
            try (SocketChannel server = listener.accept()) {
                server.socket().sendUrgentData('U');
                assertEquals(1, client.read(ByteBuffer.allocate(1)));
            }
        }
    }

    @Test
    void optionIsReadBackOnBothFaces() throws Exception {
        for (Face face : Face.values()) {
            Socket socket = pair(face).server();
            assertFalse(socket.getOOBInline());
            socket.setOOBInline(true);
            assertTrue(socket.getOOBInline());
            socket.setOOBInline(false);
            assertFalse(socket.getOOBInline());
        }
    }

    @Test
    void onlyTheLowestEightBitsAreSent() throws Exception {
        for (Face face : Face.values()) {
            SocketPair pair = pair(face);
            pair.server().setOOBInline(true);
            InputStream in = pair.server().getInputStream();
            for (int value : new int[] {-1, 0x1ff, 256 + 65, 0, 255}) {
                pair.client().sendUrgentData(value);
                assertEquals(value & 0xff, in.read());
            }
        }
    }

    @Test
    void skipGoesPastAnUrgentByte() throws Exception {
        for (Face face : Face.values()) {
            SocketPair pair = pair(face);
            send(pair.client(), "abcUdef");
            assertEquals(4, pair.server().getInputStream().skip(4));
            assertEquals("ef", read(pair.server(), 9));
        }
    }

    @Test
    void readAllBytesPassesOverTheUrgentByte() throws Exception {
        for (Face face : Face.values()) {
            SocketPair pair = pair(face);
            send(pair.client(), "abcUdefV");
            pair.client().close();
            assertEquals("abcUdef", text(pair.server().getInputStream().readAllBytes()));
        }
    }

    @Test
    void urgentByteDoesNotEndABlockedRead() throws Exception {
        for (Face face : Face.values()) {
            SocketPair pair = pair(face);
            Background<Integer> read = startRead(pair.server());
            send(pair.client(), "U");
            read.awaitBlockedIn("read");
            send(pair.client(), "b");
            assertEquals('b', read.result());
        }
    }

    @Test
    void inlineUrgentByteEndsABlockedRead() throws Exception {
        for (Face face : Face.values()) {
            SocketPair pair = pair(face);
            pair.server().setOOBInline(true);
            Background<Integer> read = startRead(pair.server());
            send(pair.client(), "U");
            assertEquals('U', read.result());
        }
    }

    @Test
    void readWithOnlyAnUrgentByteTimesOut() throws Exception {
        for (Face face : Face.values()) {
            SocketPair pair = pair(face);
            send(pair.client(), "U");
            pair.server().setSoTimeout(30);
            assertThrows(
                    SocketTimeoutException.class,
                    "Read timed out",
                    () -> pair.server().getInputStream().read());
            send(pair.client(), "b");
            assertEquals("b", read(pair.server(), 9));
        }
    }

    @Test
    void selectorDoesNotReportAnUrgentByteButWhatFollowsIt() throws Exception {
        ChannelPair pair = channelPair();
        try (Selector selector = Selector.open()) {
            SelectionKey key = register(pair.server(), selector, SelectionKey.OP_READ);
            send(pair.client().socket(), "U");
            assertEquals(0, selector.selectNow());
            assertEquals(0, pair.server().read(ByteBuffer.allocate(9)));
            send(pair.client().socket(), "b");
            awaitReady(key, SelectionKey.OP_READ);
            assertEquals("b", read(pair.server()));
            assertEquals(0, selector.selectNow());
        }
    }

    @Test
    void selectorReportsAnInlineUrgentByte() throws Exception {
        ChannelPair pair = channelPair();
        pair.server().socket().setOOBInline(true);
        try (Selector selector = Selector.open()) {
            SelectionKey key = register(pair.server(), selector, SelectionKey.OP_READ);
            send(pair.client().socket(), "U");
            awaitReady(key, SelectionKey.OP_READ);
            assertEquals("U", read(pair.server()));
        }
    }

    @Test
    void scatteringReadEndsBeforeTheUrgentByteEvenWhereABufferEnds() throws Exception {
        ChannelPair pair = channelPair();
        send(pair.client().socket(), "abUcd");
        ByteBuffer[] buffers = {ByteBuffer.allocate(2), ByteBuffer.allocate(3)};
        assertEquals(2, pair.server().read(buffers));
        assertEquals(2, pair.server().read(buffers));
        assertEquals("cd", text(buffers[1].array()).substring(0, 2));
    }

    @Test
    void nonBlockingChannelSendsUrgentDataAndRefusesItWhenItIsFull() throws Exception {
        ChannelPair pair = channelPair();
        pair.server().socket().setOOBInline(true);
        pair.client().configureBlocking(false);
        pair.client().socket().sendUrgentData('U');
        assertEquals("U", read(pair.server()));
        fill(pair.client(), 0);
        while (pair.client().write(ByteBuffer.allocate(1)) > 0) {
            // To the last byte.
        }
        assertThrows(
                IOException.class,
                "Socket buffer full",
                () -> pair.client().socket().sendUrgentData('V'));
    }

    @Test
    void urgentDataAfterTheOutputIsShutDownIsRefused() throws Exception {
        SocketPair sockets = pair(Face.NET);
        sockets.client().shutdownOutput();
        assertThrows(IOException.class, "Broken pipe", () -> sockets.client().sendUrgentData(1));
        SocketPair channels = pair(Face.NIO);
        channels.client().shutdownOutput();
        assertThrows(
                AsynchronousCloseException.class, null, () -> channels.client().sendUrgentData(1));
    }

    @Test
    void urgentDataAfterCloseIsRefused() throws Exception {
        Socket socket = pair(Face.NET).client();
        socket.close();
        assertThrowsA(SocketException.class, () -> socket.sendUrgentData(1));
        Socket adaptor = pair(Face.NIO).client();
        adaptor.close();
        assertThrows(ClosedChannelException.class, null, () -> adaptor.sendUrgentData(1));
    }

    @Test
    void urgentDataBeforeTheConnectIsRefused() throws Exception {
        Socket socket = closing(new Socket());
        assertThrows(SocketException.class, "Not connected", () -> socket.sendUrgentData(1));
        Socket adaptor = closing(SocketChannel.open()).socket();
        assertThrows(NotYetConnectedException.class, null, () -> adaptor.sendUrgentData(1));
    }

    @Test
    void firstUrgentByteAfterThePeersCloseIsTakenAndTheNextIsRefused() throws Exception {
        for (Face face : Face.values()) {
            SocketPair pair = pair(face);
            pair.server().close();
            assertEquals(-1, pair.client().getInputStream().read());
            pair.client().sendUrgentData(1);
            assertThrows(IOException.class, "Broken pipe", () -> {
                while (true) {
                    pair.client().sendUrgentData(1);
                }
            });
            assertEquals(-1, pair.client().getInputStream().read());
        }
    }

    @Test
    void urgentDataAfterAResetIsRefused() throws Exception {
        for (Face face : Face.values()) {
            SocketPair pair = pair(face);
            pair.server().setSoLinger(true, 0);
            pair.server().close();
            awaitArrival();
            assertThrows(
                    IOException.class,
                    "Connection reset by peer",
                    () -> pair.client().sendUrgentData(1));
            assertThrows(IOException.class, "Broken pipe", () -> pair.client().sendUrgentData(1));
            assertEquals(-1, pair.client().getInputStream().read());
        }
    }

    @Test
    void channelClosedWithAnUnreadUrgentByteResetsThePeer() throws Exception {
        SocketPair pair = pair(Face.NIO);
        send(pair.client(), "U");
        pair.server().close();
        assertThrows(
                SocketException.class,
                "Connection reset",
                () -> pair.client().getInputStream().read());
    }

    @Test
    void urgentBytesTravelToTheOtherProcessAndBack() throws Exception {
        for (Face face : Face.values()) {
            Socket local =
                    face == Face.NET ? connectedEcho() : connectedChannelEcho().socket();
            local.setOOBInline(true);
            InputStream in = local.getInputStream();
            local.getOutputStream().write("ab".getBytes(StandardCharsets.US_ASCII));
            assertEquals("ab", text(in.readNBytes(2)));
            local.sendUrgentData('U'); // The other process does not take it inline.
            local.getOutputStream().write("cd".getBytes(StandardCharsets.US_ASCII));
            assertEquals("cd", text(in.readNBytes(2)));
        }
    }

    private Socket connectedEcho() throws IOException {
        SocketLink link = connectedSocket();
        link.remote().startEcho();
        return link.local();
    }

    private SocketChannel connectedChannelEcho() throws IOException {
        ChannelLink link = connectedChannel();
        link.remote().startEcho();
        return link.local();
    }

    /** Both ends, without Nagle's algorithm, which would have urgent bytes wait for others. */
    private SocketPair pair(Face face) throws IOException {
        SocketPair pair;
        if (face == Face.NET) {
            pair = socketPair();
        } else {
            ChannelPair channels = channelPair();
            pair = new SocketPair(channels.client().socket(), channels.server().socket());
        }
        pair.client().setOption(StandardSocketOptions.TCP_NODELAY, true);
        return pair;
    }

    private void send(Socket socket, String letters) throws IOException {
        for (byte letter : letters.getBytes(StandardCharsets.US_ASCII)) {
            if (Character.isUpperCase(letter)) {
                socket.sendUrgentData(letter);
            } else {
                socket.getOutputStream().write(letter);
            }
            awaitArrival();
        }
    }

    private static String read(Socket socket, int atMost) throws IOException {
        byte[] bytes = new byte[atMost];
        int n = socket.getInputStream().read(bytes);
        return n < 0 ? null : text(bytes).substring(0, n);
    }

    private static String read(SocketChannel channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(9);
        channel.read(buffer);
        return text(buffer.array()).substring(0, buffer.position());
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.US_ASCII);
    }
}
