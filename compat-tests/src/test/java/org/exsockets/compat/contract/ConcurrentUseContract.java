package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicLong;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.PeerJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Several readers and several writers on one connection, and the end of it while they are at work. */
@Tag("placed")
@Tag("fallback")
class ConcurrentUseContract extends Contract {
    private static final int THREADS = 3;
    private static final int CONNECTS = 40;
    private static final int LARGE_BYTES = 24 << 20;

    @Test
    void socketThatTwoThreadsConnectIsConnectedOnce() throws Exception {
        ServerSocket listener = closing(new ServerSocket());
        listener.bind(testAddress(0));
        CyclicBarrier start = new CyclicBarrier(2);
        for (int i = 0; i < CONNECTS; i++) {
            Socket socket = closing(new Socket());
            socket.setReuseAddress(true); // So that it exists: to create it is another race.
            Callable<Boolean> connect = () -> {
                start.await();
                try {
                    socket.connect(listener.getLocalSocketAddress());
                    return true;
                } catch (SocketException e) {
                    assertEquals("already connected", e.getMessage().toLowerCase(Locale.ROOT));
                    return false;
                }
            };
            Background<Boolean> other = Background.start(connect);
            assertTrue(connect.call() ^ other.result());
            listener.accept().close();
        }
        listener.setSoTimeout(100);
        assertThrows(SocketTimeoutException.class, "Accept timed out", listener::accept);
    }

    @Test
    void largeDirectWritesOfSeveralThreadsStayWhole() throws Exception {
        assertWritesStayWhole(1_500_000, true);
    }

    @Test
    void largeHeapWritesOfSeveralThreadsStayWhole() throws Exception {
        assertWritesStayWhole(100_000, false);
    }

    private void assertWritesStayWhole(int length, boolean direct) throws Exception {
        ChannelPair pair = channelPair();
        List<Background<Integer>> writers = new ArrayList<>();
        for (int writer = 1; writer <= THREADS; writer++) {
            ByteBuffer source = direct ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
            source.put(filled(length, writer)).flip();
            writers.add(Background.start(() -> pair.client().write(source)));
        }
        assertWhole(receive(pair.server(), THREADS * length), length);
        for (Background<Integer> writer : writers) {
            assertEquals(length, writer.result());
        }
    }

    @Test
    void largeWritesOfSeveralThreadsToAStreamAllArrive() throws Exception {
        SocketPair pair = socketPair();
        int length = 1_000_000;
        List<Background<Boolean>> writers = new ArrayList<>();
        for (int writer = 1; writer <= THREADS; writer++) {
            byte[] bytes = filled(length, writer);
            writers.add(Background.start(() -> {
                pair.client().getOutputStream().write(bytes);
                return true;
            }));
        }
        byte[] received = pair.server().getInputStream().readNBytes(THREADS * length);
        int[] counts = new int[THREADS + 1];
        for (byte each : received) {
            counts[each]++;
        }
        for (int writer = 1; writer <= THREADS; writer++) {
            assertEquals(length, counts[writer]);
            assertEquals(true, writers.get(writer - 1).result());
        }
    }

    @Test
    void gatheringWritesOfSeveralThreadsStayWhole() throws Exception {
        ChannelPair pair = channelPair();
        int pieces = 10;
        int length = 30_000;
        List<Background<Long>> writers = new ArrayList<>();
        for (int writer = 1; writer <= THREADS; writer++) {
            ByteBuffer[] sources = new ByteBuffer[pieces];
            for (int i = 0; i < pieces; i++) {
                sources[i] = ByteBuffer.allocateDirect(length / pieces)
                        .put(filled(length / pieces, writer))
                        .flip();
            }
            writers.add(Background.start(() -> pair.client().write(sources)));
        }
        assertWhole(receive(pair.server(), THREADS * length), length);
        for (Background<Long> writer : writers) {
            assertEquals(length, writer.result());
        }
    }

