package org.exsockets.verbs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.exsockets.verbs.WorkCompletion.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every device does with the requests of a connected pair; a subclass opens the device. */
public abstract class DeviceContractTest extends DeviceFixture {
    /** {@return the longest payload of a SEND} */
    protected abstract int maxSendBytes();

    @Test
    void bothEndsSeeTheSameConnection() throws Exception {
        Pair pair = connect();
        assertEquals(pair.a().localAddress(), pair.b().remoteAddress());
        assertEquals(pair.a().remoteAddress(), pair.b().localAddress());
        assertEquals(address(), pair.b().localAddress());
        for (Endpoint end : new Endpoint[] {pair.a(), pair.b()}) {
            assertEquals(DEPTH, end.receiveDepth());
            assertEquals(EXPOSED_BYTES, end.remote().lengthBytes());
            assertEquals(EXPOSED_BYTES, end.exposed().capacity());
            assertEquals(1, end.version());
            assertFalse(end.queuePair().inError());
            assertEquals(DisconnectReason.NONE, end.queuePair().peerReason());
            assertTrue(end.queuePair().completionQueue().isEmpty());
            assertEquals(0, end.queuePair().completionChannel().drain());
        }
    }

    @Test
    void sendsOfEveryLengthArriveWhole() throws Exception {
        Pair pair = connect();
        ByteBuffer target = ByteBuffer.allocate(maxSendBytes() + 2);
        for (int length = 0; length <= maxSendBytes(); length++) {
            byte[] payload = bytes(length, length);
            assertTrue(pair.b().queuePair().postReceive(1000 + length, target, 1, maxSendBytes()));
            ByteBuffer source = ByteBuffer.allocateDirect(length + 3).put(3, payload);
            post(pair.a(), new WorkRequest().send(source, 3, length));

            WorkCompletion completion = poll(pair.b());
            assertEquals(Status.SUCCESS, completion.status);
            assertEquals(Opcode.RECV, completion.opcode);
            assertReceive(1000 + length, pair.b(), completion);
            assertEquals(length, completion.byteLength);
            assertArrayEquals(payload, Arrays.copyOfRange(target.array(), 1, 1 + length));
            assertEquals(0, target.get(0));
            assertEquals(0, target.get(length + 1));
            assertEquals(0, source.position());
        }
        assertNothing(pair.a());
        assertNothing(pair.b());
    }

    @Test
    void aSendBeyondTheLimitIsRefusedAndHarmless() throws Exception {
        Pair pair = connect();
        WorkRequest request = new WorkRequest().send(ByteBuffer.allocate(4096), 0, maxSendBytes() + 1);
        assertThrows(
                IllegalArgumentException.class, () -> request.postTo(pair.a().queuePair()));
        assertFalse(pair.a().queuePair().inError());
        assertSendArrives(pair.a(), pair.b(), 5);
    }

