package org.exsockets.verbs.disni.cm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.exsockets.verbs.CompletionChannel;
import org.exsockets.verbs.CompletionQueue;
import org.exsockets.verbs.ConnectFailure;
import org.exsockets.verbs.ConnectFailure.Kind;
import org.exsockets.verbs.DeviceListener;
import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.QueuePair;
import org.exsockets.verbs.WorkCompletion;
import org.exsockets.verbs.WorkCompletion.Status;
import org.exsockets.verbs.WorkRequest;
import org.exsockets.verbs.disni.memory.ConnectionSizes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Drivers of adapters that are not at hand, imitated by {@code compat-tests/rxe/manners.c} on soft-RoCE, in a process with
 * a limit of locked memory: each serves, or is known not to. Run by {@code lanes device}.
 */
@Tag("manners")
class AdapterMannersTest {
    private static final int EXPOSED_BYTES = 64 << 10;
    private static final int DEPTH = ConnectionSizes.usual().receiveDepth();
    private static final EndpointParameters PARAMETERS = new EndpointParameters(EXPOSED_BYTES, DEPTH, 1, 1);
    private static final int[] LENGTHS = {0, 1, 64, 65, 96, 97, 101, 102, 128, 129, 256, 257, 5000};
    private static final int LIMIT_MS = 20_000;
    private static final int FLOOD = 3_000;

    private final List<Endpoint> endpoints = new ArrayList<>();
    private ServerSocket port;
    private DisniDevice device;
    private DeviceListener listener;

    private record Pair(Endpoint a, Endpoint b) {}

    @BeforeEach
    void theImitationIsThere() throws IOException {
        assertNotNull(System.getenv("MANNERS"), "run by compat-tests/rxe/lanes device, which preloads manners.c");
        port = new ServerSocket(0, 0, new RealDevice.Place().host());
    }

    @AfterEach
    void end() throws IOException {
        for (Endpoint endpoint : endpoints) {
            endpoint.queuePair().disconnect(DisconnectReason.ORDERLY, 0);
            endpoint.release();
        }
        if (device != null) {
            listener.close();
            device.close();
        }
        port.close();
    }

    /** A device of its own, which knows nothing of the adapter. */
    private void open(String manners) throws IOException {
        Files.writeString(Path.of(System.getenv("MANNERS")), manners);
        device = RealDevice.open(RealDevice.CONNECT_TIMEOUT_MS);
        listener = device.listen((InetSocketAddress) port.getLocalSocketAddress(), false, 50, PARAMETERS);
    }

    private Pair connect() throws IOException {
        InetSocketAddress from = new InetSocketAddress(port.getInetAddress(), 0);
        InetSocketAddress to = (InetSocketAddress) port.getLocalSocketAddress();
        Endpoint a = device.connect(from, to, PARAMETERS, LIMIT_MS, null);
        endpoints.add(a);
        Endpoint b = waitFor(listener::tryAccept);
        endpoints.add(b);
        return new Pair(a, b);
    }

