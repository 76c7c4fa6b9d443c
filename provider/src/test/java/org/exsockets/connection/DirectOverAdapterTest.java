package org.exsockets.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.exsockets.config.DirectMode;
import org.exsockets.connection.direct.DirectReadPolicy;
import org.exsockets.connection.direct.RegisteredWrites;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.disni.cm.RealDevice;
import org.exsockets.waiting.Outcome;
import org.exsockets.waiting.Wait;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Blocking reads and writes of registered memory over an RDMA adapter, both ends in this process. */
@Tag("rdma")
class DirectOverAdapterTest {
    private static final EndpointParameters PARAMETERS = new EndpointParameters(512 << 10, 512 << 10, 16, 1, 1);
    private static final int LENGTH = RegisteredWrites.MIN_BYTES;
    private static final int ROUNDS = 20;
    private static final long MOST_FOR_ADVERT_NS = TimeUnit.MILLISECONDS.toNanos(200);

    /** The JVM does not tell here what it frees: kept for good. */
    private static final ByteBuffer SOURCE = ByteBuffer.allocateDirect(LENGTH);

    private static final ByteBuffer TARGET = ByteBuffer.allocateDirect(LENGTH);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private ExsConnection reader;
    private ExsConnection writer;

    @BeforeEach
    void connect() throws IOException {
        DirectReadPolicy.configure(DirectMode.ALWAYS);
        open();
    }

    private void open() throws IOException {
        try (ServerSocket port = new ServerSocket(0, 0, new RealDevice.Place().host())) {
            InetSocketAddress server = (InetSocketAddress) port.getLocalSocketAddress();
            InetSocketAddress client = new InetSocketAddress(port.getInetAddress(), 10_000);
            ConnectedEndpoints ends = ConnectedEndpoints.over(RealDevice.get(), client, server, PARAMETERS);
            writer = new ExsConnection(ends.connected());
            reader = new ExsConnection(ends.accepted());
        }
    }

    @AfterEach
    void close() {
        DirectReadPolicy.configure(DirectMode.AUTO);
        writer.close(Close.ABORT);
        reader.close(Close.ABORT);
        threads.shutdownNow();
    }

    private void connectAgain() throws IOException {
        writer.close(Close.ABORT);
        reader.close(Close.ABORT);
        open();
    }

    private static ByteBuffer fill(int salt) {
        for (int i = 0; i < LENGTH; i++) {
            SOURCE.put(i, (byte) (i * 31 + (i >>> 8) + salt));
        }
        return SOURCE.clear();
    }

    private static void assertTargetHas(int salt) {
        for (int i = 0; i < LENGTH; i++) {
            if (TARGET.get(i) != (byte) (i * 31 + (i >>> 8) + salt)) {
                assertEquals((byte) (i * 31 + (i >>> 8) + salt), TARGET.get(i), "at " + i);
            }
        }
    }

    private Future<Void> readingAll() {
        return threads.submit(() -> {
            TARGET.clear();
            while (TARGET.hasRemaining()) {
                assertTrue(reader.read(TARGET, Wait.INTERRUPTIBLE) > 0);
            }
            return null;
        });
    }

