package org.exsockets.verbs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.exsockets.verbs.WorkCompletion.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every device does when its queues are full and nobody polls, when connections end at bad moments, when there are
 * many of them, and when they do not come about; a subclass opens the device.
 */
public abstract class FaultContractTest extends DeviceFixture {
    /** Many times what a send queue, a send ring and a completion queue hold for the parameters of these tests. */
    private static final int FLOOD = 2_000;

    private static final int CONNECTIONS = 200;

    /** {@return how many things of the kernel connections hold at the moment: queue pairs, or sockets} */
    protected abstract long resources() throws Exception;

    // Nobody polls.

    @ParameterizedTest
    @ValueSource(ints = {1, 64, 1000, EXPOSED_BYTES})
    void aFloodOfWritesArrivesWithoutAPoll(int length) throws Exception {
        Pair pair = connect();
        byte[] last = {};
        for (int i = 0; i < FLOOD; i++) {
            last = bytes(length, i);
            push(pair.a(), write(pair.a(), last, 0));
        }
        assertSendArrives(pair.a(), pair.b(), 1);
        assertArrayEquals(last, exposed(pair.b(), 0, length));
        assertNothing(pair.a());
        assertNothing(pair.b());
    }

    @Test
    void bothEndsFloodEachOtherWithoutAPoll() throws Exception {
        Pair pair = connect();
        for (int i = 0; i < FLOOD; i++) {
            push(pair.a(), write(pair.a(), bytes(200, i), i % 10 * 200));
            push(pair.b(), write(pair.b(), bytes(300, -i), i % 10 * 300));
        }
        fillReceives(pair.a(), pair.b());
        fillReceives(pair.b(), pair.a());
        for (Endpoint end : new Endpoint[] {pair.a(), pair.b()}) {
            for (int i = 0; i < DEPTH; i++) {
                WorkCompletion completion = poll(end);
                assertEquals(Status.SUCCESS, completion.status);
                assertReceive(i, end, completion);
                assertEquals(i, completion.immediate);
            }
            assertNothing(end);
        }
        for (int i = FLOOD - 10; i < FLOOD; i++) {
            assertArrayEquals(bytes(200, i), exposed(pair.b(), i % 10 * 200, 200));
            assertArrayEquals(bytes(300, -i), exposed(pair.a(), i % 10 * 300, 300));
        }
    }

    @Test
    void aFailureBehindFullQueuesIsToldOnceAndNothingElse() throws Exception {
        Pair pair = connect();
        fillReceives(pair.a(), pair.b());
        fillReceives(pair.b(), pair.a());
        for (int i = 0; i < FLOOD; i++) {
            push(pair.a(), write(pair.a(), bytes(100, i), 0));
        }
        WorkRequest bad = write(pair.a(), new byte[8], 0);
        bad.rkey++;
        waitFor(() -> bad.postTo(pair.a().queuePair()) == QueuePair.QUEUE_FULL ? null : true);
        // Whatever is posted now is taken and flushed, or refused.
        for (int i = 0; i < FLOOD; i++) {
            write(pair.a(), new byte[8], 0).postTo(pair.a().queuePair());
        }
        List<WorkCompletion> failures = new ArrayList<>();
        for (int i = 0; i < DEPTH + 1; i++) {
            WorkCompletion completion = poll(pair.a());
            if (completion.status != Status.SUCCESS) {
                failures.add(completion);
            }
        }
        assertEquals(1, failures.size());
        assertEquals(Status.REM_ACCESS_ERR, failures.get(0).status);
        assertNothing(pair.a());
        assertTrue(pair.a().queuePair().inError());
        for (int i = 0; i < DEPTH; i++) {
            assertEquals(i, poll(pair.b()).immediate, "what had arrived stays");
        }
        assertNothing(pair.b());
        assertWorks();
    }

    // The end at a bad moment.

    @Test
    void aDisconnectWithFullQueuesLosesNothing() throws Exception {
        Pair pair = connect();
        byte[] last = {};
        for (int i = 0; i < FLOOD; i++) {
            last = bytes(1000, i);
            push(pair.a(), write(pair.a(), last, 0));
        }
        fillReceives(pair.a(), pair.b());
        pair.a().queuePair().disconnect(DisconnectReason.ORDERLY, 4711);
        pair.a().release();
        hangup(pair.b());
        assertEquals(DisconnectReason.ORDERLY, pair.b().queuePair().peerReason());
        assertEquals(4711, pair.b().queuePair().peerLastWord());
        for (int i = 0; i < DEPTH; i++) {
            assertEquals(i, poll(pair.b()).immediate);
        }
        assertNothing(pair.b());
        assertArrayEquals(last, exposed(pair.b(), 0, 1000));
    }

