package org.exsockets.verbs.disni.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.exsockets.memory.DirectMemory;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.DeviceFixture;
import org.exsockets.verbs.DevicePlace;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.Opcode;
import org.exsockets.verbs.ProgramMemory;
import org.exsockets.verbs.QueuePair;
import org.exsockets.verbs.WorkCompletion;
import org.exsockets.verbs.WorkCompletion.Status;
import org.exsockets.verbs.WorkRequest;
import org.exsockets.verbs.disni.Verbs;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Transfers between the memory of two programs, without the copies into rings and hidden buffers. */
@Tag("rdma")
class DisniProgramMemoryTest extends DeviceFixture {
    private static final int KIB = 1 << 10;
    private static final int MIB = 1 << 20;
    private static final long SETTLED_MS = 200;

    /** The JVM does not tell here what it frees, so it must not free what is registered. */
    private static final List<ByteBuffer> KEPT = new ArrayList<>();

    @Override
    protected Device open() throws IOException {
        return RealDevice.get();
    }

    @Override
    protected DevicePlace place() {
        return new RealDevice.Place();
    }

    private static ByteBuffer allocate(int length) {
        ByteBuffer memory = ByteBuffer.allocateDirect(length);
        KEPT.add(memory);
        return memory;
    }

    private static ByteBuffer random(int length, long seed) {
        return allocate(length).put(0, bytes(length, seed));
    }

    /** {@return a registration for the peer's writes, from the second use on} */
    private static ProgramMemory registered(Endpoint end, ByteBuffer memory) {
        end.direct().lease(memory, 0, memory.capacity());
        ProgramMemory registration = end.direct().lease(memory, 0, memory.capacity());
        assertNotNull(registration);
        return registration;
    }

    private static ProgramMemory sendable(Endpoint end, ByteBuffer memory) {
        end.direct().leaseToSend(memory, 0, memory.capacity());
        ProgramMemory registration = end.direct().leaseToSend(memory, 0, memory.capacity());
        assertNotNull(registration);
        return registration;
    }

    private static void awaitPayloads(Endpoint end) throws IOException {
        waitFor(() -> end.queuePair().unfinishedWrites() == 0 ? true : null);
    }

    private static void assertFilled(ByteBuffer memory, int value) {
        for (int i = 0; i < memory.capacity(); i++) {
            if (memory.get(i) != (byte) value) {
                assertEquals((byte) value, memory.get(i), "at " + i);
            }
        }
    }

    private static void fill(ByteBuffer memory, int value) {
        for (int i = 0; i < memory.capacity(); i++) {
            memory.put(i, (byte) value);
        }
    }

    @Test
    void thePeerWritesIntoMemoryOfTheProgram() throws Exception {
        Pair pair = connect();
        ByteBuffer memory = allocate(MIB);
        ByteBuffer part = memory.slice(1000, 100 * KIB).duplicate();
        assertNull(pair.b().direct().lease(part, 10, 10));
        ProgramMemory registration = pair.b().direct().lease(part, 10, 10);
        assertEquals(50, registration.advertisable(part, 100, 50));
        assertTrue(pair.a().direct().reach(registration.remoteAddress(part, 0), registration.rkey(), part.capacity()));
        byte[] payload = bytes(2000, 1);
        postReceive(pair.b(), 3);
        post(
                pair.a(),
                new WorkRequest()
                        .writeWithImmediate(
                                ByteBuffer.wrap(payload),
                                0,
                                payload.length,
                                registration.remoteAddress(part, 70),
                                registration.rkey(),
                                99));
        WorkCompletion completion = poll(pair.b());
        assertEquals(Opcode.RECV_RDMA_WITH_IMM, completion.opcode);
        assertEquals(99, completion.immediate);
        assertEquals(2000, completion.byteLength);
        assertEquals(ByteBuffer.wrap(payload), memory.slice(1070, 2000));
        assertEquals(0, memory.get(1069));
        assertEquals(0, memory.get(3070));
        registration.release();
    }

    @Test
    void nobodyIsToldOfHeapMemory() throws Exception {
        Pair pair = connect();
        ByteBuffer memory = ByteBuffer.allocate(MIB);
        for (int i = 0; i < 3; i++) {
            assertNull(pair.b().direct().lease(memory, 0, MIB));
            assertNull(pair.b().direct().leaseToSend(memory, 0, MIB));
        }
    }

