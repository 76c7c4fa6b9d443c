package org.exsockets.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.exsockets.config.DirectMode;
import org.exsockets.connection.direct.DirectReadPolicy;
import org.exsockets.connection.direct.RegisteredWrites;
import org.exsockets.verbs.DirectAccess;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.ProgramMemory;
import org.exsockets.verbs.QueuePair;
import org.exsockets.verbs.soft.SoftDevices;
import org.exsockets.waiting.Outcome;
import org.exsockets.waiting.Wait;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Writes that wait for the device, over shared memory that pretends to be one that reads late: real adapters are late
 * when it suits them.
 */
class RegisteredWritesTest {
    private static final EndpointParameters PARAMETERS = new EndpointParameters(512 << 10, 512 << 10, 16, 1, 1);
    private static final int LENGTH = RegisteredWrites.MIN_BYTES;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ByteBuffer source = ByteBuffer.allocateDirect(LENGTH);
    private final AtomicInteger given = new AtomicInteger();
    private final AtomicInteger severed = new AtomicInteger();
    private final AtomicInteger looks = new AtomicInteger();
    private volatile long unfinished;
    private volatile int covered = LENGTH;
    private ExsConnection connection;
    private ExsConnection peer;

    /** Covers as much as the test says. */
    private final class Pretended implements ProgramMemory {
        @Override
        public int advertisable(ByteBuffer memory, int offset, int length) {
            return Math.min(length, covered);
        }

        @Override
        public long remoteAddress(ByteBuffer memory, int offset) {
            return 0;
        }

        @Override
        public int rkey() {
            return 0;
        }

        @Override
        public void release() {
            given.decrementAndGet();
        }
    }

    @BeforeEach
    void connect() throws Exception {
        ConnectedEndpoints ends = ConnectedEndpoints.onLoopback(SoftDevices.open(), PARAMETERS);
        connection = new ExsConnection(late(ends.connected()));
        peer = new ExsConnection(ends.accepted());
        for (int i = 0; i < LENGTH; i++) {
            source.put(i, (byte) (i * 7 + (i >> 10)));
        }
    }

    @AfterEach
    void close() {
        DirectReadPolicy.configure(DirectMode.AUTO);
        unfinished = 0;
        connection.close(Close.ABORT);
        peer.close(Close.ABORT);
        threads.shutdownNow();
    }

    private Endpoint late(Endpoint real) {
        QueuePair queuePair = proxy(QueuePair.class, real.queuePair(), (self, method, arguments) -> {
            return switch (method.getName()) {
                case "registeredRoom" -> real.queuePair().sendRoom();
                case "unfinishedWrites" -> {
                    looks.incrementAndGet();
                    yield unfinished;
                }
                default -> method.invoke(real.queuePair(), arguments);
            };
        });
        DirectAccess direct = proxy(DirectAccess.class, real.direct(), (self, method, arguments) -> {
            return switch (method.getName()) {
                case "leaseToSend" -> {
                    given.incrementAndGet();
                    yield new Pretended();
                }
                case "takeAway" -> {
                    severed.incrementAndGet();
                    unfinished = 0;
                    yield null;
                }
                default -> method.invoke(real.direct(), arguments);
            };
        });
        return proxy(Endpoint.class, real, (self, method, arguments) -> {
            return switch (method.getName()) {
                case "queuePair" -> queuePair;
                case "direct" -> direct;
                default -> method.invoke(real, arguments);
            };
        });
    }

    private static <T> T proxy(Class<T> type, T real, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    try {
                        return handler.invoke(self, method, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private void assertArrives() throws Exception {
        ByteBuffer target = ByteBuffer.allocate(LENGTH);
        while (target.hasRemaining()) {
            assertTrue(peer.read(target, Wait.INTERRUPTIBLE) > 0);
        }
        assertEquals(source.duplicate().clear(), target.flip());
    }

    /** Waits until the writer has looked whether the device is done; it may be asleep since. */
    private void awaitLook() {
        awaitLooks(1);
    }

    private void awaitLooks(int goal) {
        while (looks.get() < goal) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aLargeWriteReturnsWhenTheDeviceHasReadItsBytes() throws Exception {
        unfinished = 1;
        Future<Integer> write = threads.submit(() -> connection.write(source, Wait.INTERRUPTIBLE));
        awaitLook();
        assertArrives();
        assertFalse(write.isDone());
        assertEquals(1, given.get());
        unfinished = 0;
        // Whatever comes has the writer look again; a device that was late would tell of its completion.
        peer.write(ByteBuffer.allocate(1), Wait.INTERRUPTIBLE);
        assertEquals(LENGTH, write.get());
        assertEquals(0, given.get());
        assertEquals(0, severed.get());
    }

    @Test
    void shortWritesAndWritesThatNeverWaitAreCopied() throws Exception {
        unfinished = 1;
        assertEquals(LENGTH - 1, connection.write(source.duplicate().limit(LENGTH - 1), Wait.INTERRUPTIBLE));
        assertEquals(1, connection.write(source.duplicate().position(LENGTH - 1), Wait.NONE));
        assertEquals(0, looks.get());
        assertArrives();
    }

    @Test
    void aWriteThatIsNotCoveredIsCopied() throws Exception {
        unfinished = 1;
        covered = LENGTH - 1;
        assertEquals(LENGTH, connection.write(source, Wait.INTERRUPTIBLE));
        assertEquals(0, looks.get());
        assertEquals(0, given.get());
    }

    @Test
    void withDirectTransfersSwitchedOffAllWritesAreCopied() throws Exception {
        DirectReadPolicy.configure(DirectMode.NEVER);
        unfinished = 1;
        assertEquals(LENGTH, connection.write(source, Wait.INTERRUPTIBLE));
        assertEquals(0, looks.get());
    }

    @Test
    void aCloseEndsAWriteWhoseDeviceDoesNotAnswerAndTheConnectionIsLost() throws Exception {
        unfinished = 1;
        Future<Integer> write = threads.submit(() -> connection.write(source, Wait.INTERRUPTIBLE));
        awaitLook();
        connection.close(Close.ORDERLY);
        assertEquals(LENGTH, write.get());
        assertEquals(1, severed.get());
        assertEquals(0, given.get());
    }

    @Test
    void aCloseWaitsForADeviceThatAnswersSoon() throws Exception {
        unfinished = 1;
        Future<Integer> write = threads.submit(() -> connection.write(source, Wait.INTERRUPTIBLE));
        awaitLook();
        connection.close(Close.ORDERLY);
        awaitLooks(looks.get() + 3);
        unfinished = 0;
        assertEquals(LENGTH, write.get());
        assertEquals(0, severed.get());
        assertArrives();
        assertEquals(Outcome.END_OF_STREAM, peer.read(ByteBuffer.allocate(1), Wait.INTERRUPTIBLE));
        assertNull(connection.progress.engine.failure());
    }

    @Test
    void anInterruptEndsTheWaitAndStays() throws Exception {
        unfinished = 1;
        Future<Boolean> write = threads.submit(() -> {
            Thread.currentThread().interrupt();
            assertEquals(LENGTH, connection.write(source, Wait.INTERRUPTIBLE));
            return Thread.interrupted();
        });
        assertTrue(write.get());
        assertEquals(1, severed.get());
        assertEquals(0, given.get());
    }
}