    private static <T> T waitFor(Callable<T> attempt) {
        try {
            for (T result; !Thread.interrupted(); Thread.yield()) {
                if ((result = attempt.call()) != null) {
                    return result;
                }
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        throw new AssertionError("waited for in vain");
    }

    private static WorkCompletion poll(Endpoint end) {
        return waitFor(() -> tryPoll(end));
    }

    private static @Nullable WorkCompletion tryPoll(Endpoint end) {
        CompletionQueue queue = end.queuePair().completionQueue();
        WorkCompletion completion = new WorkCompletion();
        return !queue.isEmpty() && queue.poll(completion) ? completion : null;
    }

    private static WorkRequest write(Endpoint from, byte[] payload) {
        return new WorkRequest()
                .write(
                        ByteBuffer.wrap(payload),
                        0,
                        payload.length,
                        from.remote().address(),
                        from.remote().key());
    }

    private static WorkRequest withImmediate(Endpoint from, byte[] payload, int immediate) {
        return new WorkRequest()
                .writeWithImmediate(
                        ByteBuffer.wrap(payload),
                        0,
                        payload.length,
                        from.remote().address(),
                        from.remote().key(),
                        immediate);
    }

    private static void postReceive(Endpoint end) {
        assertTrue(end.queuePair().postReceive(1, ByteBuffer.allocate(64), 0, 40));
    }

    private static void assertBothWays(Pair pair) {
        assertArrives(pair.a, pair.b);
        assertArrives(pair.b, pair.a);
    }

    private static void assertArrives(Endpoint from, Endpoint to) {
        for (int length : LENGTHS) {
            byte[] payload = new byte[length];
            for (int i = 0; i < length; i++) {
                payload[i] = (byte) (length + i);
            }
            assertEquals(QueuePair.POSTED, write(from, payload).postTo(from.queuePair()));
            postReceive(to);
            assertEquals(QueuePair.POSTED, withImmediate(from, payload, length).postTo(from.queuePair()));
            WorkCompletion completion = poll(to);
            assertEquals(Status.SUCCESS, completion.status, completion.detail);
            assertEquals(length, completion.immediate);
            byte[] arrived = new byte[length];
            to.exposed().get(0, arrived);
            assertArrayEquals(payload, arrived);
        }
        postReceive(to);
        int posted = from.queuePair().send(ByteBuffer.allocate(40), 0, 40, false);
        assertEquals(QueuePair.POSTED, posted);
        assertEquals(40, poll(to).byteLength);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "soft-RoCE itself,             ''",
        "bnxt_re: no errno,            inline 96 refusal 0",
        "before rdma-core 34: ENOMEM,  inline 96 refusal 12",
        "qedr: EINVAL,                 inline 128 refusal 22",
        "hns and irdma: less is told,  inline 101 clamp 1",
        "nothing inline,               inline 0 refusal 22",
        "ENOSYS,                       inline 64 refusal 38",
        "T6 and eRDMA: iWARP with it,  transport 1",
        "late completions,             late 50",
        "memory is lacking at first,   inline 96 refusal 0 qp 12 times 1",
    })
    void itServes(String driver, String manners) throws IOException {
        open(manners);
        Pair pair = connect();
        assertEquals(DEPTH, pair.a.receiveDepth());
        assertBothWays(pair);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "bnxt_re: told and cut in silence, told 100 requests 100 clamp 1",
        "told and refused,                 told 100 requests 100 refusal 22",
        "refused without an errno,         requests 100 refusal 0",
        "refused at one end,               requests 100 refusal 22 after 1",
    })
    void itServesWithShorterQueues(String driver, String manners) throws IOException {
        open(manners);
        Pair pair = connect();
        assertTrue(pair.a.receiveDepth() < DEPTH, "depth=" + pair.a.receiveDepth());
        assertEquals(pair.a.receiveDepth(), pair.b.receiveDepth());
        assertBothWays(pair);
        for (int sent = 0; sent <= 2 * DEPTH; sent += pair.a.receiveDepth()) {
            assertFull(pair.a, pair.b);
            assertFull(pair.b, pair.a);
        }
    }

    /** As many messages as may be under way arrive. */
    private static void assertFull(Endpoint from, Endpoint to) {
        for (int i = 0; i < from.receiveDepth(); i++) {
            postReceive(to);
            assertEquals(QueuePair.POSTED, postWhenThereIsRoom(from, withImmediate(from, new byte[8], i)));
        }
        for (int i = 0; i < from.receiveDepth(); i++) {
            assertEquals(i, poll(to).immediate);
        }
    }

    @Test
    void lateCompletionsHoldBackALongStreamNoLongerThanTheyTake() throws IOException {
        open("late 20");
        Pair pair = connect();
        WorkRequest request = write(pair.a, new byte[1000]);
        for (int i = 0; i < FLOOD; i++) {
            assertEquals(QueuePair.POSTED, postWhenThereIsRoom(pair.a, request));
        }
        postReceive(pair.b);
        assertEquals(QueuePair.POSTED, postWhenThereIsRoom(pair.a, withImmediate(pair.a, new byte[1], 7)));
        assertEquals(7, poll(pair.b).immediate);
    }

