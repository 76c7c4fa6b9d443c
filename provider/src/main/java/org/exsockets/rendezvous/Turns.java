package org.exsockets.rendezvous;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.exsockets.jdk.Threads;
import org.exsockets.waiting.ConnectThreads;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is to ask a listener over adapters: {@link #AT_ONCE} connects of this process at a time, in the order in
 * which they came. A listener answers one request after the other. More would not be answered sooner, and those at the end
 * would run into {@code exs.timeout}, as if nobody was there. Where one of them has no answer, the others do not wait for
 * the same. Thread-safe.
 */
final class Turns {
    /** A program without adapters does not load it. */
    static final Turns OF_PROCESS = new Turns();

    /** An adapter's listener needs about a millisecond for each, and the first should not wait for the last. */
    static final int AT_ONCE = 16;

    /** How often a thread that waits looks whether its connection is still wanted. */
    private static final int LOOK_MS = 100;

    /** A connect that wants its turn. */
    interface Asker {
        /**
         * Called once, by any thread; must not block.
         *
         * @param turn to be {@linkplain Turns#end ended} by who takes it; null: others had no answer, so none is asked for
         * @return whether it takes the turn
         */
        boolean go(@Nullable Line turn);
    }

    /** Those who ask one listener, and those who wait to. Changed under the monitor of {@link Turns}. */
    static final class Line {
        private final InetSocketAddress listener;

        /** Stays whole where memory runs out. Once the line is given up nobody joins it, and it is emptied without the monitor. */
        private final Queue<Asker> waiting = new ConcurrentLinkedQueue<>();

        private int asking;

        private Line(InetSocketAddress listener) {
            this.listener = listener;
        }
    }

    /** Those with somebody who asks, and was not given up. */
    @GuardedBy("this")
    private final Map<InetSocketAddress, Line> lines = new HashMap<>();

    /** Tells {@code asker} when it is its turn, perhaps at once. */
    void take(InetSocketAddress listener, Asker asker) {
        Line line = enter(listener, asker);
        if (line != null && !asker.go(line)) {
            end(line);
        }
    }

    /**
     * Runs {@code attempt} in a thread of its own when it is its turn, or {@code instead} if there is no thread or others had
     * no answer.
     */
    void take(InetSocketAddress listener, Runnable attempt, Runnable instead) {
        try {
            take(listener, new Background(attempt, instead));
        } catch (OutOfMemoryError full) {
            instead.run(); // It neither goes nor waits.
        }
    }

    /** Needs no memory of its own when it is its turn. */
    private final class Background implements Asker, Runnable {
        private final Runnable attempt;
        private final Runnable instead;

        /** Written before the thread is asked for. */
        @SuppressWarnings("NullAway.Init")
        private Line turn;

        private Background(Runnable attempt, Runnable instead) {
            this.attempt = attempt;
            this.instead = instead;
        }

        @Override
        public boolean go(@Nullable Line turn) {
            if (turn != null) {
                this.turn = turn;
                if (ConnectThreads.trySubmit(this)) {
                    return true;
                }
            }
            instead.run();
            return false;
        }

        @Override
        public void run() {
            try {
                attempt.run();
            } finally {
                end(turn);
            }
        }
    }

    /** {@return the line whose turn it is; null: the asker waits there} */
    private synchronized @Nullable Line enter(InetSocketAddress listener, Asker asker) {
        Line line = lines.get(listener);
        if (line == null) {
            line = new Line(listener);
            lines.put(listener, line);
        }
        if (line.asking == AT_ONCE) {
            line.waiting.add(asker);
            return null;
        }
        line.asking++;
        return line;
    }

    /** One who asked is through, whatever has come of it: the next one's turn. */
    void end(Line turn) {
        for (Asker next; (next = nextOf(turn)) != null; ) {
            if (next.go(turn)) {
                return;
            }
        }
    }

    /** {@return the next one, who has the turn that ends; null: nobody waits, and it has ended} */
    private synchronized @Nullable Asker nextOf(Line turn) {
        Asker next = turn.waiting.poll();
        if (next == null && --turn.asking == 0) {
            lines.remove(turn.listener, turn);
        }
        return next;
    }

    /** Somebody who asked had no answer: nobody waits any more. */
    void giveUp(InetSocketAddress listener) {
        Line line;
        synchronized (this) {
            line = lines.remove(listener);
        }
        for (Asker next; line != null && (next = line.waiting.poll()) != null; ) {
            next.go(null);
        }
    }

    /** {@return whether it waited, and does no more} */
    private synchronized boolean leave(InetSocketAddress listener, Asker asker) {
        Line line = lines.get(listener);
        return line != null && line.waiting.remove(asker);
    }

    /**
     * Waits for its turn. An interrupt ends that, and stays: TCP, which is tried then, knows what follows from it.
     *
     * @param limitMs milliseconds, ≥ 1
     * @param wanted false: the connection is not wanted any more
     * @return to be {@linkplain #end ended}; null: it was not its turn in time, it was not wanted, or others had no answer
     */
    @Nullable
    Line await(InetSocketAddress listener, int limitMs, BooleanSupplier wanted) {
        Waiter waiter = new Waiter();
        take(listener, waiter);
        long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMs);
        boolean interrupted = false;
        for (boolean told = false; !told; ) {
            try {
                told = waiter.told.await(LOOK_MS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
            boolean over = interrupted || System.nanoTime() - endNs >= 0 || !wanted.getAsBoolean();
            told |= !told && over && leave(listener, waiter);
        }
        if (interrupted) {
            Threads.restoreInterrupt();
        }
        return waiter.turn;
    }

    /** {@return how many listeners are asked; for tests} */
    synchronized int lines() {
        return lines.size();
    }

    private static final class Waiter implements Asker {
        private final CountDownLatch told = new CountDownLatch(1);

        /** Written before the latch opens. */
        private @Nullable Line turn;

        @Override
        public boolean go(@Nullable Line turn) {
            this.turn = turn;
            told.countDown();
            return true;
        }
    }
}
