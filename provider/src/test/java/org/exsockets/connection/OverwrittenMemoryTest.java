package org.exsockets.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.soft.SoftDevices;
import org.exsockets.verbs.soft.ring.SharedWords;
import org.exsockets.waiting.VirtualThreads;
import org.exsockets.waiting.Wait;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Something writes over the memory that both ends share, while threads sleep or selectors wait: a look ends that. Without
 * it the tests do not end. The background thread is kept from looking.
 */
class OverwrittenMemoryTest {
    private static final EndpointParameters PARAMETERS = new EndpointParameters(64 << 10, 64 << 10, 16, 1, 1);

    /** A sleep of this length is watched, and lasts: earlier ones end by themselves after 5 ms. */
    private static final int WATCHED_MS = 20;

    private ExsConnection a;
    private ExsConnection b;
    private SharedWords shared;

    @BeforeEach
    void connect() throws Exception {
        ConnectedEndpoints ends = ConnectedEndpoints.onLoopback(SoftDevices.open(), PARAMETERS);
        a = new ExsConnection(ends.connected());
        b = new ExsConnection(ends.accepted());
        LiveConnections.remove(a.ending);
        LiveConnections.remove(b.ending);
        shared = new SharedWords(ends.connected());
    }

    @AfterEach
    void close() {
        a.close(Close.ABORT);
        b.close(Close.ABORT);
    }

    private void look() {
        a.ending.lookForLosses();
        b.ending.lookForLosses();
    }

    private static <T> CompletableFuture<T> start(Callable<T> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(call.call());
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    private void awaitSleep(boolean ofA) throws InterruptedException {
        while (!shared.isAsleep(ofA)) {
            Thread.sleep(1);
        }
        Thread.sleep(WATCHED_MS);
    }

    private int write(ExsConnection to, int bytes) throws Exception {
        return to.write(ByteBuffer.allocate(bytes), Wait.NONE);
    }

    private CompletableFuture<Integer> sleepingReader() throws InterruptedException {
        CompletableFuture<Integer> read = start(() -> b.read(ByteBuffer.allocate(100), Wait.UNINTERRUPTIBLE));
        awaitSleep(false);
        shared.wipeSleep(false);
        return read;
    }

    @Test
    void aReaderThatNobodyWakesReadsOn() throws Exception {
        CompletableFuture<Integer> read = sleepingReader();
        write(a, 7);
        look();
        assertEquals(7, read.get());
    }

    @Test
    void soDoesOneThatTheBackgroundThreadWatchesFor() throws Exception {
        assumeTrue(VirtualThreads.supported());
        CompletableFuture<Integer> read = new CompletableFuture<>();
        VirtualThreads.start(() -> {
            try {
                read.complete(b.read(ByteBuffer.allocate(100), Wait.INTERRUPTIBLE));
            } catch (Exception e) {
                read.completeExceptionally(e);
            }
        });
        while (!shared.isArmed(false)) {
            Thread.sleep(1);
        }
        Thread.sleep(WATCHED_MS);
        shared.wipeSleep(false);
        write(a, 7);
        look();
        assertEquals(7, read.get());
    }

    @Test
    void soDoesOneWhoseBytesAnotherThreadHasSeen() throws Exception {
        CompletableFuture<Integer> read = sleepingReader();
        write(a, 7);
        b.available();
        look();
        assertEquals(7, read.get());
    }

    @Test
    void aWriterThatNobodyWakesWritesOn() throws Exception {
        int length = 10 * PARAMETERS.exposedBytes();
        CompletableFuture<Integer> written = start(() -> a.write(ByteBuffer.allocate(length), Wait.UNINTERRUPTIBLE));
        ByteBuffer all = ByteBuffer.allocate(length);
        while (all.hasRemaining()) {
            awaitSleepOrEnd(written);
            shared.wipeSleep(true);
            while (b.read(all, Wait.NONE) > 0) {
                // What is there.
            }
            look();
        }
        assertEquals(length, written.get());
    }

    private void awaitSleepOrEnd(CompletableFuture<?> call) throws InterruptedException {
        while (!shared.isAsleep(true) && !call.isDone()) {
            Thread.sleep(1);
        }
    }

    /** Selectors, groups of asynchronous channels and event queues are told so that a connection is to be polled. */
    @Test
    void selectorsLookAgainIfSomethingHasComeAndNotOtherwise() throws Exception {
        AtomicInteger signals = new AtomicInteger();
        Runnable selector = signals::incrementAndGet;
        look();
        b.readiness().addSelector(selector);
        try {
            look();
            assertEquals(0, signals.get());
            write(a, 7);
            look();
            assertTrue(signals.get() > 0);
            assertTrue(b.readiness().readable());
            look();
            int told = signals.get();
            look();
            assertEquals(told, signals.get(), "it has looked since");
        } finally {
            b.readiness().removeSelector(selector);
        }
    }

    private void assertResetForBoth() {
        for (ExsConnection each : new ExsConnection[] {a, b}) {
            ByteBuffer target = ByteBuffer.allocate(100);
            assertEquals(
                    "Connection reset",
                    assertThrows(SocketException.class, () -> each.read(target, Wait.UNINTERRUPTIBLE))
                            .getMessage());
        }
    }

    @Test
    void aLostMessageIsAResetForBoth() throws Exception {
        write(a, 7);
        shared.header(false, 0, 0);
        look();
        assertResetForBoth();
    }

    @Test
    void soItIsBehindBytesThatWereReadAndForAReaderThatSleeps() throws Exception {
        write(a, 7);
        assertEquals(7, b.read(ByteBuffer.allocate(7), Wait.NONE));
        write(a, 7);
        shared.header(false, 1, shared.header(false, 1) + 1L << 32);
        CompletableFuture<Integer> read = start(() -> b.read(ByteBuffer.allocate(100), Wait.UNINTERRUPTIBLE));
        awaitSleep(false);
        assertFalse(read.isDone());
        look();
        ExecutionException reset = assertThrows(ExecutionException.class, read::get);
        assertEquals("Connection reset", reset.getCause().getMessage());
    }

    @Test
    void aLostAnswerIsAResetForAWriterThatSleeps() throws Exception {
        int length = 10 * PARAMETERS.exposedBytes();
        CompletableFuture<Integer> written = start(() -> a.write(ByteBuffer.allocate(length), Wait.UNINTERRUPTIBLE));
        awaitSleep(true);
        a.progress.enterPolling(); // Should it be awake, it does not take the answer.
        b.read(ByteBuffer.allocate(length), Wait.NONE);
        for (int message = 0; message < PARAMETERS.receiveDepth(); message++) {
            shared.header(true, message, 0);
        }
        a.progress.leavePolling();
        look();
        assertTrue(written.handle((bytes, e) -> e != null || bytes < length).get());
        assertTrue(a.progress.isReset());
        assertTrue(b.progress.isReset());
    }

    @Test
    void whatIsUnreadIsNotLost() throws Exception {
        int written = 0;
        for (int n; (n = write(a, 1_000)) > 0; written += n) {
            look();
        }
        look();
        int read = 0;
        while (read < written) {
            read += b.read(ByteBuffer.allocate(3_000), Wait.UNINTERRUPTIBLE);
            look();
        }
        assertEquals(written, read);
        assertFalse(a.progress.isReset());
        assertFalse(b.progress.isReset());
    }
}
