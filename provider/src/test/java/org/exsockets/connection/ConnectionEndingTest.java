package org.exsockets.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.ReentrantLock;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.soft.SoftDevices;
import org.exsockets.waiting.Outcome;
import org.exsockets.waiting.Wait;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Who ends a connection when others are at work on it, how its peer sees that, and who gives its memory back. */
class ConnectionEndingTest {
    private static final EndpointParameters PARAMETERS = new EndpointParameters(4096, 8, 1, 1);
    private static final Runnable NO_SIGNAL = () -> {};

    private ExsConnection connection;
    private ConnectionEnding ending;
    private ExsConnection peer;

    @BeforeEach
    void connect() throws Exception {
        ConnectedEndpoints ends = ConnectedEndpoints.onLoopback(SoftDevices.open(), PARAMETERS);
        connection = new ExsConnection(ends.connected());
        ending = connection.ending;
        peer = new ExsConnection(ends.accepted());
    }

    @AfterEach
    void close() {
        connection.close(Close.ABORT);
        peer.close(Close.ABORT);
    }

    private boolean isReleased() {
        return connection.progress.life.isReleased();
    }

    private boolean isDisconnected() {
        return connection.progress.life.isDisconnected();
    }

    private static int read(ExsConnection from) throws IOException {
        return from.read(ByteBuffer.allocate(100), Wait.UNINTERRUPTIBLE);
    }

    private static void write(ExsConnection to) throws IOException {
        assertEquals(1, to.write(ByteBuffer.allocate(1), Wait.UNINTERRUPTIBLE));
    }

    /** {@return what the peer sees behind all bytes} */
    private String seenByPeer() throws IOException {
        try {
            int n = 0;
            while (n != Outcome.END_OF_STREAM) {
                n = read(peer);
            }
            return peer.progress.isReset() ? "end and reset" : "end";
        } catch (SocketException reset) {
            return "reset";
        }
    }

    /** Another thread, at work on the connection until it is told to leave. */
    private final class AtWork {
        private final CountDownLatch leaves = new CountDownLatch(1);
        private final Thread thread;

        AtWork(ReentrantLock turn) throws InterruptedException {
            CountDownLatch entered = new CountDownLatch(1);
            thread = new Thread(() -> {
                turn.lock();
                try {
                    entered.countDown();
                    leaves.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                } finally {
                    ending.unlock(turn);
                }
            });
            thread.start();
            entered.await();
        }

        void leave() throws InterruptedException {
            leaves.countDown();
            thread.join();
        }
    }

    private AtWork reader() throws InterruptedException {
        return new AtWork(ending.readLock);
    }

    private AtWork writer() throws InterruptedException {
        return new AtWork(ending.writeLock);
    }

    // How the peer sees it.

    @ParameterizedTest
    @CsvSource({
        // how it is closed, SO_LINGER is 0, there is something to read: what the peer sees
        "ORDERLY,      false, false, end",
        "ORDERLY,      false, true,  reset",
        "ORDERLY,      true,  false, reset",
        "ORDERLY,      true,  true,  reset",
        "OUTPUT_FIRST, false, false, end",
        "OUTPUT_FIRST, false, true,  end and reset",
        "OUTPUT_FIRST, true,  false, reset",
        "OUTPUT_FIRST, true,  true,  reset",
        "ABORT,        false, false, reset",
        "ABORT,        false, true,  reset",
    })
    void aCloseIsOrderlyUnlessTheProgramOrUnreadBytesForbidIt(
            Close how, boolean lingersNot, boolean unread, String seen) throws IOException {
        write(connection);
        if (unread) {
            write(peer);
        }
        ending.lingersNot = lingersNot;
        connection.close(how);
        assertTrue(isDisconnected());
        assertTrue(isReleased(), "nobody else uses it");
        assertEquals(seen, seenByPeer());
    }

    @Test
    void aConnectionIsClosedOnce() throws IOException {
        connection.close(Close.ORDERLY);
        connection.close(Close.ABORT);
        assertEquals("end", seenByPeer());
    }

    @Test
    void aShutdownOfTheOutputIsTheEndForThePeerAndNotTheClose() throws IOException {
        write(connection);
        ending.shutdownOutput();
        assertEquals("end", seenByPeer());
        assertFalse(isDisconnected());
        write(peer);
        assertEquals(1, read(connection), "the other direction goes on");
    }

    @Test
    void aResetIsSeenByBothEnds() throws IOException {
        ending.reset();
        assertThrows(SocketException.class, () -> read(connection));
        assertEquals("reset", seenByPeer());
    }

    // With others at work.

    /** Its bytes are to come before the end. */
    @Test
    void whatAWriterIsPlacingComesBeforeTheEnd() throws Exception {
        AtWork writer = writer();
        connection.close(Close.ORDERLY);
        assertFalse(isDisconnected());
        writer.leave();
        assertTrue(isDisconnected());
        assertTrue(isReleased());
        assertEquals("end", seenByPeer());
    }

