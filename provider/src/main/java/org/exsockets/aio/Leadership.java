package org.exsockets.aio;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Which thread of a group leads, and how the others sleep meanwhile.
 *
 * <pre>
 *   phase      trigger                                         thread            next
 *   VACANT     a thread finds nothing else to do               that thread       SELECTING, next term
 *   SELECTING  there are handlers to run, and they are short   leader            HANDLING
 *   SELECTING  handlers are long, or the group ends            leader            VACANT
 *   HANDLING   the handlers are done                           leader            SELECTING
 *   HANDLING   a handler throws                                leader            VACANT
 *   HANDLING   the handlers take too long                      watcher           VACANT, next term
 * </pre>
 *
 * <p>One of the sleeping threads is the <em>watcher</em>: it wakes every millisecond to check whether the leader is
 * stuck in a handler. When the group has been quiet for a while, it sleeps as the others do. A thread that begins to
 * run handlers and finds no watcher calls a sleeping thread: the leader ({@link #beginHandlers}), or a thread that was
 * woken and found a task ({@link #beginTask}). So handlers run unwatched only if no thread sleeps.
 */
final class Leadership {
    private static final int VACANT = 0;
    private static final int SELECTING = 1;
    private static final int HANDLING = 2;
    private static final int PHASE_BITS = 2;
    private static final long PHASE_MASK = (1 << PHASE_BITS) - 1;

    private static final long WATCH_NS = 1_000_000;

    /** A leader that runs handlers for longer loses the lead. */
    private static final long STUCK_NS = 1_000_000;

    /** If handlers take longer on average, another thread is woken to lead, which takes about as long. */
    private static final long LONG_HANDLER_NS = 50_000;

    private static final int QUIET_LOOKS = 3;
    private static final int AVERAGED_OVER = 8;

    /** There is one thread only: none can take over. */
    private final boolean alone;

    /** Term and phase. A term never comes back, so a leader that was replaced notices that. */
    private final AtomicLong state = new AtomicLong();

    /** When the leader began to run handlers. It writes this before the phase. */
    private volatile long handlingSinceNs;

    /** How long handlers take. Written by any thread that ran one; a lost value does not matter. */
    private volatile long averageNs;

    /**
     * Threads that sleep, or are about to, or have not begun yet. A thread is counted, then looks at the state a last
     * time. So if a thread changes the state and then finds none here, the change is seen.
     */
    private final AtomicInteger asleep = new AtomicInteger();

    final Semaphore wake = new Semaphore(0);

    /**
     * There is a watcher. A watcher that goes to sleep clears this, then looks at the phase; a leader sets the phase,
     * then looks here: one of the two sees the other.
     */
    private final AtomicBoolean watched = new AtomicBoolean();

    Leadership(boolean alone) {
        this.alone = alone;
    }

    private static int phase(long state) {
        return (int) (state & PHASE_MASK);
    }

    private static long with(long state, int phase) {
        return state & ~PHASE_MASK | phase;
    }

    private static long nextTerm(long state, int phase) {
        return with(state + PHASE_MASK + 1, phase);
    }

    boolean selecting() {
        return phase(state.get()) == SELECTING;
    }

    boolean vacant() {
        return phase(state.get()) == VACANT;
    }

    /** {@return whether the leader of that term still leads} */
    boolean isLed(long term) {
        long now = state.get();
        return term != 0 && with(now, VACANT) == term && phase(now) != VACANT;
    }

    /** {@return the term, if the caller leads now; 0 if not} */
    long tryLead() {
        long now = state.get();
        long led = nextTerm(now, SELECTING);
        return phase(now) == VACANT && state.compareAndSet(now, led) ? with(led, VACANT) : 0;
    }

    /** Ends the lead of that term, unless it has ended; another thread may lead. */
    void giveUp(long term) {
        long now = state.get();
        if (isLed(term) && state.compareAndSet(now, with(now, VACANT))) {
            wakeFollower();
        }
    }

    /** Before handlers: {@return whether the lead was given up because they are long} */
    boolean handOver(long term) {
        if (alone || averageNs <= LONG_HANDLER_NS) {
            return false;
        }
        giveUp(term);
        return true;
    }

    /** The leader runs handlers from now on. {@return the time, for {@link #learn}} */
    long beginHandlers(long term, int handlers) {
        if (alone) {
            state.set(term | HANDLING);
            return 0;
        }
        long nowNs = System.nanoTime();
        handlingSinceNs = nowNs;
        state.set(term | HANDLING);
        if (averageNs * (handlers - 1) > LONG_HANDLER_NS) {
            wakeFollower();
        } else {
            callWatcher();
        }
        return nowNs;
    }

    /** Unless a thread has been called that has not woken yet, and will look for a watcher. */
    private void callWatcher() {
        if (!watched.get() && wake.availablePermits() == 0) {
            wakeFollower();
        }
    }

    /** A thread that does not lead runs a handler. {@return the time, for {@link #learn}} */
    long beginTask() {
        if (alone) {
            return 0;
        }
        if (vacant()) {
            wakeFollower();
        } else {
            callWatcher();
        }
        return System.nanoTime();
    }

    /** {@return whether the leader of that term still leads; false: another thread has taken the lead} */
    boolean endHandlers(long term) {
        return state.compareAndSet(term | HANDLING, term | SELECTING);
    }

    void learn(long startNs, int handlers) {
        if (!alone && handlers > 0) {
            long eachNs = (System.nanoTime() - startNs) / handlers;
            averageNs += (eachNs - averageNs) / AVERAGED_OVER;
        }
    }

    void wakeFollower() {
        if (anyAsleep()) {
            wake.release();
        }
    }

    boolean anyAsleep() {
        return asleep.get() > 0;
    }

    /** {@return whether another thread is asleep, too; for one between {@link #beginSleep} and {@link #endSleep}} */
    boolean othersAsleep() {
        return asleep.get() > 1;
    }

    /** Before {@link #sleep}, or for a thread that is about to begin; {@link #endSleep} follows. */
    void beginSleep() {
        asleep.incrementAndGet();
    }

    void endSleep() {
        asleep.decrementAndGet();
    }

    /** Sleeps until there may be something to do. The caller has looked at the tasks since {@link #beginSleep}. */
    void sleep() {
        if (vacant()) {
            return;
        }
        if (!tryWatch()) {
            wake.acquireUninterruptibly();
            return;
        }
        boolean quiet = false;
        try {
            quiet = watch();
        } finally {
            endWatch();
        }
        if (quiet && selecting()) {
            wake.acquireUninterruptibly();
        }
    }

    boolean tryWatch() {
        return watched.compareAndSet(false, true);
    }

    void endWatch() {
        watched.set(false);
    }

    /** {@return whether nothing happens; false: there is something to do} */
    private boolean watch() {
        long sinceNs = handlingSinceNs;
        for (int quietLooks = 0; quietLooks <= QUIET_LOOKS; ) {
            if (isWoken()) {
                return false;
            }
            long now = state.get();
            boolean stuck = phase(now) == HANDLING && System.nanoTime() - handlingSinceNs > STUCK_NS;
            if (stuck && state.compareAndSet(now, nextTerm(now, VACANT))) {
                averageNs = Math.max(averageNs, STUCK_NS);
                return false;
            }
            if (phase(now) == VACANT) {
                return false;
            }
            quietLooks = phase(now) == SELECTING && handlingSinceNs == sinceNs ? quietLooks + 1 : 0;
            sinceNs = handlingSinceNs;
        }
        return true;
    }

    private boolean isWoken() {
        try {
            return wake.tryAcquire(WATCH_NS, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            return true; // An interrupt makes a thread of the pool look again; there is nothing to give up.
        }
    }
}
