package org.exsockets.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.exsockets.config.Face;
import org.exsockets.verbs.ConnectFailure;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who may ask a listener over adapters, and when. */
@Timeout(60)
class TurnsTest {
    private static final InetSocketAddress LISTENER = new InetSocketAddress("192.0.2.7", 5000);
    private static final InetSocketAddress OTHER = new InetSocketAddress("192.0.2.7", 5001);
    private static final int LONG_MS = 60_000;

    private final Turns turns = new Turns();

    /** The names of those who have been told, in their order. */
    private final List<String> told = new ArrayList<>();

    private Turns.@Nullable Line line;

    private void take(InetSocketAddress listener, String name, boolean takesIt) {
        turns.take(listener, turn -> {
            told.add(turn == null ? "not " + name : name);
            line = turn == null ? line : turn;
            return takesIt;
        });
    }

    private Turns.Line fill() {
        for (int i = 0; i < Turns.AT_ONCE; i++) {
            take(LISTENER, "first", true);
        }
        assertEquals(Turns.AT_ONCE, told.size());
        told.clear();
        assertNotNull(line);
        return line;
    }

    private void empty(Turns.Line filled) {
        for (int i = 0; i < Turns.AT_ONCE; i++) {
            turns.end(filled);
        }
    }

    @Test
    void whoComesLaterGoesWhenAnotherIsThrough() {
        Turns.Line filled = fill();
        take(LISTENER, "a", true);
        take(LISTENER, "b", true);
        assertEquals(List.of(), told);
        turns.end(filled);
        assertEquals(List.of("a"), told);
        assertSame(filled, line);
        turns.end(filled);
        assertEquals(List.of("a", "b"), told);
        assertEquals(1, turns.lines());
        empty(filled);
        assertEquals(0, turns.lines(), "nobody asks any more");
    }

    @Test
    void anotherListenerIsNotWaitedFor() {
        fill();
        take(OTHER, "other", true);
        assertEquals(List.of("other"), told);
    }

    @Test
    void whoDoesNotTakeItsTurnLeavesItToTheNext() {
        Turns.Line filled = fill();
        take(LISTENER, "a", false);
        take(LISTENER, "b", false);
        take(LISTENER, "c", true);
        turns.end(filled);
        assertEquals(List.of("a", "b", "c"), told);
        empty(filled);
        take(LISTENER, "d", false);
        assertEquals(0, turns.lines());
    }

    @Test
    void nobodyWaitsForWhatAnotherHasWaitedForInVain() {
        Turns.Line filled = fill();
        take(LISTENER, "a", true);
        take(LISTENER, "b", true);
        turns.giveUp(LISTENER);
        assertEquals(List.of("not a", "not b"), told);
        told.clear();
        take(LISTENER, "c", true);
        assertEquals(List.of("c"), told, "not remembered here");
        Turns.Line next = line;
        empty(filled);
        assertEquals(1, turns.lines());
        turns.end(next);
        assertEquals(0, turns.lines());
        turns.giveUp(LISTENER);
    }

    @Test
    void aThreadWaitsForItsTurn() throws Exception {
        Turns.Line filled = fill();
        FutureTask<Turns.@Nullable Line> waiter = new FutureTask<>(() -> turns.await(LISTENER, LONG_MS, () -> true));
        Thread thread = new Thread(waiter);
        thread.start();
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        turns.end(filled);
        assertSame(filled, waiter.get());
    }

    @Test
    void aThreadLeavesAfterItsTime() {
        Turns.Line filled = fill();
        assertNull(turns.await(LISTENER, 1, () -> true));
        turns.end(filled);
        take(LISTENER, "a", true);
        assertEquals(List.of("a"), told, "it does not hold the place that it has left");
    }

    @Test
    void aThreadLeavesWhenTheConnectionIsNotWantedAnyMore() {
        fill();
        assertNull(turns.await(LISTENER, LONG_MS, () -> false));
    }

    @Test
    void anInterruptedThreadLeavesAndStaysInterrupted() {
        fill();
        Thread.currentThread().interrupt();
        assertNull(turns.await(LISTENER, LONG_MS, () -> true));
        assertTrue(Thread.interrupted());
    }

    @Test
    void nonBlockingOnesGoInThreadsOfTheirOwn() throws Exception {
        CountDownLatch hold = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(10 * Turns.AT_ONCE);
        for (int i = 0; i < 10 * Turns.AT_ONCE; i++) {
            turns.take(
                    LISTENER,
                    () -> {
                        await(hold);
                        done.countDown();
                    },
                    () -> {
                        throw new AssertionError("it was to wait");
                    });
        }
        hold.countDown();
        assertTrue(done.await(30, TimeUnit.SECONDS));
    }