    @Test
    void bothEndsDisconnectAtOnceWithFullQueues() throws Exception {
        for (int round = 0; round < 20; round++) {
            Pair pair = connect();
            CountDownLatch go = new CountDownLatch(1);
            List<Thread> threads = new ArrayList<>();
            for (Endpoint end : new Endpoint[] {pair.a(), pair.b()}) {
                for (int i = 0; i < 100; i++) {
                    push(end, write(end, new byte[1000], 0));
                }
                Thread thread = new Thread(() -> {
                    try {
                        go.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    end.queuePair().disconnect(DisconnectReason.ORDERLY, 1);
                    end.queuePair().disconnect(DisconnectReason.ABORT, 2);
                });
                thread.start();
                threads.add(thread);
            }
            go.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
            for (Endpoint end : new Endpoint[] {pair.a(), pair.b()}) {
                hangup(end);
                assertFalse(end.queuePair().peerReason() == DisconnectReason.ABORT, "the first reason counts");
                end.release();
            }
        }
        assertWorks();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDisconnectRightAfterTheConnectReachesThePeer(boolean beforeAccept) throws Exception {
        for (int round = 0; round < 20; round++) {
            Endpoint a = connectOnly(PARAMETERS);
            Endpoint b = beforeAccept ? null : accept(listener());
            a.queuePair().disconnect(DisconnectReason.ABORT, round);
            a.release();
            b = beforeAccept ? accept(listener()) : b;
            hangup(b);
            assertEquals(DisconnectReason.ABORT, b.queuePair().peerReason());
            assertEquals(round, b.queuePair().peerLastWord());
            b.queuePair().disconnect(DisconnectReason.ORDERLY, 0);
            b.release();
        }
        assertWorks();
    }

    @Test
    void theAcceptingEndMayDisconnectAtOnce() throws Exception {
        for (int round = 0; round < 20; round++) {
            Pair pair = connect();
            pair.b().queuePair().disconnect(DisconnectReason.ORDERLY, round);
            pair.b().release();
            hangup(pair.a());
            assertEquals(DisconnectReason.ORDERLY, pair.a().queuePair().peerReason());
            assertEquals(round, pair.a().queuePair().peerLastWord());
            pair.a().queuePair().disconnect(DisconnectReason.ORDERLY, 0);
            pair.a().release();
        }
    }

    // Many, and none.

    @Test
    void manyConnectionsAtOnceWorkAndLeaveNothing() throws Exception {
        long before = resources();
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            Endpoint a = device().connect(client(i), address(), PARAMETERS);
            pairs.add(new Pair(ended(a), accept(listener())));
        }
        for (int i = 0; i < CONNECTIONS; i++) {
            Pair pair = pairs.get(i);
            push(pair.a(), write(pair.a(), bytes(100, i), 0));
            assertSendArrives(pair.a(), pair.b(), i % 40);
            assertSendArrives(pair.b(), pair.a(), i % 40);
        }
        for (int i = 0; i < CONNECTIONS; i++) {
            assertArrayEquals(bytes(100, i), exposed(pairs.get(i).b(), 0, 100), "nobody else's memory");
        }
        for (Pair pair : pairs) {
            pair.a().queuePair().disconnect(DisconnectReason.ORDERLY, 0);
            pair.b().queuePair().disconnect(DisconnectReason.ORDERLY, 0);
            pair.a().release();
            pair.b().release();
        }
        assertOnly(before);
        assertWorks();
    }

    @Test
    void connectsThatAreRefusedLeaveNothing() throws Exception {
        EndpointParameters future = new EndpointParameters(EXPOSED_BYTES, DEPTH, 8, 9);
        int free;
        try (ServerSocket socket = new ServerSocket(0, 0, host())) {
            free = socket.getLocalPort();
        }
        InetSocketAddress nobody = new InetSocketAddress(host(), free);
        // A device may keep what the first one took, for the next one.
        assertThrows(ConnectFailure.class, () -> device().connect(client(50), nobody, PARAMETERS));
        long before = resources();
        for (int i = 0; i < 50; i++) {
            int client = i;
            assertThrows(ConnectFailure.class, () -> device().connect(client(client), nobody, PARAMETERS));
            assertThrows(ConnectFailure.class, () -> device().connect(client(client), address(), future));
        }
        assertOnly(before);
        assertWorks();
    }

    private void assertOnly(long before) throws IOException {
        waitFor(() -> resources() <= before ? true : null);
    }

    /** The device is as good as before. */
    private void assertWorks() throws IOException {
        Pair pair = connect();
        assertSendArrives(pair.a(), pair.b(), 3);
        assertSendArrives(pair.b(), pair.a(), 3);
    }

    /** Has {@code from} use all receives of {@code to}, whose completions then wait. */
    private static void fillReceives(Endpoint from, Endpoint to) throws IOException {
        for (int i = 0; i < DEPTH; i++) {
            postReceive(to, i);
            push(from, withImmediate(from, new byte[0], 0, i));
        }
    }

    /** Posts as soon as there is room, as the device promises without a poll. */
    private static void push(Endpoint end, WorkRequest request) throws IOException {
        waitFor(() -> {
            int posted = request.postTo(end.queuePair());
            assertTrue(posted != QueuePair.IN_ERROR, "the queue pair is in error");
            return posted == QueuePair.QUEUE_FULL ? null : posted;
        });
    }
}
