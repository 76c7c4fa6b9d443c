package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.CompletionHandler;
import java.nio.channels.InterruptedByTimeoutException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.ReadPendingException;
import java.nio.channels.WritePendingException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Face;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.PeerJvm;
import org.exsockets.compat.harness.Told;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Asynchronous reads and writes: bytes, buffers, what is pending, cancelling, time-outs. */
@Tag("fallback")
@Tag("noagent")
class AsynchronousTransferContract extends AsynchronousContract {
    private static final int LARGE = 12 << 20;

    /** Transfers a length through one buffer of pattern bytes after another, by its own handler. */
    private static final class Mover implements CompletionHandler<Integer, Boolean> {
        private final AsynchronousSocketChannel channel;
        private final ByteBuffer buffer;
        private final long end;
        private long position;
        final Told<Long> done = new Told<>();

        Mover(AsynchronousSocketChannel channel, ByteBuffer buffer, long lengthBytes) {
            this.channel = channel;
            this.buffer = buffer;
            this.end = lengthBytes;
        }

        Mover start(boolean reading) {
            next(reading);
            return this;
        }

        private void next(boolean reading) {
            if (position == end) {
                done.completed(position, null);
            } else if (reading) {
                buffer.clear().limit((int) Math.min(buffer.capacity(), end - position));
                channel.read(buffer, true, this);
            } else {
                buffer.clear().limit((int) Math.min(buffer.capacity(), end - position));
                buffer.put(Pattern.bytes(position, buffer.remaining())).flip();
                channel.write(buffer, false, this);
            }
        }

        @Override
        public void completed(Integer n, Boolean reading) {
            try {
                if (n <= 0) {
                    throw new AssertionError("moved " + n + " at " + position);
                }
                if (reading) {
                    Pattern.check(position, buffer.flip());
                }
                position += n;
                if (!reading && buffer.hasRemaining()) {
                    channel.write(buffer, false, this);
                } else {
                    next(reading);
                }
            } catch (Throwable e) {
                done.failed(e, null);
            }
        }

        @Override
        public void failed(Throwable failure, Boolean reading) {
            done.failed(failure, null);
        }
    }

    @Test
    void bytesArriveInOrderFromABlockingSocket() throws Exception {
        AsynchronousLink link = connectedTo(Face.NET, group(1));
        link.remote().startWrite(3_000_000);
        readPattern(link.local(), 0, 3_000_000);
    }

    @Test
    void bytesArriveInOrderAtABlockingChannel() throws Exception {
        AsynchronousLink link = connected();
        var read = link.remote().startRead(3_000_000);
        writeFully(link.local(), Pattern.buffer(0, 3_000_000));
        assertEquals("3000000", PeerJvm.await(read));
    }

    @Test
    void largeTransfersGoBothWaysAtOnceWithABlockingEcho() throws Throwable {
        AsynchronousLink link = connected();
        link.remote().startEcho();
        Mover writer = new Mover(link.local(), ByteBuffer.allocateDirect(300_000), LARGE).start(false);
        Mover reader = new Mover(link.local(), ByteBuffer.allocate(100_001), LARGE).start(true);
        assertEquals(LARGE, writer.done.result());
        assertEquals(LARGE, reader.done.result());
    }

    @Test
    void largeTransfersGoBothWaysAtOnceBetweenAsynchronousChannels() throws Throwable {
        AsynchronousPair pair = pair(group(1), group(3));
        List<Mover> movers = List.of(
                new Mover(pair.client(), ByteBuffer.allocateDirect(1 << 20), LARGE).start(false),
                new Mover(pair.server(), ByteBuffer.allocateDirect(65_537), LARGE).start(true),
                new Mover(pair.server(), ByteBuffer.allocate(77_777), LARGE).start(false),
                new Mover(pair.client(), ByteBuffer.allocate(1 << 20), LARGE).start(true));
        for (Mover mover : movers) {
            assertEquals(LARGE, mover.done.result());
        }
    }

    @Test
    void manyShortMessagesGoToAndFroByHandlers() throws Throwable {
        AsynchronousPair pair = pair(group(1), group(1));
        Mover there = new Mover(pair.client(), ByteBuffer.allocate(17), 60_000).start(false);
        Mover arrived = new Mover(pair.server(), ByteBuffer.allocate(13), 60_000).start(true);
        assertEquals(60_000, there.done.result());
        assertEquals(60_000, arrived.done.result());
    }

