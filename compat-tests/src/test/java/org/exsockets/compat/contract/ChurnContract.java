package org.exsockets.compat.contract;

import static org.exsockets.compat.harness.TimeLimit.Work.LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.stream.Stream;
import org.exsockets.compat.harness.Footprint;
import org.exsockets.compat.harness.NotOver;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.PeerJvm;
import org.exsockets.compat.harness.TestHost;
import org.exsockets.compat.harness.TimeLimit;
import org.exsockets.compat.harness.Transport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A hundred thousand connections, one after the other, each opened, used and closed, leave both processes where they were: no
 * descriptor, mapping, file, thread or object stays of them. Of eight, the client resets one, where its kind has an option for that; the others are closed by the
 * server first, so that no port of a client stays in TIME_WAIT.
 */
@Tag("usual")
@Tag("long")
@NotOver(
        value = Transport.DISNI,
        reason =
                "a hundred thousand connections take hours on an emulated adapter; what the verbs libraries keep is not known")
class ChurnContract extends AsynchronousContract {
    private static final int CYCLES = 100_000;

    /** Fills what is kept for later connections, and loads what has to be loaded. */
    private static final int WARM_UP = 4_000;

    private static final int BETWEEN_RESETS = 8;

    /** What may differ by chance: less than one for a thousand connections, and half the smallest object for each. */
    private static final int DESCRIPTORS = 16;

    private static final long SHARED_BYTES = 64L << 20;
    private static final int THREADS = 8;
    private static final int MAPPINGS = 64;
    private static final long HEAP_BYTES = 8L * CYCLES;

    /** How connections are made and accepted, their part of all, and whether there is an option to reset them by. */
    enum Kind {
        SOCKET(40, true),
        CHANNEL(40, true),
        SELECTOR(15, true),
        ASYNCHRONOUS(5, false);

        final int percent;
        final boolean resets;

        Kind(int percent, boolean resets) {
            this.percent = percent;
            this.resets = resets;
        }
    }

    private Selector selector;
    private AsynchronousChannelGroup group;
    private InetSocketAddress[] servers;

    @Test
    @TimeLimit(LONG)
    void aHundredThousandConnectionsLeaveEverythingWhereItBegan() throws Exception {
        PeerJvm server = peer();
        String[] ports = PeerJvm.await(server.runOn("churn", ChurnServer.class, "listen"))
                .split(" ");
        closing(() -> PeerJvm.await(server.runOn("churn", ChurnServer.class, "close")));
        servers = Stream.of(ports)
                .map(port -> TestHost.address(Integer.parseInt(port)))
                .toArray(InetSocketAddress[]::new);
        selector = closing(Selector.open());
        group = group(1);
        cycles(WARM_UP);
        Held before = held(server);
        cycles(CYCLES);
        Held after = held(server);
        after.client.assertNoMoreThan(before.client, "this process");
        after.server.assertNoMoreThan(before.server, "the server");
    }

    private void cycles(int all) throws Exception {
        for (Kind kind : Kind.values()) {
            int count = all / 100 * kind.percent;
            for (int i = 0; i < count; i++) {
                // Even: the server closes the connection; odd: it waits for the reset.
                boolean resets = kind.resets && i % BETWEEN_RESETS == 0;
                byte first = (byte) (resets ? i | 1 : i & ~1);
                switch (kind) {
                    case SOCKET -> useSocket(servers[kind.ordinal()], first);
                    case CHANNEL -> useChannel(servers[kind.ordinal()], first);
                    case SELECTOR -> useSelector(servers[kind.ordinal()], first);
                    case ASYNCHRONOUS -> useAsynchronous(servers[kind.ordinal()], first);
                }
            }
        }
    }

    private static boolean resets(byte first) {
        return (first & 1) == 1;
    }

    private static void useSocket(InetSocketAddress server, byte first) throws IOException {
        try (Socket socket = new Socket(server.getAddress(), server.getPort())) {
            socket.getOutputStream().write(first);
            assertEquals(~first & 0xff, socket.getInputStream().read());
            if (resets(first)) {
                socket.setSoLinger(true, 0);
            } else {
                assertEquals(-1, socket.getInputStream().read());
            }
        }
    }

    private static void useChannel(InetSocketAddress server, byte first) throws IOException {
        try (SocketChannel channel = SocketChannel.open(server)) {
            ByteBuffer one = ByteBuffer.allocate(1).put(0, first);
            channel.write(one);
            assertEquals(1, channel.read(one.clear()));
            assertEquals((byte) ~first, one.get(0));
            if (resets(first)) {
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            } else {
                assertEquals(-1, channel.read(one.clear()));
            }
        }
    }

    private void useSelector(InetSocketAddress server, byte first) throws IOException {
        try (SocketChannel channel = SocketChannel.open()) {
            channel.configureBlocking(false);
            SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT);
            if (!channel.connect(server)) {
                select(key, SelectionKey.OP_CONNECT);
                assertTrue(channel.finishConnect());
            }
            key.interestOps(SelectionKey.OP_READ);
            ByteBuffer one = ByteBuffer.allocate(1).put(0, first);
            assertEquals(1, channel.write(one));
            select(key, SelectionKey.OP_READ);
            assertEquals(1, channel.read(one.clear()));
            assertEquals((byte) ~first, one.get(0));
            if (resets(first)) {
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            } else {
                select(key, SelectionKey.OP_READ);
                assertEquals(-1, channel.read(one.clear()));
            }
        }
        selector.selectNow();
        assertTrue(selector.keys().isEmpty());
    }

    private void select(SelectionKey key, int ops) throws IOException {
        assertEquals(1, selector.select(Patience.NEVER_MS));
        assertEquals(ops, key.readyOps());
        selector.selectedKeys().clear();
    }

    private void useAsynchronous(InetSocketAddress server, byte first) throws Exception {
        try (AsynchronousSocketChannel channel = AsynchronousSocketChannel.open(group)) {
            assertNull(get(channel.connect(server)));
            ByteBuffer one = ByteBuffer.allocate(1).put(0, first);
            assertEquals(1, get(channel.write(one)));
            assertEquals(1, get(channel.read(one.clear())));
            assertEquals((byte) ~first, one.get(0));
            assertEquals(-1, get(channel.read(one.clear())));
        }
    }

    private static Held held(PeerJvm server) throws IOException, InterruptedException {
        return new Held(
                new OneProcess(Footprint.now()),
                new OneProcess(Footprint.parse(PeerJvm.await(server.runOn("churn", ChurnServer.class, "footprint")))));
    }

    /** What both processes hold. */
    private record Held(OneProcess client, OneProcess server) {}

    /** What a process holds. */
    private record OneProcess(Footprint footprint) {
        void assertNoMoreThan(OneProcess before, String process) {
            Footprint more = footprint.minus(before.footprint);
            String told = process + " has grown by " + more;
            assertTrue(more.descriptors() <= DESCRIPTORS, told);
            assertTrue(more.sharedBytes() <= SHARED_BYTES, told);
            assertTrue(more.threads() <= THREADS, told);
            assertTrue(more.mappings() <= MAPPINGS, told);
            assertTrue(more.heapBytes() <= HEAP_BYTES, told);
        }
    }
}
