package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.InterruptedByTimeoutException;
import java.nio.channels.ReadPendingException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.Told;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of operations while all threads of their group run handlers. */
@Tag("fallback")
@Tag("noagent")
class AsynchronousBusyGroupContract extends AsynchronousContract {
    private static final long TIMEOUT_MS = 50;
    private static final long SOON_MS = 800;

    /** Notes that a handler was told, in order. */
    private record Note(String name, Queue<String> told) implements CompletionHandler<Integer, Object> {
        @Override
        public void completed(Integer result, Object attachment) {
            told.add(name);
        }

        @Override
        public void failed(Throwable failure, Object attachment) {
            told.add(name + ": " + failure);
        }
    }

    /** Keeps the only thread of a group in a handler, until the latch that is returned is opened. */
    private CountDownLatch occupy(AsynchronousChannelGroup one) throws Exception {
        AsynchronousPair pair = pair(group(1), one);
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch release = closing(new Release()).latch;
        pair.server().read(ByteBuffer.allocate(1), null, new Succeeding<Integer>() {
            @Override
            public void completed(Integer result, Object attachment) {
                entered.countDown();
                try {
                    release.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        });
        get(pair.client().write(ByteBuffer.allocate(1)));
        Patience.await("entered", entered::await);
        return release;
    }

    /** Lets the thread go at the latest when the test is over. */
    private static final class Release implements AutoCloseable {
        private final CountDownLatch latch = new CountDownLatch(1);

        @Override
        public void close() {
            latch.countDown();
        }
    }

    /** Waits until a read that is under way has timed out: then another one is not allowed, and is not just too early. */
    private static void awaitTimedOut(AsynchronousSocketChannel channel) {
        await("the read times out", () -> {
            try {
                channel.read(ByteBuffer.allocate(1));
                throw new AssertionError("the read before is over");
            } catch (ReadPendingException notYet) {
                return false;
            } catch (IllegalStateException timedOut) {
                return true;
            }
        });
    }

    /** A read of the server whose time has passed while its group was busy. */
    private record Overdue(AsynchronousPair pair, Told<Integer> told, CountDownLatch release) {
        /** Lets the group's thread go, and looks how the read ends. */
        void assertTimedOut() throws Exception {
            release.countDown();
            assertThrown(InterruptedByTimeoutException.class, null, told.failure());
        }
    }

    private Overdue overdueRead() throws Exception {
        AsynchronousChannelGroup one = group(1);
        AsynchronousPair pair = pair(group(1), one);
        CountDownLatch release = occupy(one);
        Told<Integer> told = new Told<>();
        pair.server().read(ByteBuffer.allocate(10), TIMEOUT_MS, TimeUnit.MILLISECONDS, null, told);
        awaitTimedOut(pair.server());
        return new Overdue(pair, told, release);
    }

    private static void assertNoReadAllowed(AsynchronousSocketChannel channel) {
        assertThrows(
                IllegalStateException.class,
                "Reading not allowed due to timeout or cancellation",
                () -> channel.read(ByteBuffer.allocate(1)));
    }

    @Test
    void readAfterOneThatHasTakenTooLongIsNotAllowed() throws Exception {
        Overdue read = overdueRead();
        assertNoReadAllowed(read.pair().server());
        assertFalse(read.told().isDone());
        read.assertTimedOut();
        assertEquals(1, read.told().calls());
    }

    @Test
    void bytesThatComeAfterTheTimeOutComeTooLate() throws Exception {
        Overdue read = overdueRead();
        get(read.pair().client().write(ByteBuffer.allocate(3)));
        read.assertTimedOut();
        assertNoReadAllowed(read.pair().server());
    }

    @Test
    void closeAfterTheTimeOutComesTooLate() throws Exception {
        Overdue read = overdueRead();
        read.pair().server().close();
        read.assertTimedOut();
    }

    @Test
    void longestTimeOutLeavesTheOthersAlone() throws Exception {
        AsynchronousChannelGroup one = group(1);
        AsynchronousChannelGroup other = group(1);
        AsynchronousPair quick = pair(other, one);
        AsynchronousPair patient = pair(other, one);
        CountDownLatch release = occupy(one);
        Told<Integer> told = new Told<>();
        quick.server().read(ByteBuffer.allocate(1), TIMEOUT_MS, TimeUnit.MILLISECONDS, null, told);
        awaitTimedOut(quick.server());
        Told<Integer> waiting = new Told<>();
        patient.server().read(ByteBuffer.allocate(1), Long.MAX_VALUE, TimeUnit.NANOSECONDS, null, waiting);
        release.countDown();
        assertThrown(InterruptedByTimeoutException.class, null, told.failure());
        assertFalse(waiting.isDone());
    }

    @Test
    void readIsToldBeforeAWriteThatIsDoneAtTheSameTime() throws Exception {
        AsynchronousChannelGroup one = group(1);
        AsynchronousPair pair = pair(group(1), one);
        Queue<String> told = new ConcurrentLinkedQueue<>();
        do {
            told.clear();
            pair.server().write(ByteBuffer.allocate(1 << 20), null, new Note("write", told));
        } while (isToldSoon(told));
        pair.server().read(ByteBuffer.allocate(10), null, new Note("read", told));
        CountDownLatch release = occupy(one);
        get(pair.client().write(ByteBuffer.allocate(5)));
        ByteBuffer drained = ByteBuffer.allocate(1 << 20);
        for (Future<Integer> read; doneSoon(read = pair.client().read(drained.clear())); ) {
            assertTrue(read.get() > 0);
        }
        release.countDown();
        await("both told", () -> told.size() == 2);
        assertEquals(List.of("read", "write"), List.copyOf(told));
    }

    private static boolean isToldSoon(Queue<String> told) {
        long startNs = System.nanoTime();
        while (told.isEmpty() && System.nanoTime() - startNs < TimeUnit.MILLISECONDS.toNanos(SOON_MS)) {
            Thread.onSpinWait();
        }
        return !told.isEmpty();
    }
}