    @Test
    void aHundredChannelsOfOneGroupMoveAtTheSameTime() throws Throwable {
        var group = group(2);
        List<Mover> movers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            AsynchronousPair pair = pair(group, group);
            movers.add(new Mover(pair.client(), ByteBuffer.allocate(5_000), 50_000).start(false));
            movers.add(new Mover(pair.server(), ByteBuffer.allocate(3_000), 50_000).start(true));
        }
        for (Mover mover : movers) {
            assertEquals(50_000, mover.done.result());
        }
    }

    @Test
    void readWaitsForTheFirstByteAndTakesWhatThereIs() throws Exception {
        AsynchronousLink link = connected();
        ByteBuffer buffer = ByteBuffer.allocate(100);
        Future<Integer> read = link.local().read(buffer);
        assertFalse(read.isDone());
        link.remote().write(7);
        assertEquals(7, get(read));
        Pattern.check(0, buffer.flip());
    }

    @Test
    void readFillsOnlyWhatIsLeftOfTheBuffer() throws Throwable {
        AsynchronousLink link = connected();
        link.remote().write(50);
        ByteBuffer buffer = ByteBuffer.allocate(30).position(10).limit(20);
        Told<Integer> told = new Told<>();
        link.local().read(buffer, "attached", told);
        assertEquals(10, told.result());
        assertEquals("attached", told.attachment());
        assertEquals(20, buffer.position());
        assertEquals(20, buffer.limit());
        Pattern.check(0, buffer.position(10));
        readPattern(link.local(), 10, 40);
    }

    @Test
    void emptyBuffersCompleteAtOnceWithNothing() throws Throwable {
        AsynchronousSocketChannel local = connected().local();
        assertEquals(0, get(local.read(ByteBuffer.allocate(0))));
        assertEquals(0, get(local.write(ByteBuffer.allocate(0))));
        Told<Integer> read = new Told<>();
        local.read(ByteBuffer.allocate(0), null, read);
        assertEquals(0, read.result());
        Told<Long> gathered = new Told<>();
        local.write(new ByteBuffer[0], 0, 0, 0, TimeUnit.SECONDS, null, gathered);
        assertEquals(0, gathered.result());
    }

    @Test
    void scatteringReadFillsBuffersInTheirOrder() throws Throwable {
        AsynchronousLink link = connected();
        link.remote().write(100);
        ByteBuffer[] buffers = {
            ByteBuffer.allocate(5), ByteBuffer.allocate(0), ByteBuffer.allocateDirect(20), ByteBuffer.allocate(7)
        };
        Told<Long> told = new Told<>();
        link.local().read(buffers, 0, 3, 0, TimeUnit.SECONDS, null, told);
        assertEquals(25, told.result());
        Pattern.check(0, buffers[0].flip());
        Pattern.check(5, buffers[2].flip());
        assertEquals(0, buffers[3].position());
        readPattern(link.local(), 25, 75);
    }

    @Test
    void pendingScatteringReadTakesWhatComes() throws Throwable {
        AsynchronousLink link = connected();
        ByteBuffer[] buffers = {ByteBuffer.allocate(4), ByteBuffer.allocate(4)};
        Told<Long> told = new Told<>();
        link.local().read(buffers, 0, 2, 0, TimeUnit.SECONDS, null, told);
        link.remote().write(6);
        assertEquals(6, told.result());
        assertEquals(4, buffers[0].position());
        assertEquals(2, buffers[1].position());
    }

    @Test
    void gatheringWriteGoesOnWhereItStopped() throws Throwable {
        AsynchronousLink link = connected();
        int each = 2_500_000;
        var read = link.remote().startRead(3L * each);
        ByteBuffer[] buffers = new ByteBuffer[3];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = i == 1 ? ByteBuffer.allocateDirect(each) : ByteBuffer.allocate(each);
            buffers[i].put(Pattern.bytes((long) i * each, each)).flip();
        }
        long total = 0;
        while (total < 3L * each) {
            Told<Long> told = new Told<>();
            link.local().write(buffers, 0, 3, 0, TimeUnit.SECONDS, null, told);
            long n = told.result();
            assertTrue(n > 0);
            total += n;
        }
        assertEquals(3L * each, total);
        assertEquals(Long.toString(total), PeerJvm.await(read));
    }

    @Test
    void argumentsAreCheckedBeforeAnythingElse() throws Exception {
        AsynchronousSocketChannel local = connected().local();
        ByteBuffer readOnly = ByteBuffer.allocate(1).asReadOnlyBuffer();
        assertThrows(IllegalArgumentException.class, "Read-only buffer", () -> local.read(readOnly));
        assertThrows(
                IllegalArgumentException.class,
                "Read-only buffer",
                () -> local.read(new ByteBuffer[] {readOnly}, 0, 1, 0, TimeUnit.SECONDS, null, new Told<>()));
        assertThrowsA(
                IndexOutOfBoundsException.class,
                () -> local.read(new ByteBuffer[1], 0, 2, 0, TimeUnit.SECONDS, null, new Told<>()));
        assertThrowsA(
                IndexOutOfBoundsException.class,
                () -> local.write(new ByteBuffer[1], 1, 1, 0, TimeUnit.SECONDS, null, new Told<>()));
        assertThrows(
                NullPointerException.class, "'handler' is null", () -> local.read(ByteBuffer.allocate(1), null, null));
        assertThrows(
                NullPointerException.class, "'handler' is null", () -> local.write(ByteBuffer.allocate(1), null, null));
        assertThrows(NullPointerException.class, "'handler' is null", () -> local.write(null, null, null));
        assertThrowsA(NullPointerException.class, () -> local.write(null, null, new Told<>()));
    }

    @Test
    void missingBufferOfAGatheringWriteIsToldToTheHandler() throws Exception {
        AsynchronousLink link = connected();
        ByteBuffer[] sources = {ByteBuffer.wrap(Pattern.bytes(0, 10)), null};
        Told<Long> told = new Told<>();
        link.local().write(sources, 0, 2, 0, TimeUnit.SECONDS, null, told);
        assertTrue(told.failure() instanceof NullPointerException);
        assertEquals(0, sources[0].position());
        assertEquals(10, get(link.local().write(sources[0])));
        link.remote().read(10);

        AsynchronousSocketChannel unconnected = channel(group(1));
        assertThrows(
                NotYetConnectedException.class,
                null,
                () -> unconnected.write(sources, 0, 2, 0, TimeUnit.SECONDS, null, told));
        unconnected.close();
        Told<Long> closed = new Told<>();
        unconnected.write(sources, 0, 2, 0, TimeUnit.SECONDS, null, closed);
        assertThrown(ClosedChannelException.class, null, closed.failure());
    }

    @Test
    void timeOutWithoutAUnitIsToldToTheHandler() throws Exception {
        AsynchronousLink link = connected();
        Told<Integer> told = new Told<>();
        link.local().read(ByteBuffer.allocate(10), 50, null, null, told);
        assertTrue(told.failure() instanceof NullPointerException);
        link.remote().write(10);
        readPattern(link.local(), 0, 10);
    }

    @Test
    void secondReadThrowsReadPending() throws Exception {
        AsynchronousLink link = connected();
        Future<Integer> read = link.local().read(ByteBuffer.allocate(1));
        assertThrows(ReadPendingException.class, null, () -> link.local().read(ByteBuffer.allocate(1)));
        assertThrows(ReadPendingException.class, null, () -> link.local().read(ByteBuffer.allocate(0)));
        link.remote().write(2);
        assertEquals(1, get(read));
        assertEquals(1, get(link.local().read(ByteBuffer.allocate(1))));
    }

    @Test
    void secondWriteThrowsWritePending() throws Exception {
        AsynchronousLink link = connected();
        Future<Integer> write = fill(link.local());
        assertThrows(WritePendingException.class, null, () -> link.local().write(ByteBuffer.allocate(1)));
        assertThrows(WritePendingException.class, null, () -> link.local().write(ByteBuffer.allocate(0)));
        assertFalse(write.isDone());
    }

    @Test
    void readAndWriteArePendingBesideEachOther() throws Exception {
        AsynchronousPair pair = pair();
        Future<Integer> read = pair.client().read(ByteBuffer.allocate(10));
        Future<Integer> write = fill(pair.client());
        assertFalse(read.isDone());
        get(pair.server().write(ByteBuffer.allocate(3)));
        assertEquals(3, get(read));
        assertFalse(write.isDone());
        while (!write.isDone()) {
            Future<Integer> drained = pair.server().read(ByteBuffer.allocate(1 << 20));
            await("one of them", () -> drained.isDone() || write.isDone());
        }
        assertTrue(get(write) > 0);
    }

    @Test
    void futureTimesOutAndTheReadGoesOn() throws Exception {
        AsynchronousLink link = connected();
        Future<Integer> read = link.local().read(ByteBuffer.allocate(10));
        assertThrows(TimeoutException.class, null, () -> read.get(30, TimeUnit.MILLISECONDS));
        link.remote().write(4);
        assertEquals(4, get(read));
    }

    @Test
    void whatIsDoneIsToldToAnInterruptedThreadToo() throws Exception {
        AsynchronousLink link = connected();
        Future<Integer> read = link.local().read(ByteBuffer.allocate(10));
        link.remote().write(4);
        await("the read", read::isDone);
        Thread.currentThread().interrupt();
        assertEquals(4, read.get());
        assertEquals(4, read.get(Patience.NEVER_MS, TimeUnit.MILLISECONDS));
        assertTrue(Thread.interrupted());
    }

    @Test
    void cancelledReadIsOverAndNoOtherIsAllowed() throws Exception {
        AsynchronousLink link = connected();
        Future<Integer> read = link.local().read(ByteBuffer.allocate(10));
        assertTrue(read.cancel(false));
        assertTrue(read.isCancelled());
        assertTrue(read.isDone());
        assertFalse(read.cancel(true));
        assertThrows(CancellationException.class, null, read::get);
        assertReadsNoMore(link);
    }

    private static void assertReadsNoMore(AsynchronousLink link) throws Exception {
        assertThrows(
                IllegalStateException.class,
                "Reading not allowed due to timeout or cancellation",
                () -> link.local().read(ByteBuffer.allocate(1)));
        assertTrue(link.local().isOpen());
        var arrived = link.remote().startRead(5);
        assertEquals(5, get(link.local().write(Pattern.buffer(0, 5))));
        assertEquals("5", PeerJvm.await(arrived));
    }

    @Test
    void cancelledWriteIsOverAndNoOtherIsAllowed() throws Exception {
        AsynchronousLink link = connected();
        Future<Integer> write = fill(link.local());
        assertTrue(write.cancel(false));
        assertThrows(CancellationException.class, null, write::get);
        assertWritesNoMore(link);
    }

    private static void assertWritesNoMore(AsynchronousLink link) throws Exception {
        assertThrows(
                IllegalStateException.class,
                "Writing not allowed due to timeout or cancellation",
                () -> link.local().write(ByteBuffer.allocate(1)));
        link.remote().write(3);
        assertEquals(3, get(link.local().read(ByteBuffer.allocate(10))));
    }

    @Test
    void forcefulCancelClosesTheChannel() throws Exception {
        AsynchronousSocketChannel local = connected().local();
        assertTrue(local.read(ByteBuffer.allocate(10)).cancel(true));
        assertFalse(local.isOpen());
    }

    @Test
    void whoWaitsForAReadThatIsForcefullyCancelledFindsTheChannelClosed() throws Exception {
        AsynchronousSocketChannel local = connected().local();
        Future<Integer> read = local.read(ByteBuffer.allocate(10));
        Background<Boolean> waiting = Background.start(() -> {
            assertThrows(CancellationException.class, null, read::get);
            return local.isOpen();
        });
        waiting.awaitBlockedIn("get");
        assertTrue(read.cancel(true));
        assertFalse(waiting.result());
    }

    @Test
    void whatIsDoneCannotBeCancelled() throws Exception {
        AsynchronousLink link = connected();
        Future<Integer> write = link.local().write(ByteBuffer.allocate(1));
        assertEquals(1, get(write));
        assertFalse(write.cancel(true));
        assertFalse(write.isCancelled());
        assertTrue(link.local().isOpen());
        assertEquals(1, write.get());
    }

    @Test
    void unitOfATimeIsLookedAtUnlessTheOperationHadToWait() throws Exception {
        AsynchronousLink link = connected();
        Future<Integer> atOnce = link.local().write(ByteBuffer.allocate(1));
        assertThrowsA(NullPointerException.class, () -> atOnce.get(1, null));
        Future<Integer> empty = link.local().read(ByteBuffer.allocate(0));
        assertThrowsA(NullPointerException.class, () -> empty.get(1, null));
        Future<Integer> waited = link.local().read(ByteBuffer.allocate(1));
        link.remote().write(1);
        assertEquals(1, get(waited));
        assertEquals(1, waited.get(1, null));
    }

    @Test
    void bufferWhoseMemoryIsGoneIsToldToHandlersAndThroughFutures() throws Exception {
        assumeTrue(Arenas.present(), "no arenas");
        AsynchronousLink link = connected();
        ByteBuffer gone = Arenas.closed();
        Told<Integer> write = new Told<>();
        link.local().write(gone, null, write);
        assertThrown(IllegalStateException.class, "Already closed", write.failure());
        assertGone(failure(link.local().write(gone)));
        link.remote().write(3);
        Told<Integer> read = new Told<>();
        link.local().read(gone, null, read);
        assertThrown(IllegalStateException.class, "Already closed", read.failure());
        assertGone(failure(link.local().read(gone)));
        readPattern(link.local(), 0, 3);
        var arrived = link.remote().startRead(5);
        assertEquals(5, get(link.local().write(Pattern.buffer(0, 5))));
        assertEquals("5", PeerJvm.await(arrived));
    }

    private static void assertGone(Throwable failure) {
        assertThrown(IOException.class, "java.lang.IllegalStateException: Already closed", failure);
        assertThrown(IllegalStateException.class, "Already closed", failure.getCause());
    }

    @Test
    void readThatTakesTooLongFailsAndNoOtherIsAllowed() throws Exception {
        AsynchronousLink link = connected();
        Told<Integer> told = new Told<>();
        link.local().read(ByteBuffer.allocate(10), 50, TimeUnit.MILLISECONDS, "attached", told);
        assertThrown(InterruptedByTimeoutException.class, null, told.failure());
        assertEquals("attached", told.attachment());
        assertOfGroup(told);
        assertReadsNoMore(link);
    }

    @Test
    void scatteringReadTimesOutToo() throws Exception {
        AsynchronousLink link = connected();
        Told<Long> told = new Told<>();
        link.local().read(new ByteBuffer[] {ByteBuffer.allocate(1)}, 0, 1, 50, TimeUnit.MILLISECONDS, null, told);
        assertThrown(InterruptedByTimeoutException.class, null, told.failure());
    }

    @Test
    void writeThatTakesTooLongFailsAndNoOtherIsAllowed() throws Throwable {
        AsynchronousLink link = connected();
        Told<Integer> told;
        do {
            told = new Told<>();
            link.local().write(ByteBuffer.allocate(1 << 20), 300, TimeUnit.MILLISECONDS, null, told);
            await("told", told::isDone);
        } while (told.attachment() == null && succeeded(told));
        assertThrown(InterruptedByTimeoutException.class, null, told.failure());
        assertWritesNoMore(link);
    }

    private static boolean succeeded(Told<Integer> told) throws Throwable {
        try {
            return told.result() > 0;
        } catch (InterruptedByTimeoutException timedOut) {
            return false;
        }
    }

    @Test
    void operationsInTimeAreNotDisturbedByTheirTimeOuts() throws Throwable {
        AsynchronousLink link = connected();
        for (int i = 0; i < 50; i++) {
            Told<Integer> told = new Told<>();
            link.local().read(ByteBuffer.allocate(10), 10 + i % 3 * 1000, TimeUnit.SECONDS, null, told);
            link.remote().write(1);
            assertEquals(1, told.result());
        }
        Told<Integer> last = new Told<>();
        link.local().read(ByteBuffer.allocate(10), 40, TimeUnit.MILLISECONDS, null, last);
        assertThrown(InterruptedByTimeoutException.class, null, last.failure());
    }

    @Test
    void timeOutsThatAreNotPositiveAreNone() throws Throwable {
        AsynchronousLink link = connected();
        Told<Integer> told = new Told<>();
        link.local().read(ByteBuffer.allocate(10), -1, TimeUnit.NANOSECONDS, null, told);
        assertFalse(told.isDone());
        link.remote().write(2);
        assertEquals(2, told.result());
    }
}
