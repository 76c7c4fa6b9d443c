package org.exsockets.waiting;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.exsockets.jdk.JdkChannels;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ProgressThreadTest {
    private Pipe pipe;

    /** After the call, in the thread that has forgotten the channel. */
    private volatile boolean isRegistered = true;

    private volatile boolean isInterrupted;

    /** Until it is counted down the background thread does nothing else. */
    private final CountDownLatch goesOn = new CountDownLatch(1);

    @BeforeEach
    void openPipe() throws Exception {
        pipe = Pipe.open();
        pipe.source().configureBlocking(false);
        CountDownLatch waits = new CountDownLatch(1);
        ProgressThread.get().submit(() -> {
            waits.countDown();
            await(goesOn);
        });
        waits.await();
    }

    @AfterEach
    void closePipe() throws Exception {
        goesOn.countDown();
        pipe.source().close();
        pipe.sink().close();
        ProgressThread.flushClosed();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void watch() throws Exception {
        ProgressThread.get().watch(pipe.source(), SelectionKey.OP_READ, () -> {});
    }

    /** Forgets in a thread of its own; the background thread goes on when that waits for it. */
    private Thread forgetting(boolean interrupted) throws Exception {
        Thread thread = new Thread(
                () -> {
                    if (interrupted) {
                        Thread.currentThread().interrupt();
                    }
                    ProgressThread.forget(pipe.source());
                    isInterrupted = Thread.currentThread().isInterrupted();
                    isRegistered = pipe.source().isRegistered();
                },
                "forgetting");
        thread.start();
        while (thread.isAlive() && thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        return thread;
    }

    @Test
    void aWatchThatHasNotBegunIsForgotten() throws Exception {
        watch();
        Thread thread = forgetting(false);
        goesOn.countDown();
        thread.join();
        assertFalse(isRegistered);
        assertNothingComesLater();
    }

    @Test
    void whoIsInterruptedWaitsAllTheSame() throws Exception {
        watch();
        Thread thread = forgetting(true);
        goesOn.countDown();
        thread.join();
        assertTrue(isInterrupted);
        assertFalse(isRegistered);
        assertNothingComesLater();
    }

    @Test
    void whatWasSubmittedBeforeTheEndIsDoneBeforeTheThreadEnds() throws Exception {
        ProgressThread ending = new ProgressThread(JdkChannels.openSelector());
        AtomicReference<Thread> thread = new AtomicReference<>();
        AtomicBoolean done = new AtomicBoolean();
        CountDownLatch waits = new CountDownLatch(1);
        ending.submit(() -> {
            thread.set(Thread.currentThread());
            waits.countDown();
            await(goesOn);
        });
        waits.await();
        ending.submit(() -> done.set(true));
        ending.end();
        goesOn.countDown();
        thread.get().join();
        assertTrue(done.get());
        ending.letGo(pipe.source());
    }

    /** As where the heap is full: what has been caught cannot be told. */
    private static Error unprintable() {
        return new Error() {
            @Override
            public String toString() {
                throw this;
            }
        };
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aTaskThatFailsEndsNoOther(boolean canBeTold) throws Exception {
        ProgressThread ending = new ProgressThread(JdkChannels.openSelector());
        CountDownLatch waits = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(2);
        ending.submit(() -> {
            waits.countDown();
            await(goesOn);
        });
        waits.await();
        Runnable fails = () -> {
            if (canBeTold) {
                throw new IllegalStateException("on purpose");
            }
            throw unprintable();
        };
        for (Runnable task : List.<Runnable>of(fails, done::countDown, fails, done::countDown)) {
            ending.submit(task);
        }
        ending.end();
        goesOn.countDown();
        done.await();
    }

    @Test
    void aSelectorThatFailsForGoodDoesNotUseUpACore() throws Exception {
        Selector closed = Selector.open();
        closed.close();
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        ProgressThread failing = new ProgressThread(closed);
        Thread thread = Thread.getAllStackTraces().keySet().stream()
                .filter(each -> each.getName().equals("exs-progress") && !before.contains(each))
                .findFirst()
                .orElseThrow();
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            assertFalse(Thread.interrupted(), "the time is over, and it has not paused");
        }
        failing.end();
        thread.join();
    }

    private void assertNothingComesLater() throws Exception {
        CountDownLatch behind = new CountDownLatch(1);
        ProgressThread.get().submit(behind::countDown);
        behind.await();
        assertFalse(pipe.source().isRegistered());
    }
}
