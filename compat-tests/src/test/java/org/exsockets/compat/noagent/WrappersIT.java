package org.exsockets.compat.noagent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.net.DatagramPacket;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.TimeLimit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pipes, datagram channels and Unix-domain channels, which are wrappers of ours where there is no agent. */
@Tag("noagent")
@TimeLimit
class WrappersIT {
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    @AfterEach
    void closeWhatTheTestOpened() throws Exception {
        Thread.interrupted();
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
        Background.awaitAll();
    }

    @Test
    void channelsAndSelectorsBelongToTheNamedProvider(@TempDir Path directory) throws Exception {
        SelectorProvider provider = SelectorProvider.provider();
        assertEquals("org.exsockets.ExsSelectorProvider", provider.getClass().getName());
        Pipe pipe = pipe();
        UnixPair unix = unixPair(directory);
        for (SelectableChannel channel : new SelectableChannel[] {
            pipe.source(), pipe.sink(), datagram(), unix.listener(), unix.client(), unix.server()
        }) {
            assertSame(provider, channel.provider());
        }
    }

    @Test
    void threeThousandPipesClosedWhileRegisteredLeaveNoDescriptors() throws Exception {
        Selector selector = closing(Selector.open());
        registerAndClosePipes(selector, 100);
        int before = openDescriptors();
        registerAndClosePipes(selector, 3000);
        assertNoMoreDescriptors(before);
        assertTrue(selector.keys().isEmpty());
    }

    /**
     * Fewer there may be: what a test before this one has left to the collector goes when it likes. More for a moment: the
     * JVM's own threads open files.
     */
    private static void assertNoMoreDescriptors(int before) throws InterruptedException {
        int after = openDescriptors();
        for (int looks = 0; after > before && looks < 100; looks++) {
            Thread.sleep(20);
            after = openDescriptors();
        }
        assertTrue(after <= before, "before=" + before + ", after=" + after);
    }

