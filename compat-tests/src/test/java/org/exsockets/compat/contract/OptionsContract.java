package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.PeerJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Socket options: what is supported, what is kept, and what closed sockets say. */
@Tag("fallback")
class OptionsContract extends Contract {
    private static final int CHOSEN_BUFFER_BYTES = 64 << 10;

    /** The kernel counts generously; without a choice a stream's buffer becomes several times as long. */
    private static final long MOST_UNREAD_BYTES = 1 << 20;

    private static final int FILLINGS = 6;

    @Test
    void noDelayIsKept() throws Exception {
        Socket socket = connectedSocket().local();
        assertFalse(socket.getTcpNoDelay());
        socket.setTcpNoDelay(true);
        assertTrue(socket.getTcpNoDelay());
        SocketChannel channel = connectedChannel().local();
        assertFalse(channel.getOption(StandardSocketOptions.TCP_NODELAY));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        assertTrue(channel.getOption(StandardSocketOptions.TCP_NODELAY));
        assertTrue(channel.socket().getTcpNoDelay());
    }

    @Test
    void keepAliveIsKept() throws Exception {
        Socket socket = connectedSocket().local();
        assertFalse(socket.getKeepAlive());
        socket.setKeepAlive(true);
        assertTrue(socket.getKeepAlive());
        SocketChannel channel = connectedChannel().local();
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        assertTrue(channel.getOption(StandardSocketOptions.SO_KEEPALIVE));
    }

    @Test
    void lingerIsKept() throws Exception {
        Socket socket = connectedSocket().local();
        assertEquals(-1, socket.getSoLinger());
        socket.setSoLinger(true, 7);
        assertEquals(7, socket.getSoLinger());
        socket.setSoLinger(false, 0);
        assertEquals(-1, socket.getSoLinger());
        assertThrows(IllegalArgumentException.class, "invalid value for SO_LINGER", () -> socket.setSoLinger(true, -1));
        SocketChannel channel = connectedChannel().local();
        assertEquals(-1, channel.getOption(StandardSocketOptions.SO_LINGER));
        channel.setOption(StandardSocketOptions.SO_LINGER, 9);
        assertEquals(9, channel.getOption(StandardSocketOptions.SO_LINGER));
    }

    @Test
    void bufferSizesArePositiveAndCanBeSet() throws Exception {
        Socket socket = connectedSocket().local();
        socket.setSendBufferSize(32_768);
        socket.setReceiveBufferSize(32_768);
        assertTrue(socket.getSendBufferSize() >= 32_768);
        assertTrue(socket.getReceiveBufferSize() >= 32_768);
        assertThrowsA(IllegalArgumentException.class, () -> socket.setSendBufferSize(0));
        SocketChannel channel = connectedChannel().local();
        channel.setOption(StandardSocketOptions.SO_RCVBUF, 65_536);
        channel.setOption(StandardSocketOptions.SO_SNDBUF, 65_536);
        assertTrue(channel.getOption(StandardSocketOptions.SO_RCVBUF) >= 65_536);
        assertTrue(channel.getOption(StandardSocketOptions.SO_SNDBUF) >= 65_536);
        assertThrowsA(IllegalArgumentException.class, () -> channel.setOption(StandardSocketOptions.SO_RCVBUF, -1));
    }

    @Test
    void aReceiveBufferThatWasSetDoesNotGrow() throws Exception {
        ChannelPair pair = channelPair();
        pair.client().setOption(StandardSocketOptions.SO_SNDBUF, CHOSEN_BUFFER_BYTES);
        pair.server().setOption(StandardSocketOptions.SO_RCVBUF, CHOSEN_BUFFER_BYTES);
        assertTrue(unreadAfterLongStream(pair.client(), pair.server()) <= MOST_UNREAD_BYTES);
    }

    @Test
    void aReceiveBufferSetThroughTheSocketDoesNotGrow() throws Exception {
        ChannelPair pair = channelPair();
        pair.server().setOption(StandardSocketOptions.SO_SNDBUF, CHOSEN_BUFFER_BYTES);
        pair.client().socket().setReceiveBufferSize(CHOSEN_BUFFER_BYTES);
        assertTrue(unreadAfterLongStream(pair.server(), pair.client()) <= MOST_UNREAD_BYTES);
    }

