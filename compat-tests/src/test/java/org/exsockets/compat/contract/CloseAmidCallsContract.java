package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.TestHost;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the peer is told if one thread closes while another one reads or writes. */
@Tag("placed")
class CloseAmidCallsContract extends Contract {
    private static final int ROUNDS = 100;

    /** Bytes that arrive in each round, and those of them that are read at most: some always stay unread. */
    private static final int ARRIVING = 8_000;

    private static final int READ = 4_000;

    private static final String RESET = "Connection reset";
    private static final String END = "-1";

    @Test
    void channelWithUnreadBytesIsResetThoughAnotherThreadReads() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        for (int round = 0; round < ROUNDS; round++) {
            try (SocketChannel client = SocketChannel.open(testAddress(port(listener)));
                    SocketChannel server = listener.accept()) {
                writeFully(client, ByteBuffer.allocate(ARRIVING));
                closeAmidReads(() -> server.read(ByteBuffer.allocate(1)), server, round);
                assertEquals(RESET, told(client));
            }
        }
    }

    @Test
    void channelThatDoesNotLingerIsResetThoughAnotherThreadReads() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        for (int round = 0; round < ROUNDS; round++) {
            try (SocketChannel client = SocketChannel.open(testAddress(port(listener)));
                    SocketChannel server = listener.accept()) {
                server.setOption(StandardSocketOptions.SO_LINGER, 0);
                writeFully(client, ByteBuffer.allocate(ARRIVING));
                closeAmidReads(() -> server.read(ByteBuffer.allocate(1)), server, round);
                assertEquals(RESET, told(client));
            }
        }
    }

    /** The socket ends its output, and then resets the connection: the peer reads the end, and cannot write. */
    @Test
    void socketWithUnreadBytesEndsItsOutputBeforeTheResetThoughAnotherThreadReads() throws Exception {
        ServerSocket listener = listeningSocket();
        for (int round = 0; round < ROUNDS; round++) {
            try (Socket client = connectTo(listener);
                    Socket server = listener.accept()) {
                client.getOutputStream().write(new byte[ARRIVING]);
                InputStream in = server.getInputStream();
                closeAmidReads(in::read, server, round);
                assertEquals(END, told(client));
                transport().awaitOthers();
                assertThrows(
                        SocketException.class,
                        "Broken pipe",
                        () -> client.getOutputStream().write(1));
            }
        }
    }

    @Test
    void socketThatDoesNotLingerIsResetThoughAnotherThreadReads() throws Exception {
        ServerSocket listener = listeningSocket();
        for (int round = 0; round < ROUNDS; round++) {
            try (Socket client = connectTo(listener);
                    Socket server = listener.accept()) {
                server.setSoLinger(true, 0);
                client.getOutputStream().write(new byte[ARRIVING]);
                InputStream in = server.getInputStream();
                closeAmidReads(in::read, server, round);
                assertEquals(RESET, told(client));
            }
        }
    }

    /** Closes while another thread reads byte by byte, after {@code round} bytes. That thread stops after {@link #READ}. */
    private static void closeAmidReads(Callable<Integer> readByte, Closeable ending, int round) throws Exception {
        AtomicInteger read = new AtomicInteger();
        Background<Integer> reader = Background.start(() -> {
            while (read.get() < READ && readByte.call() >= 0) {
                read.incrementAndGet();
            }
            return read.get();
        });
        while (read.get() <= round) {
            Thread.onSpinWait();
        }
        ending.close();
        try {
            reader.result();
        } catch (IOException closed) {
            assertTrue(closed.getCause() instanceof IOException, closed::toString);
        }
    }

    private static String told(SocketChannel client) throws IOException {
        try {
            return String.valueOf(client.read(ByteBuffer.allocate(1)));
        } catch (SocketException e) {
            return e.getMessage();
        }
    }

    private static String told(Socket client) throws IOException {
        try {
            return String.valueOf(client.getInputStream().read());
        } catch (SocketException e) {
            return e.getMessage();
        }
    }

    private static Socket connectTo(ServerSocket listener) throws IOException {
        return new Socket(InetAddress.getByName(TestHost.NAME), listener.getLocalPort());
    }

    @Test
    void closeDuringAReadOfNothingIsTheEndForThePeer() throws Exception {
        ChannelLink channel = connectedChannel();
        Background<Integer> read = startRead(channel.local());
        channel.local().close();
        assertEquals(0, channel.remote().readToEnd());
        read.thrown();
        SocketLink socket = connectedSocket();
        read = startRead(socket.local());
        socket.local().close();
        assertEquals(0, socket.remote().readToEnd());
        read.thrown();
    }

    /** What cannot be sent yet is in front of the end of a socket's output; the reset overtakes both. */
    @Test
    void closeWithUnreadBytesDuringAWriteIsAResetForThePeer() throws Exception {
        ChannelPair channels = channelPair();
        channels.client().write(ByteBuffer.allocate(1));
        awaitArrival();
        ByteBuffer source = ByteBuffer.allocate(100_000);
        Background<Integer> write = Background.start(() -> {
            while (true) {
                channels.server().write(source.clear());
            }
        });
        write.awaitBlockedIn("write");
        channels.server().close();
        write.thrown();
        assertResetBehindBytes(channels.client().socket());
        SocketPair sockets = socketPair();
        sockets.client().getOutputStream().write(1);
        awaitArrival();
        write = startWrites(sockets.server());
        sockets.server().close();
        write.thrown();
        assertResetBehindBytes(sockets.client());
    }

    private static void assertResetBehindBytes(Socket told) throws IOException {
        InputStream in = told.getInputStream();
        assertTrue(in.read() >= 0);
        assertThrows(SocketException.class, RESET, in::readAllBytes);
    }
}
