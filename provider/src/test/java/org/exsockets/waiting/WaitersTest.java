package org.exsockets.waiting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.exsockets.jdk.Futex;
import org.exsockets.verbs.CompletionChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class WaitersTest {
    /** Who leads. */
    enum Kind {
        /** The background thread, on the channel: there is no word. */
        BACKGROUND,

        /** The first thread, on a word of memory. */
        WORD
    }

    private static final long LONG_NS = 50_000_000_000_000L;
    private static final long NEVER_NS = Long.MAX_VALUE;

    private final PipeChannel channel = new PipeChannel();
    private final AtomicInteger events = new AtomicInteger();
    private volatile boolean channelArmed;

    /** The peer has disconnected; whether somebody has looked since. */
    private final AtomicBoolean disconnected = new AtomicBoolean();

    private volatile boolean disconnectSeen;

    /** Something has come: whoever looks sees it, whether or not anybody was told. */
    private volatile boolean rung;

    /** Somebody has seen it so. */
    private volatile boolean rungSeen;

    /** What the thread in each slot looks at last; each is set by that thread. */
    private final BooleanSupplier[] looks = new BooleanSupplier[2];

    /** Null: there is none. */
    private final MemoryWord word;

    private final Waiters waiters;
    private final List<Thread> threads = new ArrayList<>();

    WaitersTest(Kind kind) {
        Waiters.Sleepers sleepers = new Waiters.Sleepers() {
            @Override
            public void armChannel() {
                channelArmed = true;
            }

            @Override
            public boolean check(int slot) {
                return looks[slot].getAsBoolean();
            }

            @Override
            public boolean changed(int slot) {
                return looks[slot].getAsBoolean();
            }

            @Override
            public void onWatched() {}

            @Override
            public void lookForDisconnect() {
                disconnectSeen = disconnected.get();
            }

            @Override
            public void onEvent(int bits) {
                events.addAndGet(bits);
            }
        };
        word = kind == Kind.WORD ? new MemoryWord() : null;
        waiters = new Waiters(channel, word, sleepers);
    }

    @AfterEach
    void close() throws Exception {
        for (Thread thread : threads) {
            thread.interrupt();
            thread.join();
        }
        waiters.close();
        channel.close();
    }

    @Test
    void whatNeedsNoSleepGetsNone() {
        AtomicInteger asked = new AtomicInteger();
        sleep(Waiters.READER, NEVER_NS, () -> asked.incrementAndGet() > 0);
        sleep(Waiters.WRITER, NEVER_NS, () -> asked.incrementAndGet() > 0);
        assertEquals(2, asked.get());
    }

    @Test
    void anEventWakesTheLeaderAndIsHandedOver() throws Exception {
        Thread leader = sleeper(Waiters.READER, LONG_NS);
        awaitLeading(leader);
        ring();
        leader.join();
        assertRungOnce();
    }

    @Test
    void theLeaderTakesTheEventForBoth() throws Exception {
        Thread leader = sleeper(Waiters.READER, LONG_NS);
        awaitLeading(leader);
        Thread follower = sleeper(Waiters.WRITER, LONG_NS);
        awaitFollowing(follower);
        ring();
        leader.join();
        follower.join();
        assertRungOnce();
    }

    @Test
    void wakeAllEndsBothSleepsWithoutAnEvent() throws Exception {
        Thread leader = sleeper(Waiters.WRITER, NEVER_NS);
        awaitLeading(leader);
        Thread follower = sleeper(Waiters.READER, NEVER_NS);
        awaitFollowing(follower);
        wakeAll();
        leader.join();
        follower.join();
        assertEquals(0, events.get());
    }

    @Test
    void aLeaderThatLeavesMakesRoomForTheOther() throws Exception {
        Thread leader = sleeper(Waiters.READER, LONG_NS);
        awaitLeading(leader);
        AtomicInteger value = new AtomicInteger();
        Thread other = sleeperUntilSet(Waiters.WRITER, value);
        awaitFollowing(other);
        leader.interrupt();
        leader.join();
        awaitLeading(other);
        value.set(1);
        ring();
        other.join();
    }

    @Test
    void aTimeOutEndsASleep() {
        long startNs = System.nanoTime();
        sleep(Waiters.READER, 2_000_000, () -> false);
        assertTrue(System.nanoTime() - startNs >= 1_000_000);
        assertEquals(0, events.get());
    }

    @Test
    void anInterruptEndsEitherSleep() throws Exception {
        Thread leader = sleeper(Waiters.READER, NEVER_NS);
        awaitLeading(leader);
        Thread follower = sleeper(Waiters.WRITER, NEVER_NS);
        awaitFollowing(follower);
        follower.interrupt();
        follower.join();
        leader.interrupt();
        leader.join();
    }

    @Test
    void aWakeUpBetweenTheLookAndTheSleepIsNotLost() throws Exception {
        // As leader, then as follower.
        sleep(Waiters.READER, NEVER_NS, () -> run(this::ring));
        assertRungOnce();
        CountDownLatch done = new CountDownLatch(1);
        sleep(Waiters.READER, NEVER_NS, () -> {
            start(() -> {
                waiters.wakeAll();
                done.countDown();
            });
            awaitYielding(done);
            return false;
        });
        Thread leader = sleeper(Waiters.READER, NEVER_NS);
        awaitLeading(leader);
        CountDownLatch again = new CountDownLatch(1);
        sleep(Waiters.WRITER, NEVER_NS, () -> {
            start(() -> {
                wakeAll();
                again.countDown();
            });
            awaitYielding(again);
            return false;
        });
        leader.join();
    }

    @Test
    void noChangeIsMissedByTwoSleepersUnderLoad() throws Exception {
        exchange(this::start, 5_000);
    }

    @Test
    void noChangeIsMissedByVirtualThreads() throws Exception {
        assumeTrue(VirtualThreads.supported(), "virtual threads come with JDK 21");
        exchange(
                body -> {
                    Thread thread = VirtualThreads.start(body);
                    threads.add(thread);
                    return thread;
                },
                5_000);
    }

    /** Two sleepers see every value; the third thread waits for both before the next one. */
    private void exchange(Function<Runnable, Thread> starter, int rounds) throws Exception {
        AtomicInteger value = new AtomicInteger();
        AtomicInteger[] seen = {new AtomicInteger(), new AtomicInteger()};
        for (int i = 0; i < seen.length; i++) {
            int slot = i;
            starter.apply(() -> {
                while (seen[slot].get() < rounds) {
                    int last = seen[slot].get();
                    if (value.get() == last) {
                        sleep(slot, NEVER_NS, () -> value.get() != last);
                    } else {
                        seen[slot].set(last + 1);
                    }
                }
            });
        }
        for (int round = 1; round <= rounds; round++) {
            value.set(round);
            ring();
            for (AtomicInteger each : seen) {
                while (each.get() < round) {
                    Thread.onSpinWait();
                    Thread.yield();
                }
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    @Test
    void theBackgroundThreadServesAllWatchesOfAChannel() throws Exception {
        CountDownLatch both = new CountDownLatch(2);
        ProgressThread.get().watch(channel.selectable(), SelectionKey.OP_READ, both::countDown);
        ProgressThread.get().watch(channel.selectable(), SelectionKey.OP_READ, both::countDown);
        CountDownLatch registered = new CountDownLatch(1);
        ProgressThread.get().submit(registered::countDown);
        registered.await();
        assertEquals(2, both.getCount());
        channel.ring();
        both.await();

        channel.drain();
        CountDownLatch once = new CountDownLatch(1);
        ProgressThread.get().watch(channel.selectable(), SelectionKey.OP_READ, once::countDown);
        channel.ring();
        once.await();
    }

    @Test
    void thereIsOneBackgroundThreadAndItOutlivesATaskThatThrows() throws Exception {
        ProgressThread thread = ProgressThread.get();
        assertSame(thread, ProgressThread.get());
        thread.submit(() -> {
            throw new IllegalStateException("expected by a test");
        });
        CountDownLatch later = new CountDownLatch(1);
        thread.submitLater(later::countDown);
        later.await();
    }

    @Test
    void whatIsForLaterWaitsTwoMillisecondsHoweverBusyTheBackgroundThreadIs() throws Exception {
        ProgressThread thread = ProgressThread.get();
        CountDownLatch ran = new CountDownLatch(1);
        long beganNs = System.nanoTime();
        thread.submitLater(ran::countDown);
        while (ran.getCount() > 0) {
            thread.submit(() -> {});
            Thread.onSpinWait();
        }
        long lastedNs = System.nanoTime() - beganNs;
        assertTrue(lastedNs >= TimeUnit.MILLISECONDS.toNanos(2), "ns: " + lastedNs);
    }

    @Test
    void shortSleepsAreOnTheWordAlone() throws Exception {
        assumeTrue(word != null, "there is a word");
        for (int i = 0; i < 3; i++) {
            sleep(Waiters.READER, NEVER_NS, () -> run(word::ring));
        }
        assertEquals(3, word.wokenSleeps.get());
        assertFalse(channelArmed, "the channel was not needed");
        channel.ring();
        settleBackground();
        assertEquals(0, events.get(), "nobody watches it");
    }

    @Test
    void longSleepsAreOnTheWordAndTheBackgroundThreadWatchesTheChannel() throws Exception {
        assumeTrue(word != null, "there is a word");
        for (int i = 0; i < 3; i++) {
            Thread sleeper = sleeper(Waiters.READER, NEVER_NS);
            await(sleeper, () -> word.sleeps.get() >= 2);
            word.ring();
            sleeper.join();
            assertEquals(i + 1, word.wokenSleeps.get());
            word.sleeps.set(1); // Later ones sleep once: the watch stands.
        }
        Thread sleeper = sleeper(Waiters.READER, NEVER_NS);
        await(sleeper, () -> word.sleeps.get() >= 2);
        channel.ring(); // The peer's death, say.
        sleeper.join();
        assertEquals(CompletionChannel.EVENT, events.get());

        sleeper = sleeper(Waiters.READER, NEVER_NS);
        await(sleeper, () -> word.sleeps.get() >= 4);
        channel.ring();
        sleeper.join();
        assertEquals(2 * CompletionChannel.EVENT, events.get(), "the next long sleep is watched anew");
        assertFalse(channelArmed, "by nobody: the peer need not ring it");
    }

    @Test
    void whereTheKernelRefusesTheBackgroundThreadLeads() {
        assumeTrue(word != null, "there is a word");
        word.refuses = true;
        for (int i = 1; i <= 2; i++) {
            channelArmed = false;
            sleep(Waiters.READER, NEVER_NS, () -> channelArmed && run(channel::ring));
            assertEquals(i * CompletionChannel.EVENT, events.get());
        }
        assertEquals(2, word.sleeps.get());
    }

    @Test
    void aTimeOutEndsALongSleepOnTheWord() {
        assumeTrue(word != null, "there is a word");
        long startNs = System.nanoTime();
        sleep(Waiters.READER, 3 * Waiters.UNWATCHED_NS, () -> false);
        assertTrue(System.nanoTime() - startNs >= 3 * Waiters.UNWATCHED_NS);
        assertEquals(Waiters.UNWATCHED_NS, word.askedNs.get(0));
        assertTrue(
                word.askedNs.size() <= 2,
                "one sleep until the watch stands, and one for what that has left: " + word.askedNs);
        if (word.askedNs.size() == 2) { // The machine did not take all of the time for the first one.
            assertTrue(
                    word.askedNs.get(1) <= 2 * Waiters.UNWATCHED_NS,
                    "in all no more than the time-out: " + word.askedNs);
        }
    }

    /** The background thread has done what it was asked for, and has looked at its channels once more. */
    private static void settleBackground() throws Exception {
        for (int i = 0; i < 2; i++) {
            CountDownLatch done = new CountDownLatch(1);
            ProgressThread.get().submit(done::countDown);
            done.await();
        }
    }

    /** What another thread waits for may have been handled by the leader itself, before it sleeps. */
    @Test
    void aLeaderLooksForTheOtherThreadBeforeItSleeps() throws Exception {
        assumeTrue(word != null, "there is a word");
        AtomicInteger value = new AtomicInteger();
        CompletableFuture<Thread> follower = new CompletableFuture<>();
        Thread leader = start(() -> sleep(Waiters.WRITER, NEVER_NS, () -> {
            if (!follower.isDone()) {
                Thread reader = sleeperUntilSet(Waiters.READER, value);
                awaitFollowing(reader);
                value.set(1);
                follower.complete(reader);
            }
            return rung;
        }));
        follower.get().join();
        awaitLeading(leader);
        ring();
        leader.join();
    }

    /** As above, but the other one followed a thread that the kernel then refuses. */
    @Test
    void whoIsRefusedLooksForTheOtherThreadBeforeItParks() throws Exception {
        assumeTrue(word != null, "there is a word");
        AtomicInteger value = new AtomicInteger();
        AtomicBoolean handled = new AtomicBoolean();
        CompletableFuture<Thread> follower = new CompletableFuture<>();
        word.refuses = true;
        word.onRefusal = () -> {
            if (!follower.isDone()) {
                Thread reader = sleeperUntilSet(Waiters.READER, value);
                awaitFollowing(reader);
                follower.complete(reader);
            }
        };
        Thread leader = start(() -> sleep(Waiters.WRITER, NEVER_NS, () -> {
            if (follower.isDone() && handled.compareAndSet(false, true)) {
                value.set(1); // What had come before anybody armed the channel.
            }
            return false;
        }));
        follower.get().join();
        awaitFollowing(leader);
        waiters.wakeAll();
        leader.join();
    }

    @Test
    void aDisconnectBeforeTheWordWasArmedIsSeen() {
        assumeTrue(word != null, "there is a word");
        disconnected.set(true); // And has woken nobody.
        sleep(Waiters.READER, NEVER_NS, () -> disconnectSeen);
        assertEquals(0, word.wokenSleeps.get());
        assertFalse(channelArmed, "it was seen at once");
    }

    /** What a peer does that has something to tell. */
    private void ring() {
        rung = true;
        if (word == null) {
            channel.ring();
            return;
        }
        word.ring();
        if (channelArmed) {
            channelArmed = false;
            channel.ring();
        }
    }

    /** As whoever calls it: something has changed that sleepers see when they look. */
    private void wakeAll() {
        rung = true;
        waiters.wakeAll();
    }

    /** And deals with it. A sleep on the word may just have begun anew; who looked in between needed no event. */
    private void assertRungOnce() {
        int told = events.get() + (word == null ? 0 : word.wokenSleeps.get());
        assertTrue(told == CompletionChannel.EVENT || told == 0 && rungSeen, told + " events");
        rung = false;
    }

    private void sleep(int slot, long timeoutNs, BooleanSupplier look) {
        looks[slot] = look;
        waiters.sleep(slot, timeoutNs);
    }

    private Thread sleeper(int slot, long timeoutNs) {
        return start(() -> sleep(slot, timeoutNs, () -> {
            boolean come = rung;
            if (come) {
                rungSeen = true;
            }
            return come;
        }));
    }

    private Thread sleeperUntilSet(int slot, AtomicInteger value) {
        return start(() -> {
            while (value.get() == 0) {
                sleep(slot, NEVER_NS, () -> value.get() != 0);
            }
        });
    }

    private Thread start(Runnable body) {
        Thread thread = new Thread(body);
        threads.add(thread);
        thread.start();
        return thread;
    }

    private static boolean run(Runnable body) {
        body.run();
        return false;
    }

    /** Waits without parking: a look must not use up the permit that ends the sleep. */
    private static void awaitYielding(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            Thread.yield();
        }
    }

    /** The thread sleeps in the kernel, or the background thread leads for it. */
    private void awaitLeading(Thread thread) {
        if (word == null) {
            awaitFollowing(thread);
            return;
        }
        await(thread, () -> {
            StackTraceElement[] stack = thread.getStackTrace();
            return stack.length > 0 && stack[0].getClassName().equals(Futex.class.getName());
        });
    }

    private void awaitFollowing(Thread thread) {
        await(thread, () -> LockSupport.getBlocker(thread) == waiters);
    }

    private static void await(Thread thread, BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            assertFalse(thread.getState() == Thread.State.TERMINATED, "did not sleep");
            Thread.yield();
        }
    }
}
