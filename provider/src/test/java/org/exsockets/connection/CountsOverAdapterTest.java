package org.exsockets.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.exsockets.config.SettingsReader;
import org.exsockets.observe.VerbsCounts;
import org.exsockets.observe.VerbsCounts.Count;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.disni.cm.RealDevice;
import org.exsockets.verbs.disni.data.DisniCompletionQueue;
import org.exsockets.verbs.disni.data.DisniQueuePair;
import org.exsockets.verbs.disni.memory.ConnectionSizes;
import org.exsockets.waiting.SpinLoop;
import org.exsockets.waiting.Wait;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What a message costs over an RDMA adapter, in calls of the device. Both ends are in one thread, whose reads spin. How
 * often they look in vain meanwhile depends on time: that is left out, and LooksTest has it.
 */
@Tag("rdma")
class CountsOverAdapterTest {
    private static final int DEPTH = 256;
    private static final EndpointParameters PARAMETERS = new EndpointParameters(256 << 10, 256 << 10, DEPTH, 1, 1);
    private static final int LENGTH = 64;
    private static final int MESSAGES = 2 * DEPTH;
    private static final int RECEIVES_AT_ONCE = 16;

    /** So many requests ask for a completion at most. */
    private static final int SIGNALED = MESSAGES / ConnectionSizes.usual().signalEvery() + 1;

    private final ByteBuffer source = ByteBuffer.allocateDirect(LENGTH);
    private final ByteBuffer target = ByteBuffer.allocateDirect(1024);
    private ExsConnection writer;
    private ExsConnection reader;
    private VerbsCounts ofWriter;
    private VerbsCounts ofReader;

    @BeforeEach
    void connect() throws IOException {
        SpinLoop.configure(SettingsReader.read(Map.of("spin", "999999999"), new Properties(), Map.of()));
        try (ServerSocket port = new ServerSocket(0, 0, new RealDevice.Place().host())) {
            InetSocketAddress server = (InetSocketAddress) port.getLocalSocketAddress();
            InetSocketAddress client = new InetSocketAddress(port.getInetAddress(), 10_000);
            ConnectedEndpoints ends = ConnectedEndpoints.over(RealDevice.get(), client, server, PARAMETERS);
            ofWriter = counts(ends.connected());
            ofReader = counts(ends.accepted());
            writer = new ExsConnection(ends.connected());
            reader = new ExsConnection(ends.accepted());
        }
    }

    private static VerbsCounts counts(Endpoint end) {
        return ((DisniQueuePair) end.queuePair()).counts();
    }

    @AfterEach
    void close() {
        SpinLoop.configure(SettingsReader.defaults());
        writer.close(Close.ABORT);
        reader.close(Close.ABORT);
    }

    private void pass(ExsConnection from, ExsConnection to) throws IOException {
        assertEquals(LENGTH, from.write(source.clear(), Wait.INTERRUPTIBLE));
        assertEquals(LENGTH, to.read(target.clear(), Wait.INTERRUPTIBLE));
    }

    /** What was counted since this was made. */
    private static final class Since {
        private final VerbsCounts now;
        private final long[] before = new long[Count.values().length];
        private final long crossingsBefore;

        Since(VerbsCounts counts) {
            now = counts;
            for (Count each : Count.values()) {
                before[each.ordinal()] = counts.get(each);
            }
            crossingsBefore = counts.crossings();
        }

        long of(Count count) {
            return now.get(count) - before[count.ordinal()];
        }

        long crossings() {
            return now.crossings() - crossingsBefore;
        }

        @Override
        public String toString() {
            StringBuilder all = new StringBuilder();
            for (Count each : Count.values()) {
                all.append(each).append('=').append(of(each)).append(' ');
            }
            return all.append("crossings=").append(crossings()).toString();
        }
    }

