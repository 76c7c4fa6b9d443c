package org.exsockets.waiting;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.exsockets.jdk.Threads;
import org.exsockets.verbs.CompletionChannel;
import org.exsockets.verbs.WakeWord;
import org.jspecify.annotations.Nullable;

/**
 * Threads that sleep until something happens on one connection: at most one reader and one writer.
 *
 * <p>One of them, the leader, sleeps on the connection's {@link WakeWord} for completions; the other parks. Two threads
 * must not both sleep there: one wake-up wakes one. So a leader that leaves unparks the other, which then leads. Virtual
 * threads never lead: {@link ProgressThread} leads for them, and where there is no word or the kernel refuses. It sleeps
 * on the channel, and unparks both when it takes an event.
 *
 * <p>Only the channel reports a killed peer. So after a sleep of {@link #UNWATCHED_NS}, {@link ProgressThread} watches it
 * for the leader from then on.
 *
 * <p>No wake-up is lost. A thread first enters its slot, then checks its condition, then sleeps. A wake-up in between
 * makes the sleep return at once (both {@link WordPlace#wakeup} and unpark are sticky). A completion that comes when the
 * leader has armed wakes it. An earlier one has been handled, by any thread, when the leader has checked; then the leader
 * also checks for the other thread. So the other need not arm while a thread of the program leads. A leader whom the
 * kernel refuses arms for the background thread, and still checks for the other thread.
 */
public final class Waiters {
    /** The connection whose threads sleep. */
    public interface Sleepers {
        /** Asks for an event on the channel at the next completion. */
        void armChannel();

        /**
         * Handles the completions that have come, then returns whether the thread in {@code slot} need not sleep. Must
         * not park: that would use up the permit that ends the sleep.
         */
        boolean check(int slot);

        /** {@return whether handled completions may have changed something for the thread in {@code slot}} */
        boolean changed(int slot);

        /** Gets the bits of {@link CompletionChannel#drain()} whenever they are not 0; must not block. */
        void onEvent(int bits);

        /** Notes whether the peer has disconnected: the word tells this, no completion does. Must not block or park. */
        void lookForDisconnect();

        /** {@link Waiters#watch} took an event: the channel is not watched any more. Must not block or park. */
        void onWatched();
    }

    /**
     * Longest sleep on a device's word while the channel is not watched, and so the delay before a first wait sees a
     * killed peer. Connections that end before are never watched, which would cost a system call or two.
     */
    public static final long UNWATCHED_NS = 5_000_000;

    /** Slot of the reading thread. */
    public static final int READER = 0;

    /** Slot of the writing thread. */
    public static final int WRITER = 1;

    private static final Object PROGRESS_THREAD = new Object();

    private final CompletionChannel channel;

    /** Null: the device has none. */
    private final @Nullable WakeWord word;

    private final Sleepers sleepers;
    private volatile @Nullable Thread reader;
    private volatile @Nullable Thread writer;

    /** The thread in the place, or {@link #PROGRESS_THREAD}, or null. */
    private final AtomicReference<Object> leader = new AtomicReference<>();

    /** Made by the first leader and kept; only the leader sleeps in it. */
    private volatile @Nullable WordPlace place;

    /**
     * {@link ProgressThread} watches the channel, or is asked to; two threads that ask at once ask for the same. The
     * leader sets {@link #leader} and {@link #place} before it reads this; the background thread clears this before
     * it reads those. So either it wakes the leader, or the leader watches anew.
     */
    private volatile boolean watched;

    /** For those who watch the process; each slot's thread counts, a count may be lost. */
    private int sleeps;

    private int spins;

    /** One object for every watch of the channel, so that the background thread recognises it. */
    private final Runnable onWatched = new Runnable() {
        @Override
        public void run() {
            watched = false;
            leader.compareAndSet(PROGRESS_THREAD, null);
            int events = channel.drain();
            if (events != 0) {
                sleepers.onEvent(events);
            }
            wakeAll(); // Also a thread that leads by now: the event may have been for it.
            sleepers.onWatched();
        }
    };

    /** @param word of the same queue pair as the channel; null if the device has none */
    public Waiters(CompletionChannel channel, @Nullable WakeWord word, Sleepers sleepers) {
        this.channel = channel;
        this.word = word;
        this.sleepers = sleepers;
    }

    /** A wait has been over by spinning. */
    public void spun() {
        spins++;
    }

    /** {@return sleeps so far, of both threads; roughly right} */
    public int sleeps() {
        return sleeps;
    }

    /** {@return waits so far that have been over by spinning, of both threads; roughly right} */
    public int spins() {
        return spins;
    }

    /** {@return which thread sleeps to read; empty: none} */
    public String reading() {
        return name(reader);
    }

    /** {@return which thread sleeps to write; empty: none} */
    public String writing() {
        return name(writer);
    }

