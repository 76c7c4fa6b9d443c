package org.exsockets.waiting;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.exsockets.jdk.JdkChannels;
import org.exsockets.jdk.Threads;
import org.exsockets.observe.Log;
import org.exsockets.verbs.Background;
import org.jspecify.annotations.Nullable;

/**
 * The one background thread of the process, "exs-progress". It starts before the first connection or listener is made:
 * later, the process might have no descriptors left for it, and over TCP an existing connection needs no more of them.
 * It wakes virtual threads, and platform threads without a descriptor to sleep on. It watches for killed peers for
 * threads that sleep on a wake word. It finishes what a program has left behind: a close that waits for message
 * credits, bytes to be announced. Otherwise it sleeps.
 *
 * <p>Thread-safe. Callbacks run on the thread and must not block.
 */
public final class ProgressThread implements Runnable {
    /** Within this time a program that is still at work will most likely send what is due itself. */
    private static final long GRACE_NS = TimeUnit.MILLISECONDS.toNanos(2);

    private static final long NS_PER_MS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Bounds {@link #forget} if a callback is stuck. */
    private static final long FORGET_LIMIT_MS = 1_000;

    /** After a failure of the selector. */
    private static final long FAILED_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final Background BACKGROUND = new Background() {
        @Override
        public void watch(SelectableChannel channel, int ops, Runnable onReady) throws IOException {
            get().watch(channel, ops, onReady);
        }

        @Override
        public boolean later(Runnable task) {
            return trySubmitLater(task);
        }

        @Override
        public void forgetClosed() {
            flushClosed();
        }
    };

    private static @Nullable ProgressThread instance;

    private final Selector selector;
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Delayed> delayed = new ConcurrentLinkedQueue<>();
    private volatile boolean delaying;

    private final Consumer<SelectionKey> onReady = new Consumer<>() {
        @Override
        public void accept(SelectionKey key) {
            Runnable task = (Runnable) key.attachment();
            try {
                key.interestOps(0);
            } catch (CancelledKeyException closedMeanwhile) {
                // The callback finds out for itself.
            }
            attempt(task);
        }
    };

    /** The thread's. */
    private final List<Repeated> repeated = new ArrayList<>(2);

    private volatile boolean ended;

    /** @param selector the thread's from now on */
    ProgressThread(Selector selector) throws IOException {
        this.selector = selector;
        try {
            Threads.daemon("exs-progress", this).start();
        } catch (OutOfMemoryError e) {
            selector.close();
            throw new IOException("no thread to be had: " + e.getMessage(), e);
        }
    }

    /**
     * Starts the thread, which connections depend on.
     *
     * @throws IOException if its selector cannot be opened (no descriptors left) or it cannot be started
     */
    public static void ensureStarted() throws IOException {
        get();
    }

    /**
     * Ends the thread with the JVM, when nothing needs connections any more. HotSpot does not know that a thread that
     * sleeps in the kernel is a daemon, and would wait 300 ms for it at every exit.
     */
    public static void endWithJvm() {
        ProgressThread running = running();
        if (running != null) {
            running.end();
        }
    }

    void end() {
        ended = true;
        selector.wakeup();
    }

    /** {@return the thread, for code that must not know this class; started at its first use} */
    public static Background background() {
        return BACKGROUND;
    }

    /** @throws IOException if the thread's selector cannot be opened (no descriptors left) or it cannot be started */
    public static synchronized ProgressThread get() throws IOException {
        if (instance == null) {
            instance = new ProgressThread(JdkChannels.openSelector());
        }
        return instance;
    }

    /**
     * Runs {@code onReady} once when {@code channel} is ready for {@code ops}, besides earlier watches of it with other
     * objects. Repeated watches must use the same object.
     */
    public void watch(SelectableChannel channel, int ops, Runnable onReady) {
        submit(new Runnable() {
            @Override
            public void run() {
                register(channel, ops, onReady);
            }
        });
    }

    private void register(SelectableChannel channel, int ops, Runnable onReady) {
        try {
            SelectionKey key = channel.keyFor(selector);
            if (key == null) {
                channel.register(selector, ops, onReady);
            } else if (key.interestOps() == 0 || key.attachment() == onReady) {
                key.attach(onReady);
                key.interestOps(ops);
            } else {
                // A connection's settling and its sleeping virtual threads may watch the same channel.
                key.attach(Several.of((Runnable) key.attachment(), onReady));
                key.interestOpsOr(ops);
            }
        } catch (ClosedChannelException | CancelledKeyException closed) {
            onReady.run();
        } catch (RuntimeException | Error failed) {
            submitLater(onReady); // The waiting threads look then, and ask again: not at once, as the cause may last.
            throw failed;
        }
    }

    /** All callbacks of one channel, each once. Used by the thread. */
    private record Several(Set<Runnable> all) implements Runnable {
        static Several of(Runnable earlier, Runnable later) {
            Several several =
                    earlier instanceof Several known ? known : new Several(new LinkedHashSet<>(Set.of(earlier)));
            several.all.add(later);
            return several;
        }

        @Override
        public void run() {
            for (Runnable each : all) {
                each.run();
            }
        }
    }

    public void submit(Runnable task) {
        tasks.add(task);
        selector.wakeup();
    }

    /** A task that may run when its grace is over. */
    private record Delayed(Runnable task, long sinceNs) {
        long leftNs() {
            return GRACE_NS - (System.nanoTime() - sinceNs);
        }
    }

    /** Runs {@code task} on the thread after a short grace: two milliseconds at least, usually three at most. */
    public void submitLater(Runnable task) {
        delayed.add(new Delayed(task, System.nanoTime()));
        if (!delaying) {
            selector.wakeup();
        }
    }

    private final class Repeated implements Runnable {
        private final BooleanSupplier task;
        private final long periodNs;
        private long lastNs = System.nanoTime();

        Repeated(BooleanSupplier task, long periodMs) {
            this.task = task;
            this.periodNs = TimeUnit.MILLISECONDS.toNanos(periodMs);
        }

        long leftNs() {
            return periodNs - (System.nanoTime() - lastNs);
        }

        @Override
        public void run() {
            lastNs = System.nanoTime();
            if (!task.getAsBoolean()) {
                repeated.remove(this);
            }
        }
    }

    /**
     * Runs {@code task} on the thread every {@code periodMs} until it returns false. {@return false if there is no
     * thread}
     */
    public static boolean repeat(BooleanSupplier task, long periodMs) {
        ProgressThread running = running();
        if (running != null) {
            running.submit(new Runnable() {
                @Override
                public void run() {
                    running.repeated.add(running.new Repeated(task, periodMs));
                }
            });
        }
        return running != null;
    }

    /**
     * As {@link #submitLater}, for optional tasks. If there is no thread, that is logged once.
     *
     * @return false if the thread's selector cannot be opened (no descriptors left) or it cannot be started
     */
    public static boolean trySubmitLater(Runnable task) {
        ProgressThread thread = tryGet();
        if (thread != null) {
            thread.submitLater(task);
        }
        return thread != null;
    }

    /** As {@link #trySubmitLater}, without the grace. */
    public static boolean trySubmit(Runnable task) {
        ProgressThread thread = tryGet();
        if (thread != null) {
            thread.submit(task);
        }
        return thread != null;
    }

    private static @Nullable ProgressThread tryGet() {
        try {
            return get();
        } catch (IOException e) {
            Log.warnOnce("progress-thread", "there is no background thread: " + e.getMessage());
            return null;
        }
    }

    /**
     * Makes the thread forget {@code channel}, and a {@link #watch} of it that has not begun, and waits for that,
     * interrupted or not. For views of descriptors that other code closes: a key that stayed would suppress the events
     * of the next channel with the same descriptor.
     */
    public static void forget(SelectableChannel channel) {
        ProgressThread running = running();
        if (running != null) {
            running.letGo(channel);
        }
    }

    void letGo(SelectableChannel channel) {
        CountDownLatch gone = new CountDownLatch(1);
        submit(
                new Runnable() { // No lambda: among the first connections of a program.
                    @Override
                    public void run() {
                        cancel(channel, gone);
                    }
                });
        // If it has not ended yet, it still runs the task just submitted.
        if (!ended) {
            awaitUninterruptibly(gone);
        }
    }

    private static void awaitUninterruptibly(CountDownLatch gone) {
        boolean interrupted = false;
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(FORGET_LIMIT_MS);
        while (true) {
            try {
                if (!gone.await(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    Log.warn(
                            "progress thread: a listener's descriptor is closed while it is watched: the thread is stuck");
                }
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Threads.restoreInterrupt();
        }
    }

    private void cancel(SelectableChannel channel, CountDownLatch gone) {
        try {
            SelectionKey key = channel.keyFor(selector);
            if (key != null) {
                key.cancel();
                selector.selectNow(onReady);
            }
        } catch (IOException e) {
            Log.warn("progress thread", e);
        } finally {
            gone.countDown();
        }
    }

    private static synchronized @Nullable ProgressThread running() {
        return instance;
    }

    /**
     * Makes the thread forget {@code channel}, which will not be watched again and is closed now or later, without
     * waiting. Usually the thread does not know the channel; then it is not woken.
     *
     * @param channel null: there is none
     */
    public static void flushClosed(@Nullable SelectableChannel channel) {
        ProgressThread running = running();
        if (running == null || channel == null) {
            return;
        }
        SelectionKey key = channel.keyFor(running.selector);
        if (key != null) {
            key.cancel();
            running.selector.wakeup();
        }
    }

    /** Makes the thread forget closed channels, so that their descriptors are given back. */
    public static void flushClosed() {
        ProgressThread running = running();
        if (running != null) {
            running.selector.wakeup();
        }
    }

    /** The thread's. Every connection of the process depends on it, and a failure concerns only one. */
    @Override
    public void run() {
        while (!ended) {
            try {
                cycle();
            } catch (IOException | RuntimeException | Error e) { // The selector may fail again and again.
                Log.error("progress thread", e);
                LockSupport.parkNanos(FAILED_NS);
            }
        }
        for (Delayed next; (next = delayed.poll()) != null; ) {
            tasks.add(next.task);
        }
        runTasks();
    }

    private static void attempt(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            Log.error("progress thread", e);
        }
    }

    private void cycle() throws IOException {
        Delayed next = delayed.peek();
        delaying = next != null;
        if (next != null) {
            selectFor(next.leftNs());
        } else if (delayed.isEmpty() && tasks.isEmpty()) {
            long leftNs = Long.MAX_VALUE;
            for (Repeated each : repeated) {
                leftNs = Math.min(leftNs, each.leftNs());
            }
            if (repeated.isEmpty()) {
                selector.select(onReady);
            } else {
                selectFor(leftNs);
            }
        }
        runTasks();
        repeat();
        runDue();
    }

    private void selectFor(long ns) throws IOException {
        if (ns <= 0) {
            selector.selectNow(onReady);
        } else {
            selector.select(onReady, TimeUnit.NANOSECONDS.toMillis(ns + NS_PER_MS - 1));
        }
    }

    private void repeat() {
        for (int i = repeated.size() - 1; i >= 0; i--) { // One that ends takes itself out.
            if (repeated.get(i).leftNs() <= 0) {
                attempt(repeated.get(i));
            }
        }
    }

    /** A task that comes first has waited longest. */
    private void runDue() {
        for (Delayed next; (next = delayed.peek()) != null && next.leftNs() <= 0; ) {
            delayed.poll();
            attempt(next.task);
        }
    }

    /** Runs the tasks that were there at the start; tasks that they add are for the next cycle. */
    private void runTasks() {
        int left = tasks.size();
        for (Runnable task; left > 0 && (task = tasks.poll()) != null; left--) {
            attempt(task);
        }
    }
}