    /** Every third pipe is selected while it is open; the others never have been when they are closed. */
    private static void registerAndClosePipes(Selector selector, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            Pipe pipe = Pipe.open();
            register(pipe.source(), selector, SelectionKey.OP_READ);
            register(pipe.sink(), selector, SelectionKey.OP_WRITE);
            if (i % 3 == 0) {
                assertEquals(1, selector.selectNow());
            }
            pipe.sink().close();
            pipe.source().close();
            if (i % 10 == 0) {
                selector.selectNow();
            }
        }
        selector.selectNow();
    }

    @Test
    void selectorsClosedBeforeTheirChannelsLeaveNoDescriptors() throws Exception {
        int before = openDescriptors();
        for (int i = 0; i < 500; i++) {
            Pipe pipe = Pipe.open();
            try (Selector selector = Selector.open()) {
                register(pipe.source(), selector, SelectionKey.OP_READ);
                register(pipe.sink(), selector, SelectionKey.OP_WRITE);
                assertEquals(1, selector.selectNow());
                pipe.sink().close();
            }
            pipe.source().close();
        }
        assertNoMoreDescriptors(before);
    }

    @Test
    void cancelledChannelBlocksAgainBeforeTheNextSelection(@TempDir Path directory) throws Exception {
        Pipe pipe = pipe();
        UnixPair unix = unixPair(directory);
        Selector selector = closing(Selector.open());
        for (SelectableChannel channel :
                new SelectableChannel[] {pipe.source(), pipe.sink(), datagram(), unix.listener(), unix.server()}) {
            SelectionKey key = register(channel, selector, channel.validOps());
            selector.selectNow();
            assertThrows(IllegalBlockingModeException.class, () -> channel.configureBlocking(true));
            key.cancel();
            assertThrows(CancelledKeyException.class, () -> channel.register(selector, channel.validOps()));
            channel.configureBlocking(true);
            assertTrue(channel.isBlocking());
            selector.selectNow();
            assertFalse(channel.isRegistered());
        }
        pipe.sink().write(ByteBuffer.allocate(3));
        assertEquals(3, pipe.source().read(ByteBuffer.allocate(9)));
    }

    @Test
    void cancellingAndBlockingRacesWithSelections() throws Exception {
        Pipe pipe = pipe();
        Selector selector = closing(Selector.open());
        AtomicBoolean stop = new AtomicBoolean();
        Background<Void> selecting = Background.start(() -> {
            while (!stop.get()) {
                selector.selectNow();
            }
            return null;
        });
        for (int i = 0; i < 2000; i++) {
            SelectionKey key = register(pipe.source(), selector, SelectionKey.OP_READ);
            key.cancel();
            pipe.source().configureBlocking(true);
            while (pipe.source().isRegistered()) {
                Thread.onSpinWait();
            }
        }
        assertFalse(selecting.isDone());
        stop.set(true);
        selecting.result();
    }

    @Test
    void closingAChannelRemovesItsKeyFromASelectionUnderWay() throws Exception {
        Pipe pipe = pipe();
        Selector selector = closing(Selector.open());
        SelectionKey key = register(pipe.source(), selector, SelectionKey.OP_READ);
        Background<Integer> select = Background.start(() -> selector.select()).awaitBlockedIn("select");
        pipe.source().close();
        assertFalse(key.isValid());
        selector.wakeup();
        assertEquals(0, select.result());
        selector.selectNow();
        assertTrue(selector.keys().isEmpty());
    }

    @Test
    void closingTheOtherEndOfAPipeEndsASelection() throws Exception {
        Pipe pipe = pipe();
        Selector selector = closing(Selector.open());
        register(pipe.source(), selector, SelectionKey.OP_READ);
        Background<Integer> select = Background.start(() -> selector.select()).awaitBlockedIn("select");
        pipe.sink().close();
        assertEquals(1, select.result());
        assertEquals(-1, pipe.source().read(ByteBuffer.allocate(1)));
    }

    @Test
    void closingAChannelEndsItsBlockedCall(@TempDir Path directory) throws Exception {
        Pipe pipe = pipe();
        DatagramChannel datagram = datagram();
        UnixPair unix = unixPair(directory);
        assertEndedByClose(pipe.source(), "read", () -> pipe.source().read(ByteBuffer.allocate(1)));
        assertEndedByClose(datagram, "receive", () -> datagram.receive(ByteBuffer.allocate(1)));
        assertEndedByClose(unix.client(), "read", () -> unix.client().read(ByteBuffer.allocate(1)));
        assertEndedByClose(unix.listener(), "accept", () -> unix.listener().accept());
    }

    private static void assertEndedByClose(SelectableChannel channel, String method, Callable<?> call)
            throws Exception {
        Background<?> blocked = Background.start(call).awaitBlockedIn(method);
        channel.close();
        assertEquals(AsynchronousCloseException.class, blocked.thrown().getClass());
    }

    @Test
    void interruptEndsABlockedCallAndClosesTheChannel(@TempDir Path directory) throws Exception {
        Pipe pipe = pipe();
        DatagramChannel datagram = datagram();
        UnixPair unix = unixPair(directory);
        assertEndedByInterrupt(pipe.source(), "read", () -> pipe.source().read(ByteBuffer.allocate(1)));
        assertEndedByInterrupt(datagram, "receive", () -> datagram.receive(ByteBuffer.allocate(1)));
        assertEndedByInterrupt(unix.client(), "read", () -> unix.client().read(ByteBuffer.allocate(1)));
        assertEndedByInterrupt(unix.listener(), "accept", () -> unix.listener().accept());
        assertThrows(ClosedChannelException.class, () -> pipe.source().configureBlocking(false));
    }

    private static void assertEndedByInterrupt(SelectableChannel channel, String method, Callable<?> call)
            throws Exception {
        Background<?> blocked = Background.start(call).awaitBlockedIn(method);
        blocked.thread().interrupt();
        assertEquals(ClosedByInterruptException.class, blocked.thrown().getClass());
        assertFalse(channel.isOpen());
    }

    @Test
    void datagramSocketSharesItsChannelsLife() throws Exception {
        DatagramChannel channel = datagram();
        DatagramChannel sender = datagram();
        sender.socket().send(new DatagramPacket(new byte[7], 7, channel.getLocalAddress()));
        channel.socket().setSoTimeout(Patience.NEVER_MS);
        DatagramPacket received = new DatagramPacket(new byte[20], 20);
        channel.socket().receive(received);
        assertEquals(7, received.getLength());
        assertSame(channel.socket(), channel.socket());
        assertSame(channel, channel.socket().getChannel());
        Selector selector = closing(Selector.open());
        SelectionKey key = register(channel, selector, SelectionKey.OP_READ);
        selector.selectNow();
        channel.socket().close();
        assertTrue(channel.socket().isClosed());
        assertFalse(channel.isOpen());
        assertFalse(key.isValid());
        selector.selectNow();
        assertTrue(selector.keys().isEmpty());
    }

    @Test
    void connectedDatagramChannelsReadAndWrite() throws Exception {
        DatagramChannel one = datagram();
        DatagramChannel other = datagram();
        one.connect(other.getLocalAddress());
        other.connect(one.getLocalAddress());
        assertTrue(one.isConnected());
        assertEquals(other.getLocalAddress(), one.getRemoteAddress());
        assertEquals(6, one.write(new ByteBuffer[] {ByteBuffer.allocate(2), ByteBuffer.allocate(4)}));
        assertEquals(6, other.read(ByteBuffer.allocate(20)));
        one.disconnect();
        assertNotNull(one.setOption(StandardSocketOptions.SO_RCVBUF, 10_000));
        assertFalse(one.isConnected());
    }

    /** A Unix-domain connection and its listener. */
    private record UnixPair(ServerSocketChannel listener, SocketChannel client, SocketChannel server) {}

    private UnixPair unixPair(Path directory) throws Exception {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(directory.resolve("s"));
        ServerSocketChannel listener =
                closing(ServerSocketChannel.open(StandardProtocolFamily.UNIX)).bind(address);
        SocketChannel client = closing(SocketChannel.open(address));
        return new UnixPair(listener, client, closing(listener.accept()));
    }

    private Pipe pipe() throws Exception {
        Pipe pipe = Pipe.open();
        closing(pipe.source());
        closing(pipe.sink());
        return pipe;
    }

    private DatagramChannel datagram() throws Exception {
        return closing(DatagramChannel.open(StandardProtocolFamily.INET)).bind(new InetSocketAddress("127.0.0.1", 0));
    }

    private static SelectionKey register(SelectableChannel channel, Selector selector, int ops) throws Exception {
        channel.configureBlocking(false);
        return channel.register(selector, ops);
    }

    private <T extends AutoCloseable> T closing(T resource) {
        opened.push(resource);
        return resource;
    }

    private static int openDescriptors() {
        return new File("/proc/self/fd").list().length;
    }
}