    @Test
    void megabytesGoFromMemoryToMemory() throws Exception {
        Pair pair = connect();
        ByteBuffer source = random(4 * MIB, 2);
        ByteBuffer target = allocate(4 * MIB);
        ProgramMemory from = sendable(pair.a(), source);
        ProgramMemory to = registered(pair.b(), target);
        int chunk = pair.a().queuePair().registeredRoom();
        assertEquals(MIB, chunk);
        WorkRequest request = new WorkRequest();
        for (int at = 0; at < source.capacity(); at += chunk) {
            waitFor(() -> pair.a().queuePair().registeredRoom() > 0 ? true : null);
            post(
                    pair.a(),
                    request.write(source, at, chunk, to.remoteAddress(target, at), to.rkey())
                            .from(from));
        }
        awaitPayloads(pair.a());
        assertNothing(pair.a());
        assertSendArrives(pair.a(), pair.b(), 1);
        assertEquals(source, target);
        from.release();
        to.release();
    }

    @Test
    void theProgramsMemoryMayGoWithAnImmediate() throws Exception {
        Pair pair = connect();
        ByteBuffer source = random(256 * KIB, 3);
        ByteBuffer target = allocate(256 * KIB);
        ProgramMemory from = sendable(pair.a(), source);
        ProgramMemory to = registered(pair.b(), target);
        WorkRequest request = new WorkRequest();
        for (int i = 0; i < 3; i++) {
            postReceive(pair.b(), i);
            request.writeWithImmediate(source, 0, 256 * KIB, to.remoteAddress(target, 0), to.rkey(), 1000 + i);
            post(pair.a(), request.from(from));
        }
        for (int i = 0; i < 3; i++) {
            assertEquals(1000 + i, poll(pair.b()).immediate);
        }
        awaitPayloads(pair.a());
        assertNothing(pair.a());
        assertEquals(source, target);
    }

    @Test
    void whatIsNotRegisteredIsNotSent() throws Exception {
        Pair pair = connect();
        ByteBuffer source = random(64 * KIB, 4);
        ProgramMemory from = sendable(pair.a(), source);
        WorkRequest beyond = new WorkRequest()
                .write(
                        source,
                        1,
                        64 * KIB,
                        pair.a().remote().address(),
                        pair.a().remote().key())
                .from(from);
        assertThrows(
                IllegalArgumentException.class, () -> beyond.postTo(pair.a().queuePair()));
        assertSendArrives(pair.a(), pair.b(), 1);
    }

    @Test
    void aQueueFullOfWritesTakesMoreWhenTheyAreDone() throws Exception {
        Pair pair = connect();
        ByteBuffer source = random(EXPOSED_BYTES, 5);
        ProgramMemory from = sendable(pair.a(), source);
        WorkRequest request = new WorkRequest();
        for (int i = 0; i < 500; i++) {
            waitFor(() -> pair.a().queuePair().registeredRoom() > 0 ? true : null);
            post(
                    pair.a(),
                    request.write(
                                    source,
                                    0,
                                    EXPOSED_BYTES,
                                    pair.a().remote().address(),
                                    pair.a().remote().key())
                            .from(from));
            if (i % 7 == 0) {
                post(pair.a(), write(pair.a(), new byte[0], 0));
                assertSendArrives(pair.a(), pair.b(), 1);
            }
        }
        awaitPayloads(pair.a());
        assertSendArrives(pair.a(), pair.b(), 1);
        assertEquals(source, pair.b().exposed());
    }

    @Test
    void aWriteIntoFreedMemoryIsRefused() throws Exception {
        Pair pair = connect();
        ByteBuffer target = allocate(64 * KIB);
        ProgramMemory to = registered(pair.b(), target);
        to.release();
        DirectMemory.freeing(Verbs.address(target), target.capacity());
        fill(target, 7);
        WorkRequest request =
                new WorkRequest().write(ByteBuffer.allocate(100), 0, 100, to.remoteAddress(target, 0), to.rkey());
        post(pair.a(), request);
        WorkCompletion completion = poll(pair.a());
        assertEquals(Status.REM_ACCESS_ERR, completion.status);
        assertFilled(target, 7);
        // The same address is registered anew, under another key.
        Pair next = connect();
        ProgramMemory again = registered(next.b(), target);
        assertTrue(again.rkey() != to.rkey());
        post(
                next.a(),
                new WorkRequest()
                        .write(ByteBuffer.allocate(100), 0, 100, again.remoteAddress(target, 0), again.rkey()));
        assertSendArrives(next.a(), next.b(), 1);
        assertEquals(0, target.get(99));
        assertEquals(7, target.get(100));
    }

