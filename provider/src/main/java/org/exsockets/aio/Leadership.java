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
 *   VACANT     a thread finds nothing else to do               that thread       SELECTING, next turn
 *   VACANT     a thread of the pool sleeps                     dispatcher        OFFERED
 *   SELECTING  there are handlers to run, and they are short   leader            HANDLING
 *   SELECTING  handlers are long, or the group ends            leader            VACANT
 *   SELECTING  a thread of the pool sleeps                     dispatcher        OFFERED
 *   OFFERED    that thread wakes                               that thread       SELECTING, next turn
 *   OFFERED    that thread has something else to do            watcher           VACANT
 *   HANDLING   the handlers are done                           leader            SELECTING
 *   HANDLING   a handler throws                                leader            VACANT
 *   HANDLING   the handlers take too long                      watcher           VACANT, next turn
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
    private static final int OFFERED = 3;
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

    /** Turn and phase. A turn never comes back, so a leader that was replaced notices that. */
    private final AtomicLong state = new AtomicLong();

    /** When the leader began to run handlers. It writes this before the phase. */
    private volatile long handlingSinceNs;

    /** How long handlers take. Written by any thread that ran one; a lost value does not matter. */
    private volatile long averageNs;

    /**
     * Threads of the pool that sleep, or are about to. A thread counts itself, then looks at the state a last time. So
     * if a thread changes the state and then finds none here, the change is seen.
     */
    private final AtomicInteger poolAsleep = new AtomicInteger();

    /** As {@link #poolAsleep}, for the dispatcher. */
    private volatile boolean dispatcherAsleep;

    /** The dispatcher leads. It sets this, then looks at {@link #poolAsleep}; a pool thread: the other way round. */
    private volatile boolean dispatcherLeads;

    final Semaphore poolWake = new Semaphore(0);
    private final Semaphore dispatcherWake = new Semaphore(0);

    /**
     * There is a watcher. A watcher that goes to sleep clears this, then looks at the phase; a leader sets the phase,
     * then looks here: one of the two sees the other.
     */
    private final AtomicBoolean watched = new AtomicBoolean();

    /** A sleeping thread was called to watch. Cleared by any thread that returns from sleep. Saves calls only. */
    private volatile boolean called;

    Leadership(boolean alone) {
        this.alone = alone;
    }

    private static int phase(long state) {
        return (int) (state & PHASE_MASK);
    }

    private static long with(long state, int phase) {
        return state & ~PHASE_MASK | phase;
    }

    private static long nextTurn(long state, int phase) {
        return with(state + PHASE_MASK + 1, phase);
    }

    boolean selecting() {
        return phase(state.get()) == SELECTING;
    }

    boolean vacant() {
        int phase = phase(state.get());
        return phase == VACANT || phase == OFFERED;
    }

    /** {@return whether the leader of that turn still leads} */
    boolean isLed(long turn) {
        long now = state.get();
        return turn != 0 && with(now, VACANT) == turn && phase(now) != VACANT && phase(now) != OFFERED;
    }

    /** {@return the turn, if the caller leads now; 0 if not} */
    long tryLead(boolean dispatcher) {
        long now = state.get();
        int phase = phase(now);
        if (dispatcher && phase == VACANT && poolAsleep.get() > 0) {
            if (state.compareAndSet(now, with(now, OFFERED))) {
                poolWake.release();
            }
            return 0;
        }
        if (phase == VACANT || phase == OFFERED && !dispatcher) {
            long led = nextTurn(now, SELECTING);
            if (state.compareAndSet(now, led)) {
                dispatcherLeads = dispatcher;
                return with(led, VACANT);
            }
        }
        return 0;
    }

    /** Dispatcher: {@return whether the lead is left to a thread of the pool} */
    boolean offer(long turn) {
        if (poolAsleep.get() == 0) {
            return false;
        }
        dispatcherLeads = false;
        state.set(turn | OFFERED);
        poolWake.release();
        return true;
    }

    /** Ends the lead of that turn, unless it has ended; another thread may lead. */
    void giveUp(long turn) {
        long now = state.get();
        if (isLed(turn) && state.compareAndSet(now, with(now, VACANT))) {
            wakeFollower();
        }
    }

    /** Before handlers: {@return whether the lead was given up because they are long} */
    boolean handOver(long turn) {
        if (alone || averageNs <= LONG_HANDLER_NS) {
            return false;
        }
        giveUp(turn);
        return true;
    }

    /** The leader runs handlers from now on. {@return the time, for {@link #learn}} */
    long beginHandlers(long turn, int handlers) {
        if (alone) {
            state.set(turn | HANDLING);
            return 0;
        }
        long nowNs = System.nanoTime();
        handlingSinceNs = nowNs;
        state.set(turn | HANDLING);
        if (averageNs * (handlers - 1) > LONG_HANDLER_NS) {
            wakeFollower();
        } else {
            callWatcher();
        }
        return nowNs;
    }

    private void callWatcher() {
        if (!watched.get() && !called && (poolAsleep.get() > 0 || dispatcherAsleep)) {
            called = true;
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

    /** {@return whether the leader of that turn still leads; false: another thread has taken the lead} */
    boolean endHandlers(long turn) {
        return state.compareAndSet(turn | HANDLING, turn | SELECTING);
    }

    void learn(long startNs, int handlers) {
        if (!alone && handlers > 0) {
            long eachNs = (System.nanoTime() - startNs) / handlers;
            averageNs += (eachNs - averageNs) / AVERAGED_OVER;
        }
    }

    void wakeFollower() {
        if (poolAsleep.get() > 0) {
            poolWake.release();
        } else if (dispatcherAsleep) {
            dispatcherWake.release();
        }
    }

    void wakeAll(int threads) {
        poolWake.release(threads);
        dispatcherWake.release();
    }

    /** Before {@link #sleep}; {@link #endSleep} follows. {@return whether the dispatcher leads and must be woken} */
    boolean beginSleep(boolean dispatcher) {
        if (dispatcher) {
            dispatcherAsleep = true;
            return false;
        }
        poolAsleep.incrementAndGet();
        return dispatcherLeads;
    }

    void endSleep(boolean dispatcher) {
        if (dispatcher) {
            dispatcherAsleep = false;
        } else {
            poolAsleep.decrementAndGet();
        }
        called = false; // Last: a call that still counted on this thread must not prevent others.
    }

    /** Sleeps until there may be something to do. The caller has looked at the tasks since {@link #beginSleep}. */
    void sleep(boolean dispatcher) {
        if (mayLead(dispatcher)) {
            return;
        }
        Semaphore wake = dispatcher ? dispatcherWake : poolWake;
        if (!tryWatch()) {
            wake.acquireUninterruptibly();
            return;
        }
        boolean quiet = false;
        try {
            quiet = watch(wake, dispatcher);
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

    /**
     * As after any sleep. A call may have come after the last return, and woken no thread: it would prevent others. Before
     * the look at the phase: a leader that finds the call has set the phase before.
     */
    void endWatch() {
        called = false;
        watched.set(false);
    }

    boolean mayLead(boolean dispatcher) {
        int phase = phase(state.get());
        return phase == VACANT || phase == OFFERED && !dispatcher;
    }

    /** {@return whether nothing happens; false: there is something to do} */
    private boolean watch(Semaphore wake, boolean dispatcher) {
        long sinceNs = handlingSinceNs;
        long offered = 0;
        int quietLooks = 0;
        while (!tryAcquire(wake)) {
            long now = state.get();
            switch (phase(now)) {
                case VACANT -> {
                    return false;
                }
                case OFFERED -> {
                    if (!dispatcher || now == offered && state.compareAndSet(now, with(now, VACANT))) {
                        return false;
                    }
                    offered = now;
                    continue;
                }
                case HANDLING -> {
                    if (System.nanoTime() - handlingSinceNs > STUCK_NS
                            && state.compareAndSet(now, nextTurn(now, VACANT))) {
                        averageNs = Math.max(averageNs, STUCK_NS);
                        return false;
                    }
                }
                default -> {}
            }
            boolean quiet = phase(now) == SELECTING && handlingSinceNs == sinceNs;
            sinceNs = handlingSinceNs;
            quietLooks = quiet ? quietLooks + 1 : 0;
            if (quietLooks > QUIET_LOOKS) {
                return true;
            }
        }
        return false;
    }

    private static boolean tryAcquire(Semaphore wake) {
        try {
            return wake.tryAcquire(WATCH_NS, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            return true; // An interrupt makes a thread of the pool look again; there is nothing to give up.
        }
    }
}