    @Test
    void aReceiveBufferSetOnTheListenerDoesNotGrow() throws Exception {
        ServerSocketChannel listener = closing(ServerSocketChannel.open());
        listener.setOption(StandardSocketOptions.SO_RCVBUF, CHOSEN_BUFFER_BYTES);
        listener.bind(testAddress(0));
        SocketChannel client = closing(SocketChannel.open());
        client.setOption(StandardSocketOptions.SO_SNDBUF, CHOSEN_BUFFER_BYTES);
        client.connect(testAddress(port(listener)));
        assertTrue(unreadAfterLongStream(client, closing(listener.accept())) <= MOST_UNREAD_BYTES);
    }

    @Test
    void aReceiveBufferSetBeforeConnectingDoesNotGrow() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        SocketChannel client = closing(SocketChannel.open());
        client.setOption(StandardSocketOptions.SO_RCVBUF, CHOSEN_BUFFER_BYTES);
        client.connect(testAddress(port(listener)));
        SocketChannel server = closing(listener.accept());
        server.setOption(StandardSocketOptions.SO_SNDBUF, CHOSEN_BUFFER_BYTES);
        assertTrue(unreadAfterLongStream(server, client) <= MOST_UNREAD_BYTES);
    }

    @Test
    void aReceiveBufferOfASocketDoesNotGrow() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        Socket client = closing(new Socket());
        client.setReceiveBufferSize(CHOSEN_BUFFER_BYTES);
        client.connect(testAddress(port(listener)));
        SocketChannel server = closing(listener.accept());
        server.setOption(StandardSocketOptions.SO_SNDBUF, CHOSEN_BUFFER_BYTES);
        ReadableByteChannel input = Channels.newChannel(client.getInputStream());
        assertTrue(unreadAfterLongStream(server, input) <= MOST_UNREAD_BYTES);
    }

    /** A buffer that a stream makes grow has grown afterwards. {@return how much a writer can write that nobody reads} */
    private static long unreadAfterLongStream(SocketChannel writer, ReadableByteChannel reader) throws IOException {
        writer.configureBlocking(false);
        long position = 0;
        for (int i = 0; i < FILLINGS; i++) {
            ByteBuffer all = ByteBuffer.allocate((int) fillForNow(writer, position));
            while (all.hasRemaining()) {
                assertTrue(reader.read(all) >= 0);
            }
            Pattern.check(position, all.flip());
            position += all.limit();
        }
        return fillForNow(writer, position);
    }

    @Test
    void reuseAddressIsKept() throws Exception {
        ServerSocket listener = closing(new ServerSocket());
        listener.setReuseAddress(false);
        assertFalse(listener.getReuseAddress());
        listener.setReuseAddress(true);
        assertTrue(listener.getReuseAddress());
        listener.bind(testAddress(0));
        Socket socket = closing(new Socket());
        socket.setReuseAddress(true);
        assertTrue(socket.getReuseAddress());
        ServerSocketChannel channel = closing(ServerSocketChannel.open());
        channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        assertTrue(channel.getOption(StandardSocketOptions.SO_REUSEADDR));
    }

    @Test
    void trafficClassCanBeSet() throws Exception {
        Socket socket = connectedSocket().local();
        socket.setTrafficClass(0x10);
        assertEquals(0x10, socket.getTrafficClass());
        assertThrowsA(IllegalArgumentException.class, () -> socket.setTrafficClass(256));
        SocketChannel channel = connectedChannel().local();
        channel.setOption(StandardSocketOptions.IP_TOS, 0x08);
        assertEquals(0x08, channel.getOption(StandardSocketOptions.IP_TOS));
    }

    @Test
    void outOfBandInlineIsKept() throws Exception {
        Socket socket = connectedSocket().local();
        assertFalse(socket.getOOBInline());
        socket.setOOBInline(true);
        assertTrue(socket.getOOBInline());
    }

    @Test
    void optionsSetBeforeConnectHoldAfterIt() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        SocketChannel channel = closing(SocketChannel.open());
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        channel.setOption(StandardSocketOptions.SO_SNDBUF, 100_000);
        channel.connect(testAddress(port(listener)));
        assertTrue(channel.getOption(StandardSocketOptions.TCP_NODELAY));
        assertTrue(channel.getOption(StandardSocketOptions.SO_KEEPALIVE));
        assertTrue(channel.getOption(StandardSocketOptions.SO_SNDBUF) >= 100_000);
        channel.write(Pattern.buffer(0, 10));
        readPattern(closing(listener.accept()), 0, 10);
    }

    @Test
    void supportedOptionsOfConnectedAndUnconnectedAreTheSame() throws Exception {
        SocketChannel unconnected = closing(SocketChannel.open());
        SocketChannel connected = connectedChannel().local();
        assertEquals(unconnected.supportedOptions(), connected.supportedOptions());
        assertEquals(
                closing(new Socket()).supportedOptions(),
                connectedSocket().local().supportedOptions());
        for (SocketOption<?> option : new SocketOption<?>[] {
            StandardSocketOptions.TCP_NODELAY,
            StandardSocketOptions.SO_KEEPALIVE,
            StandardSocketOptions.SO_LINGER,
            StandardSocketOptions.SO_RCVBUF,
            StandardSocketOptions.SO_SNDBUF,
            StandardSocketOptions.SO_REUSEADDR,
            StandardSocketOptions.IP_TOS
        }) {
            assertTrue(connected.supportedOptions().contains(option), option.name());
        }
    }

    @Test
    void supportedOptionsOfAClosedSocketAreTheSameIfItWasUsed() throws Exception {
        Socket closed = new Socket();
        assertEquals(0, closed.getSoTimeout());
        closed.close();
        assertEquals(closing(new Socket()).supportedOptions(), closed.supportedOptions());
    }

    @Test
    void supportedOptionsCanAllBeRead() throws Exception {
        SocketChannel channel = connectedChannel().local();
        for (SocketOption<?> option : channel.supportedOptions()) {
            channel.getOption(option);
        }
        Socket socket = connectedSocket().local();
        for (SocketOption<?> option : socket.supportedOptions()) {
            socket.getOption(option);
        }
        ServerSocketChannel listener = listeningChannel();
        for (SocketOption<?> option : listener.supportedOptions()) {
            listener.getOption(option);
        }
        ServerSocket serverSocket = listeningSocket();
        for (SocketOption<?> option : serverSocket.supportedOptions()) {
            serverSocket.getOption(option);
        }
    }

    @Test
    void optionsOfOtherSocketsAreRefused() throws Exception {
        SocketChannel channel = connectedChannel().local();
        assertThrowsA(
                UnsupportedOperationException.class,
                () -> channel.setOption(StandardSocketOptions.IP_MULTICAST_LOOP, true));
        assertThrowsA(
                UnsupportedOperationException.class, () -> channel.getOption(StandardSocketOptions.IP_MULTICAST_LOOP));
        assertThrowsA(NullPointerException.class, () -> channel.setOption((SocketOption<Boolean>) null, Boolean.TRUE));
        Socket socket = connectedSocket().local();
        assertThrowsA(
                UnsupportedOperationException.class,
                () -> socket.setOption(StandardSocketOptions.IP_MULTICAST_LOOP, true));
    }

    @Test
    void optionsOfAClosedSocketThrowSocketIsClosed() throws Exception {
        Socket socket = connectedSocket().local();
        socket.close();
        assertThrows(SocketException.class, "Socket is closed", socket::getTcpNoDelay);
        assertThrows(SocketException.class, "Socket is closed", () -> socket.setKeepAlive(true));
        assertThrows(SocketException.class, "Socket is closed", () -> socket.setSoTimeout(1));
        assertThrows(SocketException.class, "Socket is closed", socket::getSoLinger);
    }

    @Test
    void optionsOfAClosedChannelThrowClosedChannel() throws Exception {
        SocketChannel channel = connectedChannel().local();
        channel.close();
        assertThrows(ClosedChannelException.class, null, () -> channel.getOption(StandardSocketOptions.TCP_NODELAY));
        assertThrows(
                ClosedChannelException.class, null, () -> channel.setOption(StandardSocketOptions.TCP_NODELAY, true));
    }

    @Test
    void urgentDataOfAClosedSocketIsRefused() throws Exception {
        Socket socket = connectedSocket().local();
        socket.close();
        assertThrowsA(SocketException.class, () -> socket.sendUrgentData(1));
    }

    @Test
    void smallBuffersDoNotHinderBigTransfers() throws Exception {
        ChannelLink link = connectedChannel();
        link.local().setOption(StandardSocketOptions.SO_SNDBUF, 4096);
        link.local().setOption(StandardSocketOptions.SO_RCVBUF, 4096);
        var read = link.remote().startRead(2_000_000);
        writeFully(link.local(), Pattern.buffer(0, 2_000_000));
        assertEquals("2000000", PeerJvm.await(read));
    }
}