    /** The peer writes as fast as it can, and is not told. */
    @RepeatedTest(10)
    void nothingLandsBehindASeverance() throws Exception {
        Pair pair = connect();
        ByteBuffer source = allocate(256 * KIB);
        ByteBuffer target = allocate(256 * KIB);
        ProgramMemory from = sendable(pair.a(), source);
        ProgramMemory to = registered(pair.b(), target);
        AtomicLong written = new AtomicLong();
        AtomicBoolean stop = new AtomicBoolean();
        Thread writer = new Thread(() -> {
            WorkRequest request = new WorkRequest();
            QueuePair queuePair = pair.a().queuePair();
            while (!stop.get() && !queuePair.inError()) {
                fill(source, (int) written.get() % 100 + 1);
                request.write(source, 0, source.capacity(), to.remoteAddress(target, 0), to.rkey())
                        .from(from);
                if (request.postTo(queuePair) == QueuePair.POSTED) {
                    written.incrementAndGet();
                }
            }
        });
        writer.start();
        try {
            waitFor(() -> written.get() >= 5 && target.get(target.capacity() - 1) != 0 ? true : null);
            pair.b().direct().takeAway(target, 0, target.capacity());
            fill(target, 101);
            pair.b().direct().takeAway(target, 0, target.capacity());
            assertTrue(pair.b().queuePair().inError());
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(SETTLED_MS));
            assertFilled(target, 101);
        } finally {
            stop.set(true);
            writer.join();
        }
        pair.a().direct().takeAway(source, 0, source.capacity());
        assertEquals(0, pair.a().queuePair().unfinishedWrites());
        assertFilled(target, 101);
        from.release();
        to.release();
    }

    @Test
    void aSeveredEndHasItsPayloadsBack() throws Exception {
        Pair pair = connect();
        ByteBuffer source = allocate(MIB);
        ByteBuffer target = allocate(MIB);
        ProgramMemory from = sendable(pair.a(), source);
        ProgramMemory to = registered(pair.b(), target);
        for (int i = 0; i < 10; i++) {
            post(
                    pair.a(),
                    new WorkRequest()
                            .write(source, 0, MIB, to.remoteAddress(target, 0), to.rkey())
                            .from(from));
        }
        pair.a().direct().takeAway(source, 0, source.capacity());
        assertEquals(0, pair.a().queuePair().unfinishedWrites());
        assertNothing(pair.a());
        assertEquals(
                QueuePair.IN_ERROR,
                new WorkRequest().send(source, 0, 1).postTo(pair.a().queuePair()));
    }

    @Test
    void anEndWithAllItsReceivesUsedUpIsSeveredToo() throws Exception {
        Pair pair = connect();
        for (int i = 0; i < DEPTH; i++) {
            post(pair.a(), new WorkRequest().send(ByteBuffer.allocate(8), 0, 8));
        }
        ByteBuffer target = allocate(64 * KIB);
        ProgramMemory to = registered(pair.b(), target);
        post(
                pair.a(),
                new WorkRequest()
                        .write(ByteBuffer.wrap(bytes(100, 6)), 0, 100, to.remoteAddress(target, 0), to.rkey()));
        waitFor(() -> target.get(50) != 0 ? true : null);
        pair.b().direct().takeAway(target, 0, target.capacity());
        assertTrue(pair.b().queuePair().inError());
    }

    @Test
    void aPeerThatIsGoneDoesNotHoldUpASeverance() throws Exception {
        Pair pair = connect();
        ByteBuffer target = allocate(64 * KIB);
        pair.a().discard();
        waitFor(() -> pair.b().queuePair().completionChannel().drain() != 0 ? true : null);
        pair.b().direct().takeAway(target, 0, target.capacity());
        assertTrue(pair.b().queuePair().inError());
    }
}
