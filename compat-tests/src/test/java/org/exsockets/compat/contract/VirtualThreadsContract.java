package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
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
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.TestHost;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Blocking calls in virtual threads, of which many more block at once than there are processors. Virtual threads are
 * reached by reflection because the suite is compiled for a JDK that has none; there it is skipped.
 */
@Tag("placed")
class VirtualThreadsContract extends Contract {
    private static final int MANY = 100;

    private final List<Thread> started = new ArrayList<>();
    private Method startVirtualThread;

    @BeforeEach
    void assumeVirtualThreads() {
        started.clear();
        try {
            startVirtualThread = Thread.class.getMethod("startVirtualThread", Runnable.class);
            startVirtualThread.invoke(null, (Runnable) () -> {});
        } catch (ReflectiveOperationException e) {
            Assumptions.abort("this JDK has no virtual threads");
        }
    }

    @Test
    void manyVirtualThreadsBlockInSocketReadsAtOnce() throws Exception {
        List<SocketPair> pairs = new ArrayList<>();
        List<FutureTask<Integer>> reads = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            SocketPair pair = socketPair();
            pairs.add(pair);
            reads.add(start(() -> pair.server().getInputStream().read()));
        }
        assertEquals(7, virtualEcho(7));
        for (int i = 0; i < MANY; i++) {
            pairs.get(i).client().getOutputStream().write(i);
        }
        for (int i = 0; i < MANY; i++) {
            assertEquals(i, Patience.get("read", reads.get(i)));
        }
    }

    @Test
    void manyVirtualThreadsBlockInChannelReadsAtOnce() throws Exception {
        List<ChannelPair> pairs = new ArrayList<>();
        List<FutureTask<Integer>> reads = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            ChannelPair pair = channelPair();
            pairs.add(pair);
            reads.add(start(() -> pair.server().read(ByteBuffer.allocate(10))));
        }
        assertEquals(7, virtualEcho(7));
        for (ChannelPair pair : pairs) {
            pair.client().write(Pattern.buffer(0, 5));
        }
        for (FutureTask<Integer> read : reads) {
            assertEquals(5, Patience.get("read", read));
        }
    }

    @Test
    void virtualThreadAcceptsAndConnects() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        FutureTask<SocketChannel> accept = start(listener::accept);
        FutureTask<SocketChannel> connect = start(() -> SocketChannel.open(testAddress(port(listener))));
        SocketChannel client = closing(Patience.get("connect", connect));
        SocketChannel server = closing(Patience.get("accept", accept));
        client.write(Pattern.buffer(0, 10));
        readPattern(server, 0, 10);
    }

    @Test
    void readOfAVirtualThreadTimesOut() throws Exception {
        Socket local = connectedSocket().local();
        local.setSoTimeout(60);
        FutureTask<Integer> read = start(() -> local.getInputStream().read());
        assertThrown(SocketTimeoutException.class, "Read timed out", cause(read));
    }

    /** That of a shared port stays on TCP. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void interruptOfAVirtualThreadInAnAcceptClosesTheServerSocket(boolean sharedPort) throws Exception {
        ServerSocket listener = closing(new ServerSocket());
        listener.setOption(StandardSocketOptions.SO_REUSEPORT, sharedPort);
        listener.bind(testAddress(0));
        FutureTask<Socket> accept = start(listener::accept);
        awaitWaiting();
        started.get(0).interrupt();
        assertThrown(SocketException.class, "Closed by interrupt", cause(accept));
        assertTrue(listener.isClosed());
        assertThrows(SocketException.class, "Socket is closed", listener::accept);
    }

    @Test
    void connectOfAnInterruptedVirtualThreadClosesTheSocket() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        Socket client = closing(new Socket());
        FutureTask<Void> connect = start(() -> {
            Thread.currentThread().interrupt();
            client.connect(testAddress(port(listener)));
            return null;
        });
        assertThrown(SocketException.class, "Closed by interrupt", cause(connect));
        assertTrue(client.isClosed());
    }

    @Test
    void interruptOfAVirtualThreadInASocketReadClosesTheSocket() throws Exception {
        Socket local = connectedSocket().local();
        FutureTask<Integer> read = start(() -> local.getInputStream().read());
        awaitWaiting();
        started.get(0).interrupt();
        assertThrown(SocketException.class, "Closed by interrupt", cause(read));
        assertTrue(local.isClosed());
    }

    @Test
    void interruptOfAVirtualThreadInAChannelReadClosesTheChannel() throws Exception {
        SocketChannel local = connectedChannel().local();
        FutureTask<Integer> read = start(() -> local.read(ByteBuffer.allocate(1)));
        awaitWaiting();
        started.get(0).interrupt();
        assertThrown(ClosedByInterruptException.class, null, cause(read));
        assertFalse(local.isOpen());
    }

    @Test
    void closeEndsTheBlockedReadOfAVirtualThread() throws Exception {
        Socket local = connectedSocket().local();
        FutureTask<Integer> read = start(() -> local.getInputStream().read());
        awaitWaiting();
        local.close();
        assertThrown(SocketException.class, "Socket closed", cause(read));
    }

    @Test
    void blockedWriteOfAVirtualThreadGoesOnWhenThePeerReads() throws Exception {
        SocketLink link = connectedSocket();
        FutureTask<Boolean> write = start(() -> {
            link.local().getOutputStream().write(Pattern.bytes(0, 16 << 20));
            return true;
        });
        awaitWaiting();
        link.remote().read(16 << 20);
        assertTrue(Patience.get("write", write));
    }

    @Test
    void largeWriteOfAVirtualThreadToAChannelReturnsWhatHasGone() throws Exception {
        ChannelLink link = connectedChannel();
        ByteBuffer[] source = {Pattern.buffer(0, 8 << 20), Pattern.buffer(8 << 20, 8 << 20)};
        long first = Patience.get("write", start(() -> link.local().write(source)));
        assertTrue(first > 0 && first < 16 << 20, () -> "written: " + first);
        FutureTask<Boolean> rest = start(() -> {
            while (source[1].hasRemaining()) {
                assertTrue(link.local().write(source[0].hasRemaining() ? source[0] : source[1]) > 0);
            }
            return true;
        });
        link.remote().read(16 << 20);
        assertTrue(Patience.get("rest", rest));
    }

    /** Shows that a carrier is free: a conversation between two more virtual threads. */
    private int virtualEcho(int value) throws Exception {
        ServerSocket listener = listeningSocket();
        start(() -> {
            try (Socket server = listener.accept()) {
                server.getOutputStream().write(server.getInputStream().read());
            }
            return true;
        });
        FutureTask<Integer> client = start(() -> {
            try (Socket socket = new Socket(TestHost.NAME, listener.getLocalPort())) {
                socket.getOutputStream().write(value);
                return socket.getInputStream().read();
            }
        });
        return Patience.get("client", client);
    }

    private <T> FutureTask<T> start(Callable<T> call) throws Exception {
        FutureTask<T> task = new FutureTask<>(call);
        started.add((Thread) startVirtualThread.invoke(null, task));
        return task;
    }

    private void awaitWaiting() {
        await("the virtual thread waits", () -> {
            Thread.State state = started.get(0).getState();
            return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
        });
    }

    private static Throwable cause(FutureTask<?> task) throws Exception {
        try {
            throw new AssertionError("returned normally: " + Patience.get("task", task));
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }
}
