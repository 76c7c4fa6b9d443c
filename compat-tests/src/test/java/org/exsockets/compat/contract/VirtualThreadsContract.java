package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InterruptedIOException;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.TestHost;
import org.exsockets.compat.harness.VirtualThread;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocking calls in virtual threads, of which many more block at once than there are processors. */
@Tag("placed")
class VirtualThreadsContract extends Contract {
    private static final int MANY = 100;

    @BeforeEach
    void assumeVirtualThreads() {
        Assumptions.assumeTrue(VirtualThread.supported(), "this JDK has no virtual threads");
    }

    @Test
    void manyVirtualThreadsBlockInSocketReadsAtOnce() throws Exception {
        List<SocketPair> pairs = new ArrayList<>();
        List<VirtualThread<Integer>> reads = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            SocketPair pair = socketPair();
            pairs.add(pair);
            reads.add(VirtualThread.start(() -> pair.server().getInputStream().read()));
        }
        assertEquals(7, virtualEcho(7));
        for (int i = 0; i < MANY; i++) {
            pairs.get(i).client().getOutputStream().write(i);
        }
        for (int i = 0; i < MANY; i++) {
            assertEquals(i, reads.get(i).result());
        }
    }

    @Test
    void manyVirtualThreadsBlockInChannelReadsAtOnce() throws Exception {
        List<ChannelPair> pairs = new ArrayList<>();
        List<VirtualThread<Integer>> reads = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            ChannelPair pair = channelPair();
            pairs.add(pair);
            reads.add(VirtualThread.start(() -> pair.server().read(ByteBuffer.allocate(10))));
        }
        assertEquals(7, virtualEcho(7));
        for (ChannelPair pair : pairs) {
            pair.client().write(Pattern.buffer(0, 5));
        }
        for (VirtualThread<Integer> read : reads) {
            assertEquals(5, read.result());
        }
    }

    @Test
    void virtualThreadAcceptsAndConnects() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        VirtualThread<SocketChannel> accept = VirtualThread.start(listener::accept);
        VirtualThread<SocketChannel> connect =
                VirtualThread.start(() -> SocketChannel.open(testAddress(port(listener))));
        SocketChannel client = closing(connect.result());
        SocketChannel server = closing(accept.result());
        client.write(Pattern.buffer(0, 10));
        readPattern(server, 0, 10);
    }

    @Test
    void readOfAVirtualThreadTimesOut() throws Exception {
        Socket local = connectedSocket().local();
        local.setSoTimeout(60);
        VirtualThread<Integer> read =
                VirtualThread.start(() -> local.getInputStream().read());
        assertThrown(SocketTimeoutException.class, "Read timed out", read.thrown());
    }

    /** That of a shared port stays on TCP. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void interruptOfAVirtualThreadInAnAcceptClosesTheServerSocket(boolean sharedPort) throws Exception {
        ServerSocket listener = closing(new ServerSocket());
        listener.setOption(StandardSocketOptions.SO_REUSEPORT, sharedPort);
        listener.bind(testAddress(0));
        VirtualThread<Socket> accept = VirtualThread.start(listener::accept).awaitBlockedIn("accept");
        accept.interrupt();
        assertThrown(SocketException.class, "Closed by interrupt", accept.thrown());
        assertTrue(listener.isClosed());
        assertThrows(SocketException.class, "Socket is closed", listener::accept);
    }

    @Test
    void connectOfAnInterruptedVirtualThreadClosesTheSocket() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        Socket client = closing(new Socket());
        VirtualThread<Void> connect = VirtualThread.start(() -> {
            Thread.currentThread().interrupt();
            client.connect(testAddress(port(listener)));
            return null;
        });
        assertThrown(SocketException.class, "Closed by interrupt", connect.thrown());
        assertTrue(client.isClosed());
    }

    @Test
    void interruptOfAVirtualThreadThatWaitsForASocksProxyClosesTheSocket() throws Exception {
        ServerSocket silent = listeningSocket();
        Socket client = closing(new Socket(new Proxy(Proxy.Type.SOCKS, testAddress(silent.getLocalPort()))));
        VirtualThread<Void> connect = VirtualThread.start(() -> {
            client.connect(testAddress(1));
            return null;
        });
        Socket proxy = closing(silent.accept());
        assertEquals(5, proxy.getInputStream().read(), "version of SOCKS");
        connect.awaitBlockedIn("read").interrupt();
        if (Runtime.version().feature() >= 24) {
            assertThrown(InterruptedIOException.class, null, connect.thrown());
        } else { // Socket.connect turns it into another one.
            assertThrown(SocketException.class, "Closed by interrupt", connect.thrown());
        }
        assertTrue(client.isClosed());
    }

    @Test
    void interruptOfAVirtualThreadInASocketReadClosesTheSocket() throws Exception {
        Socket local = connectedSocket().local();
        VirtualThread<Integer> read =
                VirtualThread.start(() -> local.getInputStream().read()).awaitBlockedIn("read");
        read.interrupt();
        assertThrown(SocketException.class, "Closed by interrupt", read.thrown());
        assertTrue(local.isClosed());
    }

    @Test
    void interruptOfAVirtualThreadInAChannelReadClosesTheChannel() throws Exception {
        SocketChannel local = connectedChannel().local();
        VirtualThread<Integer> read =
                VirtualThread.start(() -> local.read(ByteBuffer.allocate(1))).awaitBlockedIn("read");
        read.interrupt();
        assertThrown(ClosedByInterruptException.class, null, read.thrown());
        assertFalse(local.isOpen());
    }

    @Test
    void closeEndsTheBlockedReadOfAVirtualThread() throws Exception {
        Socket local = connectedSocket().local();
        VirtualThread<Integer> read =
                VirtualThread.start(() -> local.getInputStream().read()).awaitBlockedIn("read");
        local.close();
        assertThrown(SocketException.class, "Socket closed", read.thrown());
    }

    @Test
    void blockedWriteOfAVirtualThreadGoesOnWhenThePeerReads() throws Exception {
        SocketLink link = connectedSocket();
        VirtualThread<Boolean> write = VirtualThread.start(() -> {
            link.local().getOutputStream().write(Pattern.bytes(0, 16 << 20));
            return true;
        });
        write.awaitBlockedIn("write");
        link.remote().read(16 << 20);
        assertTrue(write.result());
    }

    @Test
    void largeWriteOfAVirtualThreadToAChannelReturnsWhatHasGone() throws Exception {
        ChannelLink link = connectedChannel();
        ByteBuffer[] source = {Pattern.buffer(0, 8 << 20), Pattern.buffer(8 << 20, 8 << 20)};
        long first = VirtualThread.start(() -> link.local().write(source)).result();
        assertTrue(first > 0 && first < 16 << 20, () -> "written: " + first);
        VirtualThread<Boolean> rest = VirtualThread.start(() -> {
            while (source[1].hasRemaining()) {
                assertTrue(link.local().write(source[0].hasRemaining() ? source[0] : source[1]) > 0);
            }
            return true;
        });
        link.remote().read(16 << 20);
        assertTrue(rest.result());
    }

    /** Shows that a carrier is free: a conversation between two more virtual threads. */
    private int virtualEcho(int value) throws Exception {
        ServerSocket listener = listeningSocket();
        VirtualThread.start(() -> {
            try (Socket server = listener.accept()) {
                server.getOutputStream().write(server.getInputStream().read());
            }
            return true;
        });
        VirtualThread<Integer> client = VirtualThread.start(() -> {
            try (Socket socket = new Socket(TestHost.NAME, listener.getLocalPort())) {
                socket.getOutputStream().write(value);
                return socket.getInputStream().read();
            }
        });
        return client.result();
    }
}