    /** Ends with an exception when the time for the test is up. */
    private static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            Thread.onSpinWait();
        }
    }

    /** The first read of new memory is not advertised. */
    private void giveTimeToAdvertise() {
        long startNs = System.nanoTime();
        while (!writer.progress.engine.outgoing.direct.hasAdverts()
                && System.nanoTime() - startNs < MOST_FOR_ADVERT_NS) {
            writer.progress.progress();
            Thread.onSpinWait();
        }
    }

    @Test
    void bytesGoFromMemoryToMemoryAndTheSourceIsFreeAtOnce() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            fill(round);
            Future<Void> read = readingAll();
            if (round % 2 == 0) {
                giveTimeToAdvertise();
            }
            assertEquals(LENGTH, writer.write(SOURCE, Wait.INTERRUPTIBLE));
            fill(-1 - round);
            read.get();
            assertTargetHas(round);
        }
        assertTrue(reader.progress.traffic.bytesReceivedDirect >= LENGTH, reader.progress.traffic.toString());
        assertEquals(reader.progress.traffic.bytesReceivedDirect, writer.progress.traffic.bytesSentDirect);
    }

    @Test
    void bytesGoFromMemoryToTheHiddenBufferWithoutAReader() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            fill(round);
            assertEquals(LENGTH, writer.write(SOURCE, Wait.INTERRUPTIBLE));
            fill(-1 - round);
            readingAll().get();
            assertTargetHas(round);
        }
    }

    @Test
    void aWriteWhosePeerIsLostEndsAndTheSourceIsFree() throws Exception {
        for (int round = 0; round < 3; round++) {
            writer.write(fill(round), Wait.INTERRUPTIBLE);
            readingAll().get();
        }
        Future<?> write = threads.submit(() -> {
            while (true) {
                writer.write(SOURCE.clear(), Wait.INTERRUPTIBLE);
            }
        });
        await(() -> writer.progress.traffic.bytesSentIndirect + writer.progress.traffic.bytesSentDirect >= 4L * LENGTH);
        reader.close(Close.ABORT);
        assertThrows(Exception.class, write::get);
        assertEquals(0, writer.endpoint.queuePair().unfinishedWrites());
    }

    /** From then on the memory is registered, and the next read is advertised: one that came directly is the last. */
    private void moveSome() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            long directlyBefore = reader.progress.traffic.bytesReceivedDirect;
            fill(round);
            Future<Void> read = readingAll();
            giveTimeToAdvertise();
            writer.write(SOURCE, Wait.INTERRUPTIBLE);
            read.get();
            if (reader.progress.traffic.bytesReceivedDirect - directlyBefore == LENGTH) {
                return;
            }
        }
        fail("no read was advertised in time: " + reader.progress.traffic);
    }

    /** The peer's program does nothing on the connection all the while: its background thread answers. */
    @ParameterizedTest
    @EnumSource(names = {"AUTO", "ALWAYS"})
    void anInterruptedReadIsAnsweredForAPeerThatIsBusyElsewhere(DirectMode mode) throws Exception {
        DirectReadPolicy.configure(mode);
        moveSome();
        for (int round = 1; round <= 3; round++) {
            AtomicReference<Thread> blocked = new AtomicReference<>();
            Future<Integer> read = threads.submit(() -> {
                blocked.set(Thread.currentThread());
                return reader.read(TARGET.clear(), Wait.INTERRUPTIBLE);
            });
            await(reader.receives()::isActive);
            blocked.get().interrupt();
            assertEquals(Outcome.INTERRUPTED, read.get());
            assertEquals(1, reader.progress.traffic.cancelledAdverts);
            assertFalse(reader.progress.life.isHungUp());
            // A read that got nothing is not advertised again for a while.
            connectAgain();
            moveSome();
        }
        fill(7);
        Future<Void> read = readingAll();
        writer.write(SOURCE, Wait.INTERRUPTIBLE);
        read.get();
        assertTargetHas(7);
    }

    /** The peer's program is stopped, as far as the connection can tell: it handles no message. */
    @Test
    void aReadThatTimesOutLosesAPeerThatDoesNotAnswerAndKeepsItsMemory() throws Exception {
        moveSome();
        writer.progress.enterPolling(); // Nobody else answers, either.
        try {
            assertThrows(SocketException.class, () -> reader.read(TARGET.clear(), Wait.ofTimeout(100, true)));
        } finally {
            writer.progress.leavePolling();
        }
        for (int i = 0; i < LENGTH; i++) {
            TARGET.put(i, (byte) 99);
        }
        // The peer comes back, and writes to what it had been told.
        try {
            writer.write(fill(7), Wait.INTERRUPTIBLE);
        } catch (IOException reset) {
            // It may have heard already.
        }
        for (int i = 0; i < LENGTH; i++) {
            assertEquals((byte) 99, TARGET.get(i));
        }
    }
}
