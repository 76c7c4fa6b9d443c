package org.exsockets.compat.contract;

import static org.exsockets.compat.harness.TimeLimit.Work.LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Carriers;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.PeerSocket;
import org.exsockets.compat.harness.PinnedThreads;
import org.exsockets.compat.harness.Thousands;
import org.exsockets.compat.harness.TimeLimit;
import org.exsockets.compat.harness.VirtualThread;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each blocking call in a virtual thread gives its carrier back: while it blocks, others run on the only carrier there
 * is, and the flight recorder sees no pinned thread. Then how interrupts and closes end such calls.
 */
@Tag("usual")
class CarriersContract extends Contract {
    private static final int BIG = 32 << 20;

    @BeforeEach
    void assumeVirtualThreads() {
        Assumptions.assumeTrue(VirtualThread.supported(), "this JDK has no virtual threads");
    }

    @Test
    void socketReadFreesItsCarrier() throws Exception {
        SocketLink link = connectedSocket();
        readFreesItsCarrier(link.local(), link.remote());
    }

    @Test
    void timedSocketReadFreesItsCarrier() throws Exception {
        SocketLink link = connectedSocket();
        link.local().setSoTimeout(Patience.NEVER_MS);
        readFreesItsCarrier(link.local(), link.remote());
    }

    @Test
    void socketWriteFreesItsCarrier() throws Exception {
        SocketLink link = connectedSocket();
        writeFreesItsCarrier(link.local(), link.remote());
    }

    @Test
    void socketConnectFreesItsCarrier() throws Exception {
        InetSocketAddress silent = silentAddress();
        Socket socket = closing(new Socket());
        Carriers.assertFreed(
                "connect", () -> assertThrowsA(SocketException.class, () -> socket.connect(silent)), socket::close);
    }

    @Test
    void timedSocketConnectFreesItsCarrier() throws Exception {
        InetSocketAddress silent = silentAddress();
        Socket socket = closing(new Socket());
        Carriers.assertFreed(
                "connect",
                () -> assertThrowsA(SocketException.class, () -> socket.connect(silent, Patience.NEVER_MS)),
                socket::close);
    }

    @Test
    void serverSocketAcceptFreesItsCarrier() throws Exception {
        ServerSocket listener = listeningSocket();
        acceptFreesItsCarrier(listener);
    }

    @Test
    void timedServerSocketAcceptFreesItsCarrier() throws Exception {
        ServerSocket listener = listeningSocket();
        listener.setSoTimeout(Patience.NEVER_MS);
        acceptFreesItsCarrier(listener);
    }

    @Test
    void channelReadFreesItsCarrier() throws Exception {
        ChannelLink link = connectedChannel();
        Carriers.assertFreed(
                "read",
                () -> link.local().read(ByteBuffer.allocate(1)),
                () -> link.remote().write(1));
    }

    @Test
    void scatteringChannelReadFreesItsCarrier() throws Exception {
        ChannelLink link = connectedChannel();
        ByteBuffer[] targets = {ByteBuffer.allocate(1), ByteBuffer.allocateDirect(1)};
        Carriers.assertFreed(
                "read", () -> link.local().read(targets), () -> link.remote().write(2));
    }

    @Test
    void channelWriteFreesItsCarrier() throws Exception {
        ChannelLink link = connectedChannel();
        Carriers.assertFreed(
                "write",
                () -> {
                    writeFully(link.local(), Pattern.buffer(0, BIG));
                    return true;
                },
                () -> link.remote().read(BIG));
    }

    @Test
    void gatheringChannelWriteFreesItsCarrier() throws Exception {
        ChannelLink link = connectedChannel();
        ByteBuffer[] sources = {Pattern.buffer(0, BIG / 2), Pattern.buffer(BIG / 2, BIG / 2)};
        Carriers.assertFreed(
                "write",
                () -> {
                    while (sources[1].hasRemaining()) {
                        link.local().write(sources);
                    }
                    return true;
                },
                () -> link.remote().read(BIG));
    }

    @Test
    void channelConnectFreesItsCarrier() throws Exception {
        InetSocketAddress silent = silentAddress();
        SocketChannel channel = closing(SocketChannel.open());
        Carriers.assertFreed(
                "connect",
                () -> assertThrowsA(AsynchronousCloseException.class, () -> channel.connect(silent)),
                channel::close);
    }

    @Test
    void finishConnectFreesItsCarrier() throws Exception {
        SocketChannel channel = closing(SocketChannel.open());
        channel.configureBlocking(false);
        assertFalse(channel.connect(silentAddress()));
        channel.configureBlocking(true);
        Carriers.assertFreed(
                "finishConnect",
                () -> assertThrowsA(AsynchronousCloseException.class, channel::finishConnect),
                channel::close);
    }