    @Test
    void aShutdownWhileAWriterIsAtWorkIsCompletedByTheWriter() throws Exception {
        AtWork writer = writer();
        ending.shutdownOutput();
        assertEquals(Outcome.WOULD_BLOCK, peer.read(ByteBuffer.allocate(1), Wait.NONE));
        writer.leave();
        assertEquals("end", seenByPeer());
    }

    @Test
    void aResetWaitsForNobody() throws Exception {
        AtWork writer = writer();
        AtWork reader = reader();
        connection.close(Close.ABORT);
        assertTrue(isDisconnected());
        assertEquals("reset", seenByPeer());
        reader.leave();
        writer.leave();
    }

    @Test
    void whoeverLeavesLastGivesTheMemoryBack() throws Exception {
        AtWork writer = writer();
        AtWork reader = reader();
        connection.close(Close.ABORT);
        assertFalse(isReleased());
        writer.leave();
        assertFalse(isReleased());
        reader.leave();
        assertTrue(isReleased());
    }

    @Test
    void aPinKeepsTheMemory() {
        assertTrue(connection.progress.pin());
        connection.close(Close.ORDERLY);
        assertFalse(isReleased());
        connection.progress.unpin();
        assertTrue(isReleased());
        assertFalse(connection.progress.pin());
    }

    @ParameterizedTest
    @EnumSource(
            value = Close.class,
            names = {"ORDERLY", "ABORT"})
    void aSelectorKeepsTheMemoryAndNotTheConnection(Close how) throws IOException {
        assertTrue(connection.readiness().addSelector(NO_SIGNAL));
        connection.close(how);
        assertTrue(isDisconnected());
        assertEquals(how == Close.ABORT ? "reset" : "end", seenByPeer());
        assertFalse(isReleased());
        connection.readiness().removeSelector(NO_SIGNAL);
        assertTrue(isReleased());
        assertFalse(connection.readiness().addSelector(NO_SIGNAL));
    }

    /** As the JDK, which ends the output of a registered channel, and closes it at the next selection. */
    @ParameterizedTest
    @CsvSource({
        // something comes before the selector lets go: what the peer sees then
        "false, end",
        "true,  end and reset",
    })
    void aConnectionThatIsLeftToSelectorsEndsItsOutputFirst(boolean comes, String seen) throws IOException {
        assertTrue(connection.readiness().addSelector(NO_SIGNAL));
        connection.close(Close.OUTPUT_FIRST);
        assertFalse(isDisconnected());
        assertEquals(Outcome.END_OF_STREAM, read(peer));
        if (comes) {
            write(peer);
        }
        connection.readiness().removeSelector(NO_SIGNAL);
        assertTrue(isDisconnected());
        assertTrue(isReleased());
        assertEquals(seen, seenByPeer());
    }

    @Test
    void whoReadsOrWritesBehindTheCloseIsRefused() throws IOException {
        connection.close(Close.ORDERLY);
        assertEquals(Outcome.CLOSED_BEFORE, read(connection));
        assertEquals(Outcome.CLOSED_BEFORE, connection.write(ByteBuffer.allocate(1), Wait.NONE));
        assertFalse(ending.awaitReaderAndWriter());
    }

    @ParameterizedTest
    @CsvSource({"reader", "writer"})
    void aCallForTheWholeConnectionWaitsForReaderAndWriter(String who) throws Exception {
        AtWork other = who.equals("reader") ? reader() : writer();
        FutureTask<Boolean> call = new FutureTask<>(ending::awaitReaderAndWriter);
        Thread waits = new Thread(call);
        waits.start();
        while (!isQueued(waits) && waits.isAlive()) {
            Thread.onSpinWait();
        }
        assertFalse(call.isDone());
        other.leave();
        assertTrue(call.get(), "nobody has closed");
    }

    private boolean isQueued(Thread thread) {
        return ending.readLock.hasQueuedThread(thread) || ending.writeLock.hasQueuedThread(thread);
    }

    // What is left behind a close.

    @Test
    void aCloseIsDeliveredWhenTheWriterHasLeft() throws Exception {
        AtWork writer = writer();
        connection.close(Close.ORDERLY);
        assertFalse(ending.awaitClosed(1));
        writer.leave();
        assertTrue(ending.awaitClosed(Wait.FOREVER));
    }

    @Test
    void theBackgroundThreadLeavesAloneWhatIsReleased() {
        connection.close(Close.ABORT);
        assertTrue(isReleased());
        ending.lookForMemory();
        ending.lookForLosses();
        ending.endWithJvm(1);
        assertTrue(isReleased());
    }
}