    @Test
    void bothDirectionsCarryBytesOfSeveralThreadsAtOnce() throws Exception {
        ChannelPair pair = channelPair();
        int each = 4_000_000;
        List<Background<Long>> all = new ArrayList<>();
        for (SocketChannel end : new SocketChannel[] {pair.client(), pair.server()}) {
            AtomicLong left = new AtomicLong((long) THREADS * each);
            for (int thread = 0; thread < THREADS; thread++) {
                all.add(Background.start(() -> writeAll(end, each)));
                all.add(Background.start(() -> readWhileAnyIsLeft(end, left)));
            }
        }
        // Readers that wait when everything has come are ended by the end of the stream.
        for (int i = 0; i < all.size(); i += 2) {
            assertEquals(each, all.get(i).result());
        }
        pair.client().shutdownOutput();
        pair.server().shutdownOutput();
        long read = 0;
        for (int i = 1; i < all.size(); i += 2) {
            read += all.get(i).result();
        }
        assertEquals(2L * THREADS * each, read);
    }

    @Test
    void closeEndsEveryReaderAndEveryWriter() throws Exception {
        ChannelLink link = connectedChannel();
        List<Background<Integer>> blocked = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            blocked.add(Background.start(() -> link.local().read(ByteBuffer.allocate(10))));
            blocked.add(Background.start(() -> writeForEver(link.local())));
        }
        for (Background<Integer> each : blocked) {
            each.awaitBlockedIn(blocked.indexOf(each) % 2 == 0 ? "read" : "write");
        }
        link.local().close();
        for (Background<Integer> each : blocked) {
            assertInstanceOf(ClosedChannelException.class, each.thrown());
        }
    }

    @Test
    void interruptOfOneReaderEndsAllReadersAndWriters() throws Exception {
        ChannelLink link = connectedChannel();
        Background<Integer> interrupted = Background.start(() -> link.local().read(ByteBuffer.allocate(10)));
        interrupted.awaitBlockedIn("read");
        Background<Integer> reader = Background.start(() -> link.local().read(ByteBuffer.allocate(10)));
        Background<Integer> writer = Background.start(() -> writeForEver(link.local()));
        reader.awaitBlockedIn("read");
        writer.awaitBlockedIn("write");
        interrupted.thread().interrupt();
        assertEquals(ClosedByInterruptException.class, interrupted.thrown().getClass());
        assertInstanceOf(ClosedChannelException.class, reader.thrown());
        assertInstanceOf(ClosedChannelException.class, writer.thrown());
        assertFalse(link.local().isOpen());
    }

    @Test
    void closeOfASocketEndsEveryReaderAndEveryWriter() throws Exception {
        SocketLink link = connectedSocket();
        InputStream in = link.local().getInputStream();
        OutputStream out = link.local().getOutputStream();
        List<Background<Integer>> blocked = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            blocked.add(Background.start(in::read));
            blocked.add(Background.start(() -> {
                while (true) {
                    out.write(new byte[LARGE_BYTES]);
                }
            }));
        }
        for (Background<Integer> each : blocked) {
            each.awaitBlockedIn(blocked.indexOf(each) % 2 == 0 ? "read" : "write");
        }
        link.local().close();
        for (Background<Integer> each : blocked) {
            assertThrown(SocketException.class, "Socket closed", each);
        }
    }

    @Test
    void endOfTheStreamEndsEveryReader() throws Exception {
        ChannelLink link = connectedChannel();
        List<Background<Integer>> readers = blockedReaders(link);
        link.remote().shutdownOutput();
        for (Background<Integer> reader : readers) {
            assertEquals(-1, reader.result());
        }
    }

    @Test
    void shutdownOfTheInputEndsEveryReader() throws Exception {
        ChannelLink link = connectedChannel();
        List<Background<Integer>> readers = blockedReaders(link);
        link.local().shutdownInput();
        for (Background<Integer> reader : readers) {
            assertEquals(-1, reader.result());
        }
        assertTrue(link.local().isOpen());
    }

    @Test
    void resetByThePeerEndsEveryReader() throws Exception {
        ChannelLink link = connectedChannel();
        List<Background<Integer>> readers = blockedReaders(link);
        link.remote().abort();
        for (Background<Integer> reader : readers) {
            assertThrown(SocketException.class, "Connection reset", reader);
        }
    }

    @Test
    void resetByThePeerEndsEveryWriter() throws Exception {
        ChannelLink link = connectedChannel();
        List<Background<Integer>> writers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            writers.add(Background.start(() -> writeForEver(link.local())));
        }
        for (Background<Integer> writer : writers) {
            writer.awaitBlockedIn("write");
        }
        link.remote().abort();
        int resets = 0;
        for (Background<Integer> writer : writers) {
            Throwable thrown = writer.thrown();
            assertEquals(IOException.class, thrown.getClass());
            resets += thrown.getMessage().equals("Connection reset by peer") ? 1 : 0;
            assertTrue(thrown.getMessage().matches("Connection reset by peer|Broken pipe"), thrown::getMessage);
        }
        assertEquals(1, resets);
    }

    /** {@return more than a transport holds, of which a peer can check the first byte} */
    private static ByteBuffer large() {
        return ByteBuffer.allocateDirect(LARGE_BYTES).put(Pattern.bytes(0, 1)).rewind();
    }

    @Test
    void writeThatIsClosedInTheMiddleReportsWhatWasTaken() throws Exception {
        ChannelLink link = connectedChannel();
        ByteBuffer source = large();
        Background<Integer> write = Background.start(() -> link.local().write(source));
        link.remote().read(1);
        write.awaitBlockedIn("write");
        link.local().close();
        int written = write.result();
        assertTrue(written > 0 && written < LARGE_BYTES, () -> "written=" + written);
        assertEquals(written, source.position());
    }

    @Test
    void writeThatIsResetInTheMiddleReportsWhatWasTaken() throws Exception {
        ChannelLink link = connectedChannel();
        ByteBuffer source = large();
        Background<Integer> write = Background.start(() -> link.local().write(source));
        link.remote().read(1);
        write.awaitBlockedIn("write");
        link.remote().abort();
        int written = write.result();
        assertTrue(written > 0 && written < LARGE_BYTES, () -> "written=" + written);
        assertEquals(written, source.position());
        assertThrows(
                IOException.class,
                "Connection reset by peer",
                () -> link.local().write(source));
        assertThrows(IOException.class, "Broken pipe", () -> link.local().write(source));
    }

    @Test
    void gatheringWriteThatIsClosedInTheMiddleReportsWhatWasTaken() throws Exception {
        ChannelLink link = connectedChannel();
        ByteBuffer[] sources = {Pattern.buffer(0, 1000), ByteBuffer.allocateDirect(LARGE_BYTES)};
        Background<Long> write = Background.start(() -> link.local().write(sources));
        link.remote().read(1000);
        write.awaitBlockedIn("write");
        link.local().close();
        long written = write.result();
        assertTrue(written > 1000 && written < LARGE_BYTES, () -> "written=" + written);
        assertEquals(written, sources[0].position() + sources[1].position());
    }

    @Test
    void writeThatIsInterruptedInTheMiddleReportsTheInterrupt() throws Exception {
        ChannelLink link = connectedChannel();
        ByteBuffer source = ByteBuffer.allocateDirect(LARGE_BYTES);
        Background<Integer> write = Background.start(() -> link.local().write(source));
        write.awaitBlockedIn("write").thread().interrupt();
        assertThrown(ClosedByInterruptException.class, null, write);
    }

    @Test
    void writeOfASocketThatIsClosedInTheMiddleFails() throws Exception {
        SocketLink link = connectedSocket();
        Background<Boolean> write = Background.start(() -> {
            link.local().getOutputStream().write(new byte[LARGE_BYTES]);
            return true;
        });
        write.awaitBlockedIn("write");
        link.local().close();
        assertThrown(SocketException.class, "Socket closed", write);
    }

    @Test
    void writeOfASocketThatIsResetInTheMiddleFails() throws Exception {
        SocketLink link = connectedSocket();
        Background<Boolean> write = Background.start(() -> {
            link.local().getOutputStream().write(new byte[LARGE_BYTES]);
            return true;
        });
        write.awaitBlockedIn("write");
        link.remote().abort();
        Throwable thrown = write.thrown();
        assertEquals(SocketException.class, thrown.getClass());
        assertTrue(thrown.getMessage().matches("Connection reset by peer|Connection reset|Broken pipe"));
    }

    @Test
    void closeOfOneConnectionDoesNotTouchAnother() throws Exception {
        ChannelLink one = connectedChannel();
        ChannelLink other = connectedChannel();
        Background<Integer> doomed = Background.start(() -> one.local().read(ByteBuffer.allocate(10)));
        Background<Integer> spared = Background.start(() -> other.local().read(ByteBuffer.allocate(10)));
        doomed.awaitBlockedIn("read");
        spared.awaitBlockedIn("read");
        one.local().close();
        assertInstanceOf(ClosedChannelException.class, doomed.thrown());
        other.remote().write(5);
        assertEquals(5, spared.result());
    }

    @Test
    void waitingReadersGetTheirBytesOneAfterTheOther() throws Exception {
        ChannelLink link = connectedChannel();
        List<Background<Integer>> readers = blockedReaders(link);
        for (int i = 0; i < THREADS; i++) {
            link.remote().write(10);
            int done = i + 1;
            await(
                    "a reader is served",
                    () -> readers.stream().filter(Background::isDone).count() == done);
        }
        for (Background<Integer> reader : readers) {
            assertEquals(10, reader.result());
        }
    }

    @Test
    void blockedWriterGoesOnWhileAnotherThreadReads() throws Exception {
        ChannelLink link = connectedChannel();
        CompletableFuture<String> echo = link.remote().startEcho();
        Background<Long> writer = Background.start(() -> {
            long written = writeAll(link.local(), LARGE_BYTES);
            link.local().shutdownOutput();
            return written;
        });
        readPattern(link.local(), 0, LARGE_BYTES);
        assertEquals(LARGE_BYTES, writer.result());
        assertEquals(-1, link.local().read(ByteBuffer.allocate(1)));
        assertEquals(LARGE_BYTES, Long.parseLong(PeerJvm.await(echo)));
    }

    private static List<Background<Integer>> blockedReaders(ChannelLink link) throws Exception {
        List<Background<Integer>> readers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            readers.add(Background.start(() -> link.local().read(ByteBuffer.allocate(10))));
        }
        for (Background<Integer> reader : readers) {
            reader.awaitBlockedIn("read");
        }
        return readers;
    }

    private static long writeAll(SocketChannel channel, int length) throws IOException {
        ByteBuffer source = ByteBuffer.allocateDirect(100_000);
        long written = 0;
        while (written < length) {
            int n = (int) Math.min(source.capacity(), length - written);
            source.clear().put(Pattern.bytes(written, n)).flip();
            writeFully(channel, source);
            written += n;
        }
        return written;
    }

    private static long readWhileAnyIsLeft(SocketChannel channel, AtomicLong left) throws IOException {
        ByteBuffer target = ByteBuffer.allocateDirect(70_000);
        long read = 0;
        while (left.get() > 0) {
            int n = channel.read(target.clear());
            if (n < 0) {
                break;
            }
            left.addAndGet(-n);
            read += n;
        }
        return read;
    }

    private static int writeForEver(SocketChannel channel) throws IOException {
        ByteBuffer source = ByteBuffer.allocateDirect(1 << 20);
        while (true) {
            channel.write(source.clear());
        }
    }

    private static byte[] receive(SocketChannel channel, int length) throws IOException {
        ByteBuffer received = ByteBuffer.allocate(length);
        readFully(channel, received);
        return received.array();
    }

    private static void assertWhole(byte[] received, int length) {
        for (int at = 0; at < received.length; at += length) {
            for (int i = 1; i < length; i++) {
                if (received[at] != received[at + i]) {
                    throw new AssertionError("a write was torn: at=" + (at + i));
                }
            }
        }
    }
}