    private String name(@Nullable Thread sleeper) {
        return sleeper == null ? "" : sleeper.getName() + (leader.get() == sleeper ? " (leads)" : "");
    }

    /**
     * Sleeps until an event, {@link #wakeAll}, interrupt or time-out; may return for no reason. One thread per slot.
     *
     * @param timeoutNs > 0
     */
    public void sleep(int slot, long timeoutNs) {
        Thread self = Thread.currentThread();
        sleeps++;
        setSlot(slot, self);
        boolean leading = false;
        try {
            WakeWord on = word;
            long leftNs = timeoutNs;
            if (on != null && !Threads.currentIsVirtual() && leader.compareAndSet(null, self)) {
                leading = true;
                leftNs = sleepOnWord(on, slot, timeoutNs);
            }
            if (leftNs > 0) {
                if (leading) {
                    leading = false;
                    leader.set(null);
                }
                follow(slot, leftNs);
            }
        } catch (IOException e) {
            throw new IllegalStateException("wait: sleeping failed", e);
        } finally {
            setSlot(slot, null);
            if (leading) {
                leader.set(null);
                unpark(otherThan(slot));
            }
        }
    }

    /** As leader. {@return nanoseconds left to sleep, as the kernel refuses; 0: the sleep is over} */
    private long sleepOnWord(WakeWord on, int slot, long timeoutNs) throws IOException {
        WordPlace in = place;
        if (in == null) {
            in = new WordPlace(on);
            place = in;
        }
        long leftNs = timeoutNs;
        while (true) {
            long sleepNs = watched ? leftNs : Math.min(leftNs, UNWATCHED_NS);
            on.arm();
            sleepers.lookForDisconnect();
            if (sleepers.check(slot)) {
                return 0;
            }
            unparkIfChanged(slot);
            long startNs = System.nanoTime();
            if (in.sleep(sleepNs)) {
                sleepers.lookForDisconnect();
                return 0;
            }
            long sleptNs = System.nanoTime() - startNs;
            leftNs = Math.max(0, leftNs - sleptNs);
            if (leftNs == 0 || sleptNs < sleepNs) {
                return leftNs; // Too early: refused.
            }
            watch();
        }
    }

    /**
     * Makes the background thread take the next event of the channel, for threads that do not look there. Any thread.
     *
     * @throws IOException if there is no such thread
     */
    public void watch() throws IOException {
        if (!watched) {
            ProgressThread thread = ProgressThread.get();
            watched = true; // Before the request: it may be answered at once.
            try {
                thread.watch(channel.selectable(), SelectionKey.OP_READ, onWatched);
            } catch (RuntimeException | Error e) { // No memory for it.
                watched = false;
                throw e;
            }
        }
    }

    private void follow(int slot, long timeoutNs) {
        followSomebody();
        boolean arms = leader.get() == PROGRESS_THREAD;
        if (arms) {
            sleepers.armChannel();
        }
        boolean over = sleepers.check(slot);
        if (arms) {
            unparkIfChanged(slot); // The other thread may have followed this one while it was about to lead.
        }
        if (!over) {
            LockSupport.parkNanos(this, timeoutNs);
        }
    }

    /** Completions from before the leader armed may have been for the other thread, whichever has handled them. */
    private void unparkIfChanged(int ownSlot) {
        Thread other = otherThan(ownSlot);
        if (other != null && sleepers.changed(READER + WRITER - ownSlot)) {
            unpark(other);
        }
    }

    private @Nullable Thread otherThan(int ownSlot) {
        return ownSlot == READER ? writer : reader;
    }

    private void setSlot(int slot, @Nullable Thread thread) {
        if (slot == READER) {
            reader = thread;
        } else {
            writer = thread;
        }
    }

    private void followSomebody() {
        if (leader.compareAndSet(null, PROGRESS_THREAD)) {
            try {
                watch();
            } catch (IOException e) {
                leader.set(null);
                throw new IllegalStateException("wait: no descriptors left to sleep on", e);
            }
        }
    }

    /**
     * Makes every sleeper return. The reason must show in {@link Sleepers#check} before: a leader whom the kernel refuses
     * checks nothing else before it parks.
     */
    public void wakeAll() {
        unpark(reader);
        unpark(writer);
        if (leader.get() instanceof Thread) {
            WordPlace in = place;
            if (in != null) {
                in.wakeup();
            }
        }
    }

    /** Makes every sleeper return if one of them need not sleep: a wake-up has been lost. */
    public void wakeIfChanged() {
        if (reader != null && sleepers.changed(READER) || writer != null && sleepers.changed(WRITER)) {
            wakeAll();
        }
    }

    private static void unpark(@Nullable Thread thread) {
        if (thread != null && thread != Thread.currentThread()) {
            LockSupport.unpark(thread);
        }
    }

    /** No thread sleeps any more, and none will. */
    public void close() {
        WordPlace in = place;
        if (in != null) {
            in.leave();
        }
    }
}