    @Test
    void writesLandSilentlyInBothDirections() throws Exception {
        Pair pair = connect();
        byte[] payload = bytes(100, 1);
        byte[] before = exposed(pair.a(), 0, 100);
        post(pair.a(), write(pair.a(), payload, 0));
        post(pair.b(), write(pair.b(), payload, EXPOSED_BYTES - 100));
        assertNothing(pair.b());
        assertNothing(pair.a());
        // A message behind a write tells that it is there.
        assertSendArrives(pair.a(), pair.b(), 1);
        assertSendArrives(pair.b(), pair.a(), 1);
        assertArrayEquals(payload, exposed(pair.b(), 0, 100));
        assertArrayEquals(payload, exposed(pair.a(), EXPOSED_BYTES - 100, 100));
        assertArrayEquals(before, exposed(pair.a(), 0, 100));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, -1, Integer.MIN_VALUE, 0x12345678})
    void writesWithImmediateTellPlaceAndNumber(int immediate) throws Exception {
        Pair pair = connect();
        postReceive(pair.b(), 42);
        byte[] payload = bytes(EXPOSED_BYTES, immediate);
        post(pair.a(), withImmediate(pair.a(), payload, 0, immediate));
        WorkCompletion completion = poll(pair.b());
        assertEquals(Status.SUCCESS, completion.status);
        assertEquals(Opcode.RECV_RDMA_WITH_IMM, completion.opcode);
        assertEquals(42, completion.wrId);
        assertEquals(EXPOSED_BYTES, completion.byteLength);
        assertEquals(immediate, completion.immediate);
        assertArrayEquals(payload, exposed(pair.b(), 0, EXPOSED_BYTES));
    }

    @Test
    void anEmptyWriteWithImmediateIsAMessage() throws Exception {
        Pair pair = connect();
        postReceive(pair.b(), 1);
        post(pair.a(), withImmediate(pair.a(), new byte[0], EXPOSED_BYTES, 7));
        WorkCompletion completion = poll(pair.b());
        assertEquals(0, completion.byteLength);
        assertEquals(7, completion.immediate);
    }

    @Test
    void messagesArriveInOrderOverManyRounds() throws Exception {
        Pair pair = connect();
        for (int round = 0; round < 5 * DEPTH; round++) {
            int count = 1 + round % DEPTH;
            for (int i = 0; i < count; i++) {
                postReceive(pair.b(), i);
            }
            for (int i = 0; i < count; i++) {
                int number = round << 8 | i;
                boolean write = (round + i) % 2 == 0;
                post(
                        pair.a(),
                        write
                                ? withImmediate(pair.a(), new byte[] {(byte) i}, i, number)
                                : new WorkRequest().send(ByteBuffer.allocate(i), 0, i));
            }
            for (int i = 0; i < count; i++) {
                WorkCompletion completion = poll(pair.b());
                boolean write = (round + i) % 2 == 0;
                assertReceive(i, pair.b(), completion);
                assertEquals(write ? Opcode.RECV_RDMA_WITH_IMM : Opcode.RECV, completion.opcode);
                assertEquals(write ? 1 : i, completion.byteLength);
                assertTrue(!write || completion.immediate == (round << 8 | i));
            }
            assertNothing(pair.b());
        }
    }

    @Test
    protected void aMessageWithoutAReceiveBreaksTheConnection() throws Exception {
        Pair pair = connect();
        for (int i = 0; i < DEPTH; i++) {
            postReceive(pair.b(), i);
            post(pair.a(), new WorkRequest().send(ByteBuffer.allocate(1), 0, 1));
        }
        WorkRequest tooMany = new WorkRequest().send(ByteBuffer.allocate(1), 0, 1);
        tooMany.postTo(pair.a().queuePair());
        WorkCompletion completion = poll(pair.a());
        assertEquals(Status.RNR_RETRY_EXC_ERR, completion.status);
        assertRefusing(pair.a());
        for (int i = 0; i < DEPTH; i++) {
            assertReceive(i, pair.b(), poll(pair.b()));
        }
        assertNothing(pair.b());
    }

    @Test
    void receivesPostedAgainAreThereAgain() throws Exception {
        Pair pair = connect();
        for (int i = 0; i < 10 * DEPTH; i++) {
            assertSendArrives(pair.a(), pair.b(), i % 5);
        }
        assertFalse(pair.a().queuePair().inError());
    }

    @Test
    void noMoreReceivesThanTheDepthCanBePosted() throws Exception {
        Pair pair = connect();
        for (int i = 0; i < DEPTH; i++) {
            postReceive(pair.b(), i);
        }
        assertFalse(pair.b().queuePair().postReceive(9, ByteBuffer.allocate(1), 0, 1));
        post(pair.a(), new WorkRequest().send(ByteBuffer.allocate(1), 0, 1));
        poll(pair.b());
        assertTrue(pair.b().queuePair().postReceive(9, ByteBuffer.allocate(1), 0, 1));
    }

    @Test
    void receivesThatLieOneBehindTheOtherCanBePostedTogether() throws Exception {
        Pair pair = connect();
        QueuePair b = pair.b().queuePair();
        boolean alike = b.placesWhenPolled();
        ByteBuffer target = ByteBuffer.allocate(1 + DEPTH + 2);
        assertTrue(b.postReceives(DEPTH - 1, 7, target, 1, 1));
        assertFalse(b.postReceives(2, 9, target, 0, 1));
        WorkRequest request = new WorkRequest();
        for (int i = 0; i < DEPTH + 2; i++) {
            if (i == 3) {
                assertTrue(b.postReceives(3, 7 + DEPTH - 1, target, DEPTH, 1)); // Beyond the end of the queue.
            }
            post(pair.a(), request.send(ByteBuffer.wrap(new byte[] {(byte) (i + 1)}), 0, 1));
            assertEquals(alike ? 7 : 7 + i, poll(pair.b()).wrId);
            assertEquals(i + 1, target.get(alike ? 1 : 1 + i));
        }
        assertEquals(0, target.get(0));
    }

    @Test
    void aMessageLongerThanItsReceiveIsAnErrorOfTheReceiver() throws Exception {
        Pair pair = connect();
        ByteBuffer target = ByteBuffer.allocate(4);
        assertTrue(pair.b().queuePair().postReceive(3, target, 0, 2));
        post(pair.a(), new WorkRequest().send(ByteBuffer.wrap(new byte[] {1, 2, 3}), 0, 3));
        WorkCompletion completion = poll(pair.b());
        assertEquals(Status.LOC_LEN_ERR, completion.status);
        assertEquals(3, completion.wrId);
        assertEquals(ByteBuffer.allocate(4), target);
        assertRefusing(pair.b());
    }

    @ParameterizedTest
    @ValueSource(strings = {"rkey", "negative", "beyond", "straddling", "overflowing", "length"})
    void writesOutsideTheExposedMemoryAreRefused(String fault) throws Exception {
        for (boolean withImmediate : new boolean[] {false, true}) {
            Pair pair = connect();
            postReceive(pair.b(), 1);
            byte[] before = exposed(pair.b(), 0, EXPOSED_BYTES);
            WorkRequest request =
                    withImmediate ? withImmediate(pair.a(), new byte[8], 0, 1) : write(pair.a(), new byte[8], 0);
            switch (fault) {
                case "rkey" -> request.rkey++;
                case "negative" -> request.remoteAddress = pair.a().remote().address() - 1;
                case "beyond" -> request.remoteAddress = pair.a().remote().address() + EXPOSED_BYTES;
                case "straddling" -> request.remoteAddress = pair.a().remote().address() + EXPOSED_BYTES - 7;
                case "overflowing" -> request.remoteAddress = Long.MAX_VALUE - 3;
                default -> request.lengthBytes = -1;
            }
            request.postTo(pair.a().queuePair());
            WorkCompletion completion = poll(pair.a());
            assertEquals(Status.REM_ACCESS_ERR, completion.status);
            assertRefusing(pair.a());
            assertNothing(pair.b());
            assertArrayEquals(before, exposed(pair.b(), 0, EXPOSED_BYTES));
        }
    }

    @Test
    void aFurtherRegionTakesWritesBesideTheFirst() throws Exception {
        Pair pair = connect();
        for (Pair way : new Pair[] {pair, new Pair(pair.b(), pair.a())}) {
            Further region = further(way.a(), way.b(), MAX_EXPOSED_BYTES);
            assertEquals(MAX_EXPOSED_BYTES, region.memory().capacity());
            assertEquals(ByteOrder.nativeOrder(), region.memory().order());
            byte[] payload = bytes(500, 3);
            post(way.a(), write(way.a(), payload, 100));
            post(way.a(), to(region, payload, 0));
            post(way.a(), to(region, payload, MAX_EXPOSED_BYTES - 500));
            assertSendArrives(way.a(), way.b(), 1);
            byte[] arrived = new byte[500];
            region.memory().get(0, arrived);
            assertArrayEquals(payload, arrived);
            region.memory().get(MAX_EXPOSED_BYTES - 500, arrived);
            assertArrayEquals(payload, arrived);
            assertArrayEquals(payload, exposed(way.b(), 100, 500));
        }
    }

    @Test
    void regionsFollowEachOther() throws Exception {
        Pair pair = connect();
        assumeTrue(pair.a().moreRoom() instanceof MoreRoom.Exposing, "a reserve is taken once");
        Further last = null;
        for (int length = 2 * EXPOSED_BYTES, seed = 0; length <= MAX_EXPOSED_BYTES; length *= 2, seed++) {
            Further region = further(pair.a(), pair.b(), length);
            byte[] payload = bytes(length / 2, seed);
            postReceive(pair.b(), 5);
            post(
                    pair.a(),
                    new WorkRequest()
                            .writeWithImmediate(
                                    ByteBuffer.wrap(payload),
                                    0,
                                    1000,
                                    region.address() + length - 1000,
                                    region.key(),
                                    seed));
            assertEquals(seed, poll(pair.b()).immediate);
            byte[] arrived = new byte[1000];
            region.memory().get(length - 1000, arrived);
            assertArrayEquals(Arrays.copyOf(payload, 1000), arrived);
            if (last != null) {
                last.release().run();
                last.release().run();
            }
            last = region;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"negative", "beyond", "straddling", "unknown"})
    void writesOutsideAFurtherRegionAreRefused(String fault) throws Exception {
        Pair pair = connect();
        Further region = further(pair.a(), pair.b(), 2 * EXPOSED_BYTES);
        WorkRequest request = to(region, new byte[8], 0);
        switch (fault) {
            case "negative" -> request.remoteAddress = region.address() - 1;
            case "beyond" -> request.remoteAddress = region.address() + 2 * EXPOSED_BYTES;
            case "straddling" -> request.remoteAddress = region.address() + 2 * EXPOSED_BYTES - 7;
            default -> request.rkey += 1000;
        }
        request.postTo(pair.a().queuePair());
        WorkCompletion completion = poll(pair.a());
        assertEquals(Status.REM_ACCESS_ERR, completion.status);
        assertRefusing(pair.a());
    }

    /** Memory of the owner beside the first region, as the writer knows it, or both. */
    private record Further(long address, int key, ByteBuffer memory, Runnable release) {}

    /** Taken by the writer, where the device has a reserve; otherwise exposed by the owner. */
    private static Further further(Endpoint writer, Endpoint owner, int length) {
        if (writer.moreRoom() instanceof MoreRoom.Shared ofWriter
                && owner.moreRoom() instanceof MoreRoom.Shared ofOwner) {
            assertNull(ofOwner.takenByPeer(1), "not taken yet");
            assertEquals(MAX_EXPOSED_BYTES, ofWriter.reserveBytes());
            RemoteRegion reserve = ofWriter.take(length);
            assertEquals(length, reserve.lengthBytes());
            return new Further(reserve.address(), reserve.key(), ofOwner.takenByPeer(1), () -> {});
        }
        MoreRoom.Exposing ofOwner = (MoreRoom.Exposing) owner.moreRoom();
        assertEquals(MAX_EXPOSED_BYTES, ofOwner.maxBytes());
        MoreRoom.ExposedRegion region = ofOwner.expose(length, length);
        assertNotNull(region, "no memory for " + length + " bytes");
        return new Further(region.address(), region.key(), region.memory(), region::release);
    }

    private static WorkRequest to(Further region, byte[] payload, int offset) {
        return new WorkRequest()
                .write(ByteBuffer.wrap(payload), 0, payload.length, region.address() + offset, region.key());
    }

    @Test
    void requestsMayBeReusedAtOnce() throws Exception {
        Pair pair = connect();
        ByteBuffer source = ByteBuffer.allocate(1);
        WorkRequest request = new WorkRequest();
        ByteBuffer target = ByteBuffer.allocate(DEPTH);
        boolean shared = pair.b().queuePair().placesWhenPolled();
        for (int i = 0; i < DEPTH; i++) {
            assertTrue(pair.b().queuePair().postReceive(i, target, shared ? 0 : i, 1));
            source.put(0, (byte) (i + 1));
            post(pair.a(), request.send(source, 0, 1));
        }
        source.put(0, (byte) 0);
        for (int i = 0; i < DEPTH; i++) {
            poll(pair.b());
            assertEquals(i + 1, target.get(shared ? 0 : i));
        }
    }

    @Test
    void threadsMayPostAtOnceAndKeepTheirOrders() throws Exception {
        int each = 20_000;
        Pair pair = connect();
        for (int i = 0; i < DEPTH; i++) {
            postReceive(pair.b(), i);
        }
        Semaphore credits = new Semaphore(DEPTH);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread[] threads = new Thread[2];
        for (int t = 0; t < threads.length; t++) {
            int sender = t;
            threads[t] = new Thread(() -> {
                try {
                    WorkRequest request = new WorkRequest();
                    ByteBuffer empty = ByteBuffer.allocate(0);
                    for (int i = 0; i < each; i++) {
                        credits.acquire();
                        int immediate = sender << 24 | i;
                        post(
                                pair.a(),
                                request.writeWithImmediate(
                                        empty,
                                        0,
                                        0,
                                        pair.a().remote().address(),
                                        pair.a().remote().key(),
                                        immediate));
                    }
                } catch (Throwable e) {
                    failure.set(e);
                }
            });
            threads[t].start();
        }
        int[] next = new int[threads.length];
        for (int i = 0; i < 2 * each; i++) {
            WorkCompletion completion = poll(pair.b());
            int sender = completion.immediate >>> 24;
            assertEquals(next[sender]++, completion.immediate & 0xFFFFFF);
            postReceive(pair.b(), completion.wrId);
            credits.release();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(null, failure.get());
        assertNothing(pair.a());
    }

    private static void assertRefusing(Endpoint end) {
        assertTrue(end.queuePair().inError());
        assertEquals(
                QueuePair.IN_ERROR,
                new WorkRequest().send(ByteBuffer.allocate(1), 0, 1).postTo(end.queuePair()));
        assertNothing(end);
    }
}
