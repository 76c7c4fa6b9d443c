package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.BooleanSupplier;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Face;
import org.exsockets.compat.harness.KernelTcp;
import org.exsockets.compat.harness.LeavesNothing;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.PeerJvm;
import org.exsockets.compat.harness.PeerListener;
import org.exsockets.compat.harness.PeerSocket;
import org.exsockets.compat.harness.SharedPeer;
import org.exsockets.compat.harness.TestHost;
import org.exsockets.compat.harness.TimeLimit;
import org.exsockets.compat.harness.Transport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;

/**
 * What every contract has: a peer process that its tests share with those of other contracts, started when first needed,
 * connections to it, and the closing of whatever a test opened. At the end a connection must use the transport, and the peer
 * must have nothing left.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TimeLimit
@ExtendWith(LeavesNothing.class)
abstract class Contract {
    /** A connection between a channel here and a connection in the peer process. */
    record ChannelLink(SocketChannel local, PeerSocket remote) {}

    /** A connection between a socket here and a connection in the peer process. */
    record SocketLink(Socket local, PeerSocket remote) {}

    /** Both ends of a connection inside this process. */
    record ChannelPair(SocketChannel client, SocketChannel server) {}

    /** Both ends of a connection inside this process. */
    record SocketPair(Socket client, Socket server) {}

    /** The listeners below are its. */
    private PeerJvm peer;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private PeerListener netListener;
    private PeerListener nioListener;

    /** For {@link #awaitArrival}. */
    private SocketPair marker;

    @AfterEach
    @TimeLimit
    void closeWhatTheTestOpened() throws Exception {
        Thread.interrupted();
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
        Background.awaitAll();
    }

    @AfterAll
    @TimeLimit
    void connectionsUseTheTransportAndLeaveNothing() throws Exception {
        transport().verify(connectedChannel().local());
        closeWhatTheTestOpened();
        if (transport() == Transport.DISNI) {
            peer.closeAll();
        } else {
            assertEquals("", peer.remains(), "the peer process leaves behind");
        }
    }

    protected static Transport transport() {
        return Transport.underTest();
    }

    /** Starts to select and returns when that sleeps. */
    protected static Background<Integer> startSelect(Selector selector) throws Exception {
        return Background.start(() -> selector.select()).awaitBlockedIn("select");
    }

    /** Starts to read a byte and returns when that sleeps. */
    protected static Background<Integer> startRead(SocketChannel channel) throws Exception {
        return Background.start(() -> channel.read(ByteBuffer.allocate(1))).awaitBlockedIn("read");
    }

    /** Starts to read a byte and returns when that sleeps. */
    protected static Background<Integer> startRead(Socket socket) throws Exception {
        return Background.start(() -> socket.getInputStream().read()).awaitBlockedIn("read");
    }

    /** Starts to write again and again, and returns when that sleeps. */
    protected static Background<Integer> startWrites(Socket socket) throws Exception {
        OutputStream out =
                socket.getOutputStream(); // Not in the loop: a close between two writes is told as one amid them.
        Background<Integer> writes = Background.start(() -> {
            while (true) {
                out.write(new byte[100_000]);
            }
        });
        return writes.awaitBlockedIn("write");
    }

    /** Closes a resource after the test. */
    protected final <T extends AutoCloseable> T closing(T resource) {
        opened.push(resource);
        return resource;
    }

    /** Returns the peer process that all tests share; if it has ended, another one. */
    protected final PeerJvm peer() throws IOException {
        PeerJvm current = SharedPeer.get();
        if (peer != current) {
            netListener = null;
            nioListener = null;
            peer = current;
        }
        return peer;
    }

    /** Returns the listener of that face that all tests of this class share. */
    protected final PeerListener listener(Face face) throws IOException {
        peer();
        if (face == Face.NIO) {
            nioListener = nioListener == null ? peer.listen(face) : nioListener;
            return nioListener;
        }
        netListener = netListener == null ? peer.listen(face) : netListener;
        return netListener;
    }

    /** Connects a channel to the peer process; both ends blocking. */
    protected final ChannelLink connectedChannel() throws IOException {
        PeerListener listener = listener(Face.NIO);
        PeerSocket remote = listener.accept();
        SocketChannel local = closing(SocketChannel.open(testAddress(listener.port())));
        closing(remote::close);
        return new ChannelLink(local, remote.awaitOpen());
    }

    /** Connects a socket to the peer process. */
    protected final SocketLink connectedSocket() throws IOException {
        PeerListener listener = listener(Face.NET);
        PeerSocket remote = listener.accept();
        Socket local = closing(new Socket(InetAddress.getByName(TestHost.NAME), listener.port()));
        closing(remote::close);
        return new SocketLink(local, remote.awaitOpen());
    }

    /** Accepts a channel from the peer process. */
    protected final ChannelLink acceptedChannel() throws IOException {
        ServerSocketChannel listener = listeningChannel();
        PeerSocket remote = peer().connect(Face.NIO, TestHost.NAME, port(listener));
        SocketChannel local = closing(listener.accept());
        closing(remote::close);
        return new ChannelLink(local, remote.awaitOpen());
    }

    /** Accepts a socket from the peer process. */
    protected final SocketLink acceptedSocket() throws IOException {
        ServerSocket listener = listeningSocket();
        PeerSocket remote = peer().connect(Face.NET, TestHost.NAME, listener.getLocalPort());
        Socket local = closing(listener.accept());
        closing(remote::close);
        return new SocketLink(local, remote.awaitOpen());
    }

    protected final ChannelPair channelPair() throws IOException {
        ServerSocketChannel listener = listeningChannel();
        SocketChannel client = closing(SocketChannel.open(testAddress(port(listener))));
        return new ChannelPair(client, closing(listener.accept()));
    }

    protected final SocketPair socketPair() throws IOException {
        ServerSocket listener = listeningSocket();
        Socket client = closing(new Socket(InetAddress.getByName(TestHost.NAME), listener.getLocalPort()));
        return new SocketPair(client, closing(listener.accept()));
    }

    protected final SocketChannel nonBlocking() throws IOException {
        SocketChannel channel = closing(SocketChannel.open());
        channel.configureBlocking(false);
        return channel;
    }

    protected final ServerSocketChannel listeningChannel() throws IOException {
        return closing(ServerSocketChannel.open()).bind(testAddress(0));
    }

    protected final ServerSocket listeningSocket() throws IOException {
        return closing(new ServerSocket(0, 50, InetAddress.getByName(TestHost.NAME)));
    }

    protected static int port(ServerSocketChannel listener) throws IOException {
        return ((InetSocketAddress) listener.getLocalAddress()).getPort();
    }

    protected static InetSocketAddress testAddress(int port) {
        return TestHost.address(port);
    }

    protected static boolean hasIpv6() {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getByName(TestHost.NAME6))) {
            return probe.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    protected static void assumeIpv6() {
        Assumptions.assumeTrue(hasIpv6(), "this host has no " + TestHost.NAME6);
    }

    /** Returns a loopback address on which nobody listens: a port that was just given back. */
    protected static InetSocketAddress unusedAddress() throws IOException {
        // Of no port that a client may get by itself: on Linux a connect to one's own port succeeds.
        for (int port = 20_000 + (int) (ProcessHandle.current().pid() % 5_000); ; port++) {
            try (ServerSocket reserved = new ServerSocket(port, 1, InetAddress.getByName(TestHost.NAME))) {
                return testAddress(reserved.getLocalPort());
            } catch (BindException taken) {
                if (port == 32_000) {
                    throw taken;
                }
            }
        }
    }

    /**
     * Returns the address of a listener that answers no connect: on Linux one whose backlog is full. Over EXS the backlogs
     * of the device and of TCP are both full then.
     */
    protected final InetSocketAddress silentAddress() throws IOException {
        return testAddress(port(silentListener()));
    }

    /** Returns the listener of {@link #silentAddress}. */
    protected final ServerSocketChannel silentListener() throws IOException {
        ServerSocketChannel listener = closing(ServerSocketChannel.open()).bind(testAddress(0), 1);
        InetSocketAddress address = testAddress(port(listener));
        for (int i = 0; i < 10; i++) {
            try {
                closing(SocketChannel.open()).socket().connect(address, (int) Patience.lasting(200));
            } catch (SocketTimeoutException full) {
                return listener;
            }
        }
        throw new AssertionError("a listener with a backlog of 1 has taken 10 connections");
    }

    /** Reads and checks pattern bytes until {@code end} bytes of the stream have been seen in all. */
    protected static void readPattern(SocketChannel channel, long position, long end) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(64 * 1024);
        long at = position;
        while (at < end) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), end - at));
            int n = channel.read(buffer);
            if (n < 0) {
                throw new AssertionError("the stream ended: expected=" + end + ", received=" + at);
            }
            Pattern.check(at, buffer.flip());
            at += n;
        }
    }

    /** Reads until the target is full. */
    protected static void readFully(SocketChannel channel, ByteBuffer target) throws IOException {
        while (target.hasRemaining()) {
            assertTrue(channel.read(target) > 0);
        }
    }

    protected static void writeFully(SocketChannel channel, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    protected static byte[] filled(int length, int value) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    /** What this process has sent has arrived: what it then sends on another connection has. */
    protected final void awaitArrival() throws IOException {
        transport().awaitOthers();
        if (marker == null || marker.client().isClosed()) {
            marker = socketPair();
        }
        marker.client().getOutputStream().write(1);
        assertEquals(1, marker.server().getInputStream().read());
    }

    /**
     * Fills a non-blocking channel until it takes no more and nothing on the way makes room any longer; returns the
     * number of pattern bytes written.
     */
    protected static long fill(SocketChannel channel, long position) throws IOException {
        if (transport() == Transport.SOFT) {
            return fill(channel, position, 1, 50); // What it takes it takes at once.
        }
        if (transport() == Transport.DISNI) {
            return fill(channel, position, 3, 120);
        }
        return KernelTcp.fill(channel, written -> Pattern.buffer(position + written, 32 * 1024));
    }

    /** The same, but TCP may make a little room again when a fifth of a second is over. */
    protected static long fillForNow(SocketChannel channel, long position) throws IOException {
        return fill(channel, position, 2, 50);
    }

    private static long fill(SocketChannel channel, long position, int quiet, long quietMs) throws IOException {
        try (Selector selector = channel.provider().openSelector()) {
            channel.register(selector, SelectionKey.OP_WRITE);
            long at = position;
            int quietRounds = 0;
            while (quietRounds < quiet) {
                int n = channel.write(Pattern.buffer(at, 32 * 1024));
                at += n;
                quietRounds = n == 0 && selector.select(quietMs) == 0 ? quietRounds + 1 : 0;
                selector.selectedKeys().clear();
            }
            return at - position;
        }
    }

    /** Returns a selector in which nothing is ready, with one connection in it. */
    protected final Selector idleSelector() throws IOException {
        return registered(connectedChannel().local(), SelectionKey.OP_READ).selector();
    }

    /** Makes a channel non-blocking and registers it with a selector of its own, which is closed after the test. */
    protected final SelectionKey registered(SelectableChannel channel, int ops) throws IOException {
        return register(channel, closing(Selector.open()), ops);
    }

    /** Makes a channel non-blocking and registers it. */
    protected static SelectionKey register(SelectableChannel channel, Selector selector, int ops) throws IOException {
        channel.configureBlocking(false);
        return channel.register(selector, ops);
    }

    /** Selects until the key has all of the given operations ready, and clears the selected set. */
    protected static void awaitReady(SelectionKey key, int ops) {
        Selector selector = key.selector();
        await("readiness " + ops, () -> {
            try {
                selector.select(100);
                selector.selectedKeys().clear();
                return (key.readyOps() & ops) == ops;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** Waits for an observed condition. */
    protected static void await(String what, BooleanSupplier condition) {
        Patience.until(what, condition);
    }

    protected static void assertThrown(Class<? extends Throwable> type, String message, Background<?> call)
            throws InterruptedException {
        assertThrown(type, message, call.thrown());
    }

    /** {@return what the JDK says of a channel's connect that had to be waited for} Some tell the call, too. */
    protected static String waitedFor(String reason) {
        int feature = Runtime.version().feature();
        return feature == 21 || feature >= 27 ? reason + " (connect failed)" : reason;
    }

    /** Checks the exact class and message of an exception. */
    protected static void assertThrown(Class<? extends Throwable> type, String message, Throwable thrown) {
        assertEquals(type, thrown.getClass(), () -> "message: " + thrown.getMessage());
        assertEquals(message, thrown.getMessage());
    }

    /** Runs a call that must throw exactly this class with exactly this message. */
    protected static void assertThrows(Class<? extends Throwable> type, String message, Executable call) {
        assertEquals(message, assertThrowsExactly(type, call).getMessage());
    }

    /** Runs a call that must throw this class or a subclass of it. */
    protected static <T extends Throwable> T assertThrowsA(Class<T> type, Executable call) {
        return Assertions.assertThrows(type, call);
    }
}