    /** Answers when the test lets it, and with what it says then. */
    private static final class SlowDevice extends ScriptedDevice {
        final CountDownLatch asked = new CountDownLatch(Turns.AT_ONCE);
        final CountDownLatch hold = new CountDownLatch(1);

        /** Connects that may take less time out, when the test lets them. */
        volatile int leastMs;

        final CountDownLatch timeOut = new CountDownLatch(1);

        SlowDevice() {
            super("disni");
        }

        @Override
        public Endpoint connect(
                InetSocketAddress local,
                InetSocketAddress remote,
                EndpointParameters parameters,
                int limitMs,
                @Nullable Runnable onAnswer)
                throws ConnectFailure {
            asked.countDown();
            await(hold);
            if (limitMs < leastMs) {
                await(timeOut);
                throw new ConnectFailure(ConnectFailure.Kind.TIMED_OUT, "connect: limitMs=" + limitMs, null);
            }
            synchronized (this) {
                return super.connect(local, remote, parameters, limitMs, onAnswer);
            }
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static List<@Nullable Endpoint> storm(SlowDevice device, Path directory, int threads) throws Exception {
        RendezvousFixture fixture = RendezvousFixture.of(directory, "disni", "both * * exs");
        fixture.disni = device;
        List<FutureTask<@Nullable Endpoint>> connects = new ArrayList<>();
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            FutureTask<@Nullable Endpoint> connect = new FutureTask<>(() -> fixture.connect(LISTENER));
            connects.add(connect);
            Thread thread = new Thread(connect);
            all.add(thread);
            thread.start();
        }
        assertTrue(device.asked.await(30, TimeUnit.SECONDS));
        for (Thread each : all) {
            while (each.getState() != Thread.State.WAITING && each.getState() != Thread.State.TIMED_WAITING) {
                Thread.sleep(1);
            }
        }
        device.hold.countDown();
        List<@Nullable Endpoint> results = new ArrayList<>();
        for (FutureTask<@Nullable Endpoint> each : connects) {
            results.add(each.get());
        }
        return results;
    }

    /** It is in a hurry then: what it has not waited for must not affect others. */
    @Test
    void whoHasWaitedForItsTurnHasLessTimeAndRemembersNoTimeOut(@TempDir Path directory) throws Exception {
        SlowDevice device = new SlowDevice();
        device.leastMs = 500; // The default of exs.timeout.
        RendezvousFixture fixture = RendezvousFixture.of(directory, "disni", "both * * exs");
        fixture.disni = device;
        List<Thread> others = new ArrayList<>();
        for (int i = 0; i < Turns.AT_ONCE; i++) {
            others.add(new Thread(() -> fixture.connect(LISTENER)));
            others.get(i).start();
        }
        assertTrue(device.asked.await(30, TimeUnit.SECONDS));
        FutureTask<@Nullable Endpoint> late =
                new FutureTask<>(() -> fixture.rendezvous.tryConnect(LISTENER, 1_002, fixture.binding, Face.NET));
        Thread thread = new Thread(late);
        thread.start();
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.sleep(1);
        }
        Thread.sleep(20);
        device.hold.countDown();
        for (Thread each : others) {
            each.join();
        }
        device.timeOut.countDown();
        assertNull(late.get());
        assertNotNull(fixture.connect(LISTENER), "not remembered");
    }

    @Test
    void aStormIsServedWhole(@TempDir Path directory) throws Exception {
        SlowDevice device = new SlowDevice();
        List<@Nullable Endpoint> all = storm(device, directory, 5 * Turns.AT_ONCE);
        assertTrue(all.stream().allMatch(each -> each != null), all.toString());
        assertEquals(5 * Turns.AT_ONCE, device.connects.size());
    }

    @Test
    void aDeadListenerIsAskedByTheFirstOnly(@TempDir Path directory) throws Exception {
        SlowDevice device = new SlowDevice();
        device.failure = ConnectFailure.Kind.TIMED_OUT;
        List<@Nullable Endpoint> all = storm(device, directory, 5 * Turns.AT_ONCE);
        assertTrue(all.stream().allMatch(each -> each == null), all.toString());
        assertEquals(Turns.AT_ONCE, device.connects.size());
    }
}
