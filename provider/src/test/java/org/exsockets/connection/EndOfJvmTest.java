package org.exsockets.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.soft.SoftDevices;
import org.exsockets.waiting.Outcome;
import org.exsockets.waiting.Wait;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the peer sees of a connection that is left open at the end of the JVM, and that threads here see nothing. */
class EndOfJvmTest {
    private static final EndpointParameters PARAMETERS = new EndpointParameters(4096, 8, 1, 1);
    private static final long LIMIT_NS = 50_000_000;

    private ExsConnection ending;
    private ExsConnection peer;

    @BeforeEach
    void connect() throws Exception {
        ConnectedEndpoints ends = ConnectedEndpoints.onLoopback(SoftDevices.open(), PARAMETERS);
        ending = new ExsConnection(ends.connected());
        peer = new ExsConnection(ends.accepted());
    }

    @AfterEach
    void close() {
        ending.close(Close.ABORT);
        peer.close(Close.ABORT);
    }

    private static ByteBuffer bytes(int length) {
        return ByteBuffer.allocate(length);
    }

    @Test
    void thePeerReadsEverythingAndThenTheEnd() throws Exception {
        ending.write(bytes(1000), Wait.NONE);
        ending.ending.endWithJvm(LIMIT_NS);
        assertEquals(1000, peer.read(bytes(2000), Wait.INTERRUPTIBLE));
        assertEquals(Outcome.END_OF_STREAM, peer.read(bytes(10), Wait.INTERRUPTIBLE));
    }

    @Test
    void unreadBytesMakeItAReset() throws Exception {
        peer.write(bytes(1), Wait.NONE);
        ending.ending.endWithJvm(LIMIT_NS);
        assertThrows(SocketException.class, () -> peer.read(bytes(10), Wait.INTERRUPTIBLE));
    }

    /** Until {@code endWithJvm} it is not known that this is a reset. */
    @Test
    void aReaderThatLeavesDoesNotEndTheOutput() throws Exception {
        peer.write(bytes(2), Wait.NONE);
        ending.ending.holdWriters();
        assertEquals(1, ending.read(bytes(1), Wait.NONE));
        ending.ending.endWithJvm(LIMIT_NS);
        assertThrows(SocketException.class, () -> peer.read(bytes(10), Wait.INTERRUPTIBLE));
    }

    @Test
    void theBackgroundThreadIsNotHeldThoughItTakesTheWritersTurn() throws Exception {
        ending.ending.lookForMemory();
        ending.ending.holdWriters();
        Thread background = new Thread(ending.ending::lookForMemory);
        background.start();
        while (background.isAlive()) {
            for (StackTraceElement frame : background.getStackTrace()) {
                assertNotEquals("awaitEndOfJvm", frame.getMethodName());
            }
        }
    }

    @Test
    void aBlockedReaderIsNotDisturbed() throws Exception {
        Thread reader = new Thread(() -> read(ending));
        reader.start();
        awaitBlocked(reader);
        ending.ending.endWithJvm(LIMIT_NS);
        assertEquals(Outcome.END_OF_STREAM, peer.read(bytes(10), Wait.INTERRUPTIBLE));
        assertTrue(reader.isAlive());
        ending.close(Close.ORDERLY);
        reader.join();
    }

    /** Writers that wait for room have left by then ({@code holdWriters}); one that copies may take its time. */
    @Test
    void aWriterThatDoesNotLeaveMakesItAReset() throws Exception {
        CountDownLatch writing = new CountDownLatch(1);
        CountDownLatch told = new CountDownLatch(1);
        Thread writer = new Thread(() -> {
            ending.ending.writeLock.lock();
            writing.countDown();
            awaitUninterruptibly(told);
            ending.ending.writeLock.unlock();
        });
        writer.start();
        writing.await();
        ending.ending.endWithJvm(LIMIT_NS);
        assertThrows(SocketException.class, () -> peer.read(bytes(4096), Wait.INTERRUPTIBLE));
        told.countDown();
        writer.join();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void read(ExsConnection connection) {
        try {
            connection.read(bytes(10), Wait.UNINTERRUPTIBLE);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Waits until the thread sleeps inside {@code Waiters}. */
    private static void awaitBlocked(Thread thread) {
        while (true) {
            StackTraceElement[] stack = thread.getStackTrace();
            for (StackTraceElement frame : stack) {
                if (frame.getClassName().endsWith("waiting.Waiters")
                        && frame.getMethodName().equals("sleep")) {
                    return;
                }
            }
            Thread.onSpinWait();
        }
    }
}
