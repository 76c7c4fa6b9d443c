package org.exsockets.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.exsockets.config.DirectMode;
import org.exsockets.connection.direct.DirectReadPolicy;
import org.exsockets.connection.direct.PostedReceives;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.ProgramMemory;
import org.exsockets.verbs.soft.SoftDevice;
import org.exsockets.verbs.soft.SoftDevices;
import org.exsockets.waiting.Outcome;
import org.exsockets.waiting.Wait;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Blocking reads whose buffers are advertised, over shared memory, both ends in this process. */
class DirectReadsTest {
    private static final EndpointParameters PARAMETERS = new EndpointParameters(64 << 10, 256 << 10, 16, 1, 1);
    private static final int LENGTH = 1 << 20;

    /** Of 60 resets, those in which the other thread had no core for milliseconds. */
    private static final int MOST_TAKEN = 6;

    private static final long SEED = Long.getLong("exs.test.seed", 1);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private SoftDevice device;
    private Endpoint endpoint;
    private ExsConnection connection;
    private ExsConnection peer;
    private ByteBuffer buffer;

    @BeforeEach
    void connect() throws Exception {
        device = SoftDevices.open();
        buffer = device.programAllocator().allocate(LENGTH);
        connectAgain();
        assumeTrue(advertisable() == LENGTH, "no native library");
    }

    private void connectAgain() throws Exception {
        ConnectedEndpoints ends = ConnectedEndpoints.onLoopback(device, PARAMETERS);
        endpoint = ends.connected();
        connection = new ExsConnection(endpoint);
        peer = new ExsConnection(ends.accepted());
    }

    /** {@return bytes of the buffer that peers can write to} */
    private int advertisable() {
        ProgramMemory memory = endpoint.direct().lease(buffer, 0, LENGTH);
        return memory == null ? 0 : memory.advertisable(buffer, 0, LENGTH);
    }

    @AfterEach
    void close() {
        DirectReadPolicy.configure(DirectMode.AUTO);
        connection.close(Close.ABORT);
        peer.close(Close.ABORT);
        threads.shutdownNow();
    }