    private static int postWhenThereIsRoom(Endpoint end, WorkRequest request) {
        return waitFor(() -> {
            int posted = request.postTo(end.queuePair());
            return posted == QueuePair.QUEUE_FULL ? null : posted;
        });
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "no memory for queue pairs,              qp 12",
        "no memory for queue pairs: EAGAIN,      qp 11",
        "no memory for completion queues,        cq 12",
        "none left for the listener's,           after 1 qp 12",
    })
    void withALimitOfLockedMemoryItIsThatWhichIsLacking(String lack, String manners) throws IOException {
        open(manners);
        ConnectFailure failure = assertThrows(ConnectFailure.class, this::connect);
        assertEquals(Kind.LOCKED_MEMORY, failure.kind(), failure.getMessage());
    }

    @Test
    void queuesThatAreRefusedAtAnyLengthAreAFailure() throws IOException {
        open("requests 20 refusal 22");
        ConnectFailure failure = assertThrows(ConnectFailure.class, this::connect);
        assertEquals(Kind.FAILED, failure.kind(), failure.getMessage());
    }

    @Test
    void ofIwarpAdaptersThoseWithoutImmediatesAreNotUsed() throws IOException {
        open("transport 1 immediates 0");
        for (int i = 0; i < 2; i++) {
            ConnectFailure failure = assertThrows(ConnectFailure.class, this::connect);
            assertEquals(Kind.NO_ROUTE, failure.kind());
            assertTrue(failure.getMessage().contains("rxe0 cannot be used: it is an iWARP"), failure.getMessage());
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "EFA,          transport 4, rxe0: it has no reliable connections",
        "short queues, told 20,     rxe0: its queues are too short",
    })
    void anAdapterThatCannotServeIsNotTried(String adapter, String manners, String why) {
        IOException failure = assertThrows(IOException.class, () -> open(manners));
        assertTrue(failure.getMessage().contains(why), failure.getMessage());
    }

    @ParameterizedTest
    @CsvSource({"13, RNR_RETRY_EXC_ERR", "12, RETRY_EXC_ERR", "10, REM_ACCESS_ERR", "4, FATAL_ERR"})
    void aFailedRequestTellsWhatTheAdapterSays(int status, Status expected) throws IOException {
        open("send " + status);
        Pair pair = connect();
        WorkRequest request = write(pair.a, new byte[1000]);
        WorkCompletion completion = waitFor(() -> {
            request.postTo(pair.a.queuePair());
            return tryPoll(pair.a);
        });
        assertEquals(expected, completion.status);
        assertTells(completion, "of a RDMA_WRITE, ibv_wc_status=" + status);
    }

    @ParameterizedTest
    @CsvSource({"4, FATAL_ERR", "1, LOC_LEN_ERR"})
    void soDoesAFailedReceive(int status, Status expected) throws IOException {
        open("receive " + status);
        Pair pair = connect();
        postReceive(pair.b);
        assertEquals(QueuePair.POSTED, withImmediate(pair.a, new byte[8], 1).postTo(pair.a.queuePair()));
        WorkCompletion completion = poll(pair.b);
        assertEquals(expected, completion.status);
        assertTells(completion, "of a receive, ibv_wc_status=" + status);
    }

    /** As on adapters that report the end by another way than what has arrived before it. */
    @ParameterizedTest
    @EnumSource(
            value = DisconnectReason.class,
            names = {"ORDERLY", "ABORT"})
    void theReportOfTheEndMayOvertakeTheFarewell(DisconnectReason reason) throws IOException {
        open("overtaken 1");
        Pair pair = connect();
        assertBothWays(pair);
        postReceive(pair.b);
        assertEquals(QueuePair.POSTED, withImmediate(pair.a, new byte[8], 5).postTo(pair.a.queuePair()));
        pair.a.queuePair().disconnect(reason, 77);
        waitFor(() -> (pair.b.queuePair().completionChannel().drain() & CompletionChannel.HANGUP) != 0 ? pair : null);
        assertEquals(reason, pair.b.queuePair().peerReason());
        assertEquals(77, pair.b.queuePair().peerLastWord());
        assertEquals(5, poll(pair.b).immediate);
    }

    private static void assertTells(WorkCompletion completion, String what) {
        assertTrue(completion.detail.contains(what), completion.detail);
        assertTrue(completion.detail.toLowerCase(Locale.ROOT).contains("vendor_err=0x77"), completion.detail);
    }
}