    @Test
    void channelAcceptFreesItsCarrier() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        Carriers.assertFreed(
                "accept",
                () -> closing(listener.accept()),
                () -> closing(SocketChannel.open(listener.getLocalAddress())));
    }

    @Test
    void adaptorsReadFreesItsCarrier() throws Exception {
        ChannelLink link = connectedChannel();
        readFreesItsCarrier(link.local().socket(), link.remote());
    }

    @Test
    void adaptorsTimedReadFreesItsCarrier() throws Exception {
        ChannelLink link = connectedChannel();
        link.local().socket().setSoTimeout(Patience.NEVER_MS);
        readFreesItsCarrier(link.local().socket(), link.remote());
    }

    @Test
    void adaptorsWriteFreesItsCarrier() throws Exception {
        ChannelLink link = connectedChannel();
        writeFreesItsCarrier(link.local().socket(), link.remote());
    }

    @Test
    void adaptorsAcceptFreesItsCarrier() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        listener.socket().setSoTimeout(Patience.NEVER_MS);
        acceptFreesItsCarrier(listener.socket());
    }

    @Test
    void adaptorsTimedConnectFreesItsCarrier() throws Exception {
        InetSocketAddress silent = silentAddress();
        SocketChannel channel = closing(SocketChannel.open());
        Carriers.assertFreed(
                "connect",
                () -> assertThrowsA(Exception.class, () -> channel.socket().connect(silent, Patience.NEVER_MS)),
                channel::close);
    }

    @Test
    void conversationsOfVirtualThreadsPinNoCarrier() throws Exception {
        ServerSocket listener = listeningSocket();
        try (PinnedThreads pinned = PinnedThreads.record()) {
            List<VirtualThread<Integer>> both = List.of(
                    VirtualThread.start(() -> {
                        try (Socket server = listener.accept()) {
                            int sum = 0;
                            for (int i = 0; i < 200; i++) {
                                sum += server.getInputStream().read();
                                server.getOutputStream().write(i);
                            }
                            return sum;
                        }
                    }),
                    VirtualThread.start(() -> {
                        try (Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort())) {
                            int sum = 0;
                            for (int i = 0; i < 200; i++) {
                                client.getOutputStream().write(i);
                                sum += client.getInputStream().read();
                            }
                            return sum;
                        }
                    }));
            assertEquals(both.get(0).result(), both.get(1).result());
            pinned.assertNone();
        }
    }

    @Test
    void interruptOfAVirtualThreadInChannelAcceptClosesTheListener() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        VirtualThread<SocketChannel> accept =
                VirtualThread.start(listener::accept).awaitBlockedIn("accept");
        accept.interrupt();
        assertThrown(ClosedByInterruptException.class, null, accept.thrown());
        assertFalse(listener.isOpen());
    }

    @Test
    void interruptOfAVirtualThreadInASocketWriteClosesTheSocket() throws Exception {
        Socket local = connectedSocket().local();
        VirtualThread<Boolean> write = VirtualThread.start(() -> {
                    local.getOutputStream().write(new byte[BIG]);
                    return true;
                })
                .awaitBlockedIn("write");
        write.interrupt();
        assertThrown(SocketException.class, "Closed by interrupt", write.thrown());
        assertTrue(local.isClosed());
    }

    @Test
    void interruptOfAVirtualThreadInAChannelWriteClosesTheChannel() throws Exception {
        SocketChannel local = connectedChannel().local();
        VirtualThread<Boolean> write = VirtualThread.start(() -> {
                    writeFully(local, ByteBuffer.allocate(BIG));
                    return true;
                })
                .awaitBlockedIn("write");
        write.interrupt();
        assertThrown(ClosedByInterruptException.class, null, write.thrown());
        assertFalse(local.isOpen());
    }

    @Test
    void interruptOfAVirtualThreadInASocketConnectClosesTheSocket() throws Exception {
        Socket socket = closing(new Socket());
        InetSocketAddress silent = silentAddress();
        VirtualThread<Boolean> connect = VirtualThread.start(() -> {
                    socket.connect(silent);
                    return true;
                })
                .awaitBlockedIn("connect");
        connect.interrupt();
        assertThrown(SocketException.class, "Closed by interrupt", connect.thrown());
        assertTrue(socket.isClosed());
    }

    @Test
    void interruptOfAVirtualThreadInAChannelConnectClosesTheChannel() throws Exception {
        SocketChannel channel = closing(SocketChannel.open());
        InetSocketAddress silent = silentAddress();
        VirtualThread<Boolean> connect =
                VirtualThread.start(() -> channel.connect(silent)).awaitBlockedIn("connect");
        connect.interrupt();
        assertThrown(ClosedByInterruptException.class, null, connect.thrown());
        assertFalse(channel.isOpen());
    }

    @Test
    void interruptedVirtualThreadStillReadsTheBytesAtHand() throws Exception {
        SocketLink link = connectedSocket();
        link.remote().write(10);
        await("the bytes are there", () -> {
            try {
                return link.local().getInputStream().available() == 10;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        VirtualThread<Boolean> read = VirtualThread.start(() -> {
            Thread.currentThread().interrupt();
            Pattern.check(0, link.local().getInputStream().readNBytes(10), 0, 10);
            return Thread.currentThread().isInterrupted();
        });
        assertTrue(read.result());
        assertFalse(link.local().isClosed());
    }

    @Test
    void interruptedVirtualThreadThatWouldBlockClosesItsSocket() throws Exception {
        Socket local = connectedSocket().local();
        VirtualThread<Integer> read = VirtualThread.start(() -> {
            Thread.currentThread().interrupt();
            return local.getInputStream().read();
        });
        assertThrown(SocketException.class, "Closed by interrupt", read.thrown());
        assertTrue(local.isClosed());
    }

    @Test
    void interruptedVirtualThreadKeepsItsInterruptStatus() throws Exception {
        SocketChannel local = connectedChannel().local();
        VirtualThread<Boolean> read = VirtualThread.start(() -> {
                    assertThrowsA(ClosedByInterruptException.class, () -> local.read(ByteBuffer.allocate(1)));
                    return Thread.currentThread().isInterrupted();
                })
                .awaitBlockedIn("read");
        read.interrupt();
        assertTrue(read.result());
    }

    @Test
    void virtualThreadClosesTheSocketOfAPlatformThread() throws Exception {
        Socket local = connectedSocket().local();
        Background<Integer> read = startRead(local);
        VirtualThread.start(() -> {
                    local.close();
                    return true;
                })
                .result();
        assertThrown(SocketException.class, "Socket closed", read);
    }

    @Test
    void virtualThreadInterruptsAPlatformThreadInAChannelRead() throws Exception {
        SocketChannel local = connectedChannel().local();
        Background<Integer> read = startRead(local);
        VirtualThread.start(() -> {
                    read.thread().interrupt();
                    return true;
                })
                .result();
        assertThrown(ClosedByInterruptException.class, null, read);
    }

    @Test
    void virtualThreadsCloseWhatOtherVirtualThreadsBlockIn() throws Exception {
        SocketChannel channel = connectedChannel().local();
        ServerSocketChannel listener = listeningChannel();
        ServerSocket server = listeningSocket();
        VirtualThread<Integer> read =
                VirtualThread.start(() -> channel.read(ByteBuffer.allocate(1))).awaitBlockedIn("read");
        VirtualThread<SocketChannel> accept =
                VirtualThread.start(listener::accept).awaitBlockedIn("accept");
        VirtualThread<Socket> acceptSocket = VirtualThread.start(server::accept).awaitBlockedIn("accept");
        VirtualThread.start(() -> {
                    channel.close();
                    listener.close();
                    server.close();
                    return true;
                })
                .result();
        assertThrown(AsynchronousCloseException.class, null, read.thrown());
        assertThrown(AsynchronousCloseException.class, null, accept.thrown());
        assertThrown(SocketException.class, "Socket closed", acceptSocket.thrown());
    }

    @Test
    void acceptOfAVirtualThreadTimesOut() throws Exception {
        ServerSocket listener = listeningSocket();
        listener.setSoTimeout(60);
        VirtualThread<Socket> accept = VirtualThread.start(listener::accept);
        assertThrown(SocketTimeoutException.class, "Accept timed out", accept.thrown());
        closing(new Socket(listener.getInetAddress(), listener.getLocalPort()));
        assertNotNull(closing(VirtualThread.start(listener::accept).result()));
    }

    @Test
    @TimeLimit(LONG)
    void twoThousandVirtualThreadsOnOneCarrierAreAllServed(@TempDir Path directory) throws Exception {
        List<String> options = List.of("-Djdk.virtualThreadScheduler.maxPoolSize=1", "-Dexs.buffer=16k");
        List<String> printed = Carriers.run(Thousands.class, options, directory);
        assertTrue(printed.contains(Thousands.SERVED), printed::toString);
    }

    private void readFreesItsCarrier(Socket local, PeerSocket remote) throws Exception {
        Carriers.assertFreed("read", () -> local.getInputStream().read(), () -> remote.write(1));
    }

    private void writeFreesItsCarrier(Socket local, PeerSocket remote) throws Exception {
        Callable<Boolean> write = () -> {
            local.getOutputStream().write(Pattern.bytes(0, BIG));
            return true;
        };
        Carriers.assertFreed("write", write, () -> remote.read(BIG));
    }

    private void acceptFreesItsCarrier(ServerSocket listener) throws Exception {
        Carriers.assertFreed(
                "accept",
                () -> closing(listener.accept()),
                () -> closing(new Socket(listener.getInetAddress(), listener.getLocalPort())));
    }
}