    @Test
    void aMessageIsOnePostOneFindAndASixteenthOfAPostOfReceives() throws IOException {
        Since first = new Since(ofWriter);
        Since second = new Since(ofReader);
        for (int i = 0; i < MESSAGES; i++) {
            pass(writer, reader);
            pass(reader, writer);
        }
        for (Since each : new Since[] {first, second}) {
            String told = each.toString();
            System.out.println(told);
            assertEquals(MESSAGES, each.of(Count.POST_SEND), told);
            assertEquals(MESSAGES, each.of(Count.RDMA_WRITE_WITH_IMM), told);
            assertEquals(MESSAGES, each.of(Count.INLINE), told);
            assertTrue(each.of(Count.SIGNALED) <= SIGNALED, told);
            assertEquals(MESSAGES, each.of(Count.RECEIVES), told);
            assertEquals(MESSAGES / RECEIVES_AT_ONCE, each.of(Count.POST_RECV), told);
            assertTrue(each.of(Count.POLL_CQ) - each.of(Count.EMPTY_POLLS) <= MESSAGES + SIGNALED, told);
            assertEquals(0, each.of(Count.REQ_NOTIFY_CQ), told);
            long most = 2 * MESSAGES + MESSAGES / RECEIVES_AT_ONCE + SIGNALED;
            assertTrue(each.crossings() - each.of(Count.EMPTY_POLLS) <= most, told);
        }
    }

    @Test
    void theDevicesThreadArmsOnlyIfNoSleeperHas() throws Exception {
        Since since = new Since(ofReader);
        DisniCompletionQueue completions = ((DisniQueuePair) reader.endpoint.queuePair()).completions();
        completions.requestNotification();
        completions.requestSolicited();
        assertEquals(1, since.of(Count.REQ_NOTIFY_CQ), "a sleeper has");

        assertEquals(LENGTH, writer.write(source.clear(), Wait.INTERRUPTIBLE));
        await(() -> since.of(Count.EVENTS) == 1, since);
        await(() -> since.of(Count.REQ_NOTIFY_CQ) == 2, since); // The grace is over, and nobody else has.

        completions.requestNotification();
        completions.requestSolicited();
        assertEquals(3, since.of(Count.REQ_NOTIFY_CQ), since.toString());
        assertEquals(LENGTH, reader.read(target.clear(), Wait.INTERRUPTIBLE));
    }

    private static void await(BooleanSupplier condition, Since since) throws InterruptedException {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - deadlineNs < 0, since.toString());
            Thread.sleep(1);
        }
    }

    @Test
    void aGatheringWriteIsOneRequest() throws IOException {
        ByteBuffer[] sources = {ByteBuffer.allocate(10), ByteBuffer.allocateDirect(200), ByteBuffer.allocate(300)};
        for (int i = 0; i < sources.length; i++) {
            for (int j = 0; j < sources[i].capacity(); j++) {
                sources[i].put(j, (byte) (100 * i + j));
            }
        }
        Since since = new Since(ofWriter);
        assertEquals(510, writer.write(sources, 0, sources.length, Wait.INTERRUPTIBLE));
        assertEquals(1, since.of(Count.POST_SEND), since.toString());
        assertEquals(1, since.of(Count.RDMA_WRITE_WITH_IMM), since.toString());
        assertEquals(510, reader.read(target.clear(), Wait.INTERRUPTIBLE));
        target.flip();
        for (int i = 0; i < sources.length; i++) {
            assertEquals(sources[i].clear(), target.slice(target.position(), sources[i].capacity()), "buffer " + i);
            target.position(target.position() + sources[i].capacity());
        }
    }

    @Test
    void gatheredBytesAreRightWhereverTheyLieInTheRing() throws IOException {
        byte[] expected = new byte[3 * 4001];
        ByteBuffer all = ByteBuffer.allocate(expected.length);
        for (int round = 0; round < 200; round++) {
            for (int i = 0; i < expected.length; i++) {
                expected[i] = (byte) (i * 31 + (i >> 7) + round);
            }
            ByteBuffer[] sources = new ByteBuffer[3];
            for (int i = 0; i < sources.length; i++) {
                sources[i] = ByteBuffer.wrap(expected, i * 4001, 4001);
            }
            assertEquals(expected.length, writer.write(sources, 0, sources.length, Wait.INTERRUPTIBLE));
            all.clear();
            while (all.hasRemaining()) {
                assertTrue(reader.read(all, Wait.INTERRUPTIBLE) > 0);
            }
            assertEquals(ByteBuffer.wrap(expected), all.flip(), "round " + round);
        }
    }
}