    private static ByteBuffer pattern(int length, int salt) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(length);
        for (int i = 0; i < length; i++) {
            bytes.put(i, (byte) (i * 31 + (i >>> 8) + salt));
        }
        return bytes;
    }

    private static void assertPattern(ByteBuffer bytes, int length, int salt) {
        assertEquals(pattern(length, salt), bytes.duplicate().position(0).limit(length));
    }

    private Future<Integer> reading(ByteBuffer target, Wait wait) {
        return threads.submit(() -> connection.read(target, wait));
    }

    private void awaitAdvert() {
        while (!peer.progress.engine.outgoing.direct.hasAdverts()) {
            peer.progress.progress();
            Thread.onSpinWait();
        }
    }

    @Test
    void bytesGoStraightIntoTheBufferOfAReaderThatWaits() throws Exception {
        Future<Integer> read = reading(buffer, Wait.INTERRUPTIBLE);
        awaitAdvert();
        assertEquals(LENGTH, peer.write(pattern(LENGTH, 1), Wait.INTERRUPTIBLE));
        assertEquals(LENGTH, read.get());
        assertEquals(LENGTH, buffer.position());
        assertPattern(buffer, LENGTH, 1);
        assertEquals(LENGTH, connection.progress.traffic.bytesReceivedDirect);
        assertEquals(LENGTH, peer.progress.traffic.bytesSentDirect);
        assertEquals(0, peer.progress.traffic.bytesSentIndirect);
    }

    @Test
    void whatIsBeyondTheBufferGoesIndirectlyAndFollows() throws Exception {
        Future<Integer> read = reading(buffer.duplicate().limit(LENGTH / 2), Wait.INTERRUPTIBLE);
        awaitAdvert();
        Future<Integer> write = threads.submit(() -> peer.write(pattern(LENGTH, 2), Wait.INTERRUPTIBLE));
        assertEquals(LENGTH / 2, read.get());
        buffer.position(LENGTH / 2);
        while (buffer.hasRemaining()) {
            connection.read(buffer, Wait.INTERRUPTIBLE);
        }
        assertEquals(LENGTH, write.get());
        assertPattern(buffer, LENGTH, 2);
        assertTrue(connection.progress.traffic.bytesReceivedDirect >= LENGTH / 2);
        assertTrue(peer.progress.traffic.sendingPhases > 0 && connection.progress.traffic.receivingPhases > 0);
    }

    @Test
    void aReadThatTimesOutTakesItsBufferFromAPeerThatDoesNotAnswer() throws Exception {
        assertEquals(Outcome.TIMED_OUT, connection.read(buffer, Wait.ofTimeout(30, true)));
        ByteBuffer before = ByteBuffer.allocate(LENGTH).put(0, buffer, 0, LENGTH);
        // Only now the peer hears of the ADVERT, and of its CANCEL.
        assertEquals(1000, peer.write(pattern(1000, 3), Wait.NONE));
        ByteBuffer heap = ByteBuffer.allocate(2000);
        assertEquals(1000, connection.read(heap, Wait.INTERRUPTIBLE));
        assertPattern(heap, 1000, 3);
        assertEquals(before, buffer.duplicate().clear());
        assertEquals(1, connection.progress.traffic.cancelledAdverts);
        // And the stream is as before.
        peer.progress.progress();
        connection.progress.progress();
        assertEquals(1000, peer.write(pattern(1000, 4), Wait.NONE));
        assertEquals(1000, connection.read(heap.clear(), Wait.INTERRUPTIBLE));
        assertPattern(heap, 1000, 4);
        assertEquals(LENGTH, advertisable(), "the peer was not writing");
    }

    @Test
    void bytesGoStraightIntoTheBufferOfAReadBehindOnesThatThePeerHasNotAnswered() throws Exception {
        DirectReadPolicy.configure(DirectMode.ALWAYS);
        while (connection.progress.traffic.cancelledAdverts < 5) {
            assertEquals(Outcome.TIMED_OUT, connection.read(buffer, Wait.ofTimeout(1, true)));
        }
        Future<Integer> read = reading(buffer, Wait.INTERRUPTIBLE);
        awaitAdvert();
        assertEquals(LENGTH, peer.write(pattern(LENGTH, 6), Wait.INTERRUPTIBLE));
        assertEquals(LENGTH, read.get());
        assertPattern(buffer, LENGTH, 6);
        assertEquals(LENGTH, connection.progress.traffic.bytesReceivedDirect);
    }

    @Test
    void aReadThatTimesOutIsAnsweredByAPeerThatListens() throws Exception {
        Future<Integer> listening = threads.submit(() -> peer.read(ByteBuffer.allocate(1), Wait.INTERRUPTIBLE));
        assertEquals(Outcome.TIMED_OUT, connection.read(buffer, Wait.ofTimeout(30, true)));
        assertEquals(0, buffer.position());
        connection.write(ByteBuffer.allocate(1), Wait.NONE);
        assertEquals(1, listening.get());
    }

    @Test
    void anInterruptEndsAnAdvertisedRead() throws Exception {
        CompletableFuture<Boolean> status = new CompletableFuture<>();
        CompletableFuture<Integer> result = new CompletableFuture<>();
        Thread reader = new Thread(() -> {
            try {
                result.complete(connection.read(buffer, Wait.INTERRUPTIBLE));
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
            status.complete(Thread.currentThread().isInterrupted());
        });
        reader.start();
        awaitAdvert();
        reader.interrupt();
        assertEquals(Outcome.INTERRUPTED, result.get());
        assertTrue(status.get());
    }

    @ParameterizedTest
    @EnumSource(Close.class)
    void aCloseEndsAnAdvertisedRead(Close how) throws Exception {
        Future<Integer> read = reading(buffer, Wait.INTERRUPTIBLE);
        awaitAdvert();
        connection.close(how);
        assertEquals(Outcome.CLOSED, read.get());
        assertTrue(connection.awaitClosed(Long.MAX_VALUE));
        if (how == Close.ABORT) {
            assertThrows(SocketException.class, () -> peer.read(ByteBuffer.allocate(1), Wait.INTERRUPTIBLE));
        } else {
            assertEquals(Outcome.END_OF_STREAM, peer.read(ByteBuffer.allocate(1), Wait.INTERRUPTIBLE));
        }
        // The peer may try to write; the buffer does not change.
        ByteBuffer before = ByteBuffer.allocate(LENGTH).put(0, buffer, 0, LENGTH);
        peer.progress.engine.outgoing.trySend(pattern(LENGTH, 9));
        assertEquals(before, buffer.duplicate().clear());
    }

    @Test
    void anEndOfInputEndsAnAdvertisedRead() throws Exception {
        Future<Integer> read = reading(buffer, Wait.INTERRUPTIBLE);
        awaitAdvert();
        connection.shutdownInput();
        assertEquals(Outcome.END_OF_STREAM, read.get());
    }

    @Test
    void theEndOfTheStreamEndsAnAdvertisedRead() throws Exception {
        Future<Integer> read = reading(buffer, Wait.INTERRUPTIBLE);
        awaitAdvert();
        peer.shutdownOutput();
        assertEquals(Outcome.END_OF_STREAM, read.get());
    }

    @Test
    void aResetEndsAnAdvertisedRead() throws Exception {
        Future<Integer> read = reading(buffer, Wait.INTERRUPTIBLE);
        awaitAdvert();
        peer.close(Close.ABORT);
        Exception thrown = assertThrows(Exception.class, read::get);
        assertEquals("Connection reset", thrown.getCause().getMessage());
    }

    /**
     * The peer's writer may be in the middle of a write at any of the resets. One that is not given a core for a while loses
     * the buffer, but not sooner than it has had the time that it is given.
     */
    @Test
    void aBufferIsAdvertisedAsBeforeAfterAnyNumberOfResets() throws Exception {
        int taken = 0;
        DirectReadPolicy.configure(DirectMode.ALWAYS);
        SplittableRandom random = new SplittableRandom(SEED);
        ByteBuffer bytes = pattern(LENGTH, 8);
        for (int i = 0; i < 60; i++) {
            ExsConnection writer = peer;
            Future<Integer> reading = reading(buffer.duplicate().clear(), Wait.INTERRUPTIBLE);
            awaitAdvert();
            AtomicBoolean begun = new AtomicBoolean();
            Future<Integer> writing = threads.submit(() -> {
                begun.set(true);
                return writer.write(bytes.duplicate().clear(), Wait.INTERRUPTIBLE);
            });
            for (int spins = random.nextInt(20_000); spins > 0 || !begun.get(); spins--) {
                Thread.onSpinWait();
            }
            long resetNs = System.nanoTime();
            peer.close(Close.ABORT);
            ended(reading);
            long waitedNs = System.nanoTime() - resetNs;
            ended(writing);
            if (advertisable() != LENGTH) {
                String which = "seed=" + SEED + ", after reset " + i;
                assertTrue(waitedNs >= PostedReceives.ANSWER_LIMIT_NS, which + ": ns=" + waitedNs);
                assertTrue(++taken <= MOST_TAKEN, which);
                buffer = device.programAllocator().allocate(LENGTH);
            }
            connection.close(Close.ABORT);
            connectAgain();
        }
    }

    private static void ended(Future<Integer> call) throws Exception {
        try {
            call.get();
        } catch (ExecutionException reset) {
            assertEquals("Connection reset", reset.getCause().getMessage());
        }
    }

    @Test
    void neverMeansNever() throws Exception {
        DirectReadPolicy.configure(DirectMode.NEVER);
        Future<Integer> read = reading(buffer, Wait.INTERRUPTIBLE);
        peer.write(pattern(LENGTH, 1), Wait.NONE);
        assertTrue(read.get() > 0);
        assertEquals(0, connection.progress.traffic.bytesReceivedDirect);
        assertFalse(peer.progress.engine.outgoing.direct.hasAdverts());
    }

    /** Two threads at each end, so that all roles are played at once; reads of all sizes, some of which time out. */
    @ParameterizedTest
    @EnumSource(DirectMode.class)
    void bothDirectionsAtOnce(DirectMode mode) throws Exception {
        DirectReadPolicy.configure(mode);
        long bytes = 192L << 20;
        if (mode == DirectMode.ALWAYS) {
            Future<Integer> first = reading(buffer, Wait.INTERRUPTIBLE);
            awaitAdvert();
            peer.write(pattern(LENGTH, 1), Wait.INTERRUPTIBLE);
            assertEquals(LENGTH, first.get());
        }
        Future<?>[] all = {
            threads.submit(() -> writeAll(connection, bytes, 11)),
            threads.submit(() -> writeAll(peer, bytes, 12)),
            threads.submit(() -> readAll(connection, bytes, 12)),
            threads.submit(() -> readAll(peer, bytes, 11))
        };
        for (Future<?> each : all) {
            each.get();
        }
        System.out.println(mode + ": direct=" + connection.progress.traffic.bytesReceivedDirect + ", phases="
                + connection.progress.traffic.receivingPhases + ", cancelled="
                + connection.progress.traffic.cancelledAdverts
                + ", stale=" + connection.progress.traffic.staleAdverts);
        if (mode == DirectMode.ALWAYS) {
            // Of the rest, what a reader waits for.
            assertTrue(connection.progress.traffic.bytesReceivedDirect >= LENGTH);
        }
    }

    private static byte at(long position, int salt) {
        return (byte) ((position * 0x9E3779B97F4A7C15L >>> 40) + salt);
    }

    private Void writeAll(ExsConnection to, long bytes, int salt) throws Exception {
        SplittableRandom random = new SplittableRandom(SEED + salt);
        ByteBuffer source = ByteBuffer.allocateDirect(256 << 10);
        for (long sent = 0; sent < bytes; ) {
            int length = (int) Math.min(bytes - sent, 1 + random.nextInt(source.capacity()));
            source.clear().limit(length);
            for (int i = 0; i < length; i++) {
                source.put(i, at(sent + i, salt));
            }
            assertEquals(length, to.write(source, Wait.INTERRUPTIBLE));
            sent += length;
        }
        return null;
    }

    private Void readAll(ExsConnection from, long bytes, int salt) throws Exception {
        SplittableRandom random = new SplittableRandom(SEED - salt);
        ByteBuffer[] targets = {
            device.programAllocator().allocate(256 << 10),
            device.programAllocator().allocate(256 << 10),
            ByteBuffer.allocateDirect(64 << 10)
        };
        for (long received = 0; received < bytes; ) {
            ByteBuffer target = targets[random.nextInt(8) == 0 ? 2 : random.nextInt(2)];
            target.clear().limit(random.nextInt(4) == 0 ? 1 + random.nextInt(target.capacity()) : target.capacity());
            boolean timed = random.nextInt(4) == 0;
            int n = from.read(target, timed ? new Wait(1 + random.nextInt(50_000), true) : Wait.INTERRUPTIBLE);
            if (n == Outcome.TIMED_OUT) {
                continue;
            }
            assertTrue(n > 0 && n == target.position(), "seed=" + SEED + ", n=" + n);
            for (int i = 0; i < n; i++) {
                if (at(received + i, salt) != target.get(i)) {
                    throw new AssertionError("seed=" + SEED + ": byte " + (received + i) + " is wrong");
                }
            }
            received += n;
        }
        return null;
    }
}
