package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.exsockets.compat.harness.Face;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.PeerListener;
import org.exsockets.compat.harness.PeerSocket;
import org.exsockets.compat.harness.TestHost;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Connections that come and go leave nothing behind: descriptors and threads are counted before and after. */
@Tag("placed")
@Tag("fallback")
@Tag("noagent")
class ResourcesContract extends Contract {
    private static final int WARM_UP = 100;
    private static final int CYCLES = 2000;
    private static final int SLACK = 40;

    @Test
    void twoThousandSocketsComeAndGoWithoutDescriptorGrowth() throws Exception {
        ServerSocket listener = listeningSocket();
        assertNoGrowth(CYCLES, () -> {
            try (Socket client = new Socket(TestHost.NAME, listener.getLocalPort());
                    Socket server = listener.accept()) {
                client.getOutputStream().write(1);
                assertEquals(1, server.getInputStream().read());
            }
        });
    }

    @Test
    void twoThousandChannelsComeAndGoWithoutDescriptorGrowth() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        assertNoGrowth(CYCLES, () -> {
            try (SocketChannel client = SocketChannel.open(testAddress(port(listener)));
                    SocketChannel server = listener.accept()) {
                client.write(ByteBuffer.allocate(1));
                assertEquals(1, server.read(ByteBuffer.allocate(1)));
            }
        });
    }

    @Test
    void channelsClosedWhileRegisteredLeaveNoDescriptors() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        Selector selector = closing(Selector.open());
        assertNoGrowth(500, () -> {
            try (SocketChannel client = SocketChannel.open(testAddress(port(listener)));
                    SocketChannel server = listener.accept()) {
                server.configureBlocking(false);
                server.register(selector, SelectionKey.OP_READ);
                client.write(ByteBuffer.allocate(1));
                assertEquals(1, selector.select(Patience.NEVER_MS));
                selector.selectedKeys().clear();
            }
            selector.selectNow();
            assertTrue(selector.keys().isEmpty());
        });
    }

    @Test
    void listenersComeAndGoWithoutDescriptorGrowth() throws Exception {
        assertNoGrowth(500, () -> {
            try (ServerSocketChannel listener = ServerSocketChannel.open().bind(testAddress(0));
                    SocketChannel client = SocketChannel.open(testAddress(port(listener)))) {
                assertTrue(client.isConnected());
            }
        });
    }

    @Test
    void selectorsComeAndGoWithoutDescriptorGrowth() throws Exception {
        SocketChannel channel = connectedChannel().local();
        channel.configureBlocking(false);
        assertNoGrowth(500, () -> {
            try (Selector selector = Selector.open()) {
                channel.register(selector, SelectionKey.OP_WRITE);
                assertEquals(1, selector.select(Patience.NEVER_MS));
            }
        });
    }

    @Test
    void pipesThatOutliveTheirSelectorLeaveNoDescriptors() throws Exception {
        assertNoGrowth(500, () -> {
            Pipe pipe = Pipe.open();
            try (Selector selector = Selector.open()) {
                pipe.source().configureBlocking(false).register(selector, SelectionKey.OP_READ);
                pipe.sink().configureBlocking(false).register(selector, SelectionKey.OP_WRITE);
                assertEquals(1, selector.selectNow());
                pipe.sink().close();
            }
            pipe.source().close();
        });
    }

    @Test
    void connectionsToTheOtherProcessComeAndGoWithoutDescriptorGrowth() throws Exception {
        PeerListener listener = listener(Face.NIO);
        assertNoGrowth(200, () -> {
            PeerSocket remote = listener.accept();
            try (SocketChannel local = SocketChannel.open(testAddress(listener.port()))) {
                writeFully(local, Pattern.buffer(0, 100));
                remote.read(100);
            }
            assertEquals(100, remote.readToEnd());
            remote.close();
        });
    }

    @Test
    void refusedConnectsLeaveNoDescriptors() throws Exception {
        var nobody = unusedAddress();
        assertNoGrowth(500, () -> assertThrowsA(ConnectException.class, () -> SocketChannel.open(nobody)));
    }

    @Test
    void fiveHundredConnectionsAreOpenAtOnce() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        SocketChannel[] clients = new SocketChannel[500];
        SocketChannel[] servers = new SocketChannel[500];
        for (int i = 0; i < clients.length; i++) {
            clients[i] = closing(SocketChannel.open(testAddress(port(listener))));
            servers[i] = closing(listener.accept());
        }
        for (int i = 0; i < clients.length; i++) {
            clients[i].write(Pattern.buffer(i, 50));
        }
        for (int i = 0; i < clients.length; i++) {
            ByteBuffer received = ByteBuffer.allocate(50);
            assertEquals(50, servers[i].read(received));
            Pattern.check(i, received.flip());
        }
    }

    private static void assertNoGrowth(int cycles, Executable cycle) throws Exception {
        repeat(WARM_UP, cycle);
        int descriptors = openDescriptors();
        int threads = Thread.activeCount();
        repeat(cycles, cycle);
        await("descriptors back at " + descriptors, () -> openDescriptors() <= descriptors + SLACK);
        assertTrue(Thread.activeCount() <= threads + 4, "threads: " + threads + " became " + Thread.activeCount());
    }

    private static void repeat(int times, Executable cycle) throws Exception {
        for (int i = 0; i < times; i++) {
            assertDoesNotThrow(cycle);
        }
    }

    private static int openDescriptors() {
        String[] open = new File("/proc/self/fd").list();
        Assumptions.assumeTrue(open != null, "open descriptors are counted in /proc/self/fd");
        return open.length;
    }
}
