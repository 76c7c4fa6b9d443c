package org.exsockets.progress;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.exsockets.config.Settings;

/**
 * How long one waiting place spins before it sleeps: waking a sleeper costs more than a hundred cache-line round trips,
 * but a spin that does not pay takes the core from somebody else.
 *
 * <p>An instance belongs to one waiting place and is used by one thread at a time, but for those that {@link #forYoung}
 * hands out. With {@code exs.spin=auto} it judges
 * itself by windows of time: a window in which few spins paid is followed by a rest in which every wait sleeps at once,
 * twice as long after each failure.
 *
 * <p>Spins fail and yet sleeps are short where two peers share a core: each runs only while the other sleeps, and waking
 * each other keeps them there. The scheduler parts them when both stay runnable for a few of its ticks. A place that sees
 * this therefore <em>pushes</em>: for one window it spins for milliseconds. On a busy machine that fails, so a process
 * pushes seldom. A process never has more spinning threads than it can spare cores, and does not spin at all on a single
 * core or while more threads want to run than there are cores ({@link CoreDemand}).
 *
 * <pre>
 *   state     trigger                                            next
 *   TRYING    window over, enough spins paid                     TRYING
 *   TRYING    window over, sleeps were short, push permitted     PUSHING
 *   TRYING    window over otherwise                              RESTING
 *   PUSHING   window over, enough spins paid                     TRYING
 *   PUSHING   window over otherwise                              RESTING
 *   RESTING   rest over                                          TRYING
 * </pre>
 */
public class SpinPolicy {
    enum State {
        TRYING,
        PUSHING,
        RESTING
    }

    /** Longest automatic spin over shared memory: about what sleeping and being woken costs both sides. */
    static final long AUTO_NS = 50_000;

    /** Longest automatic spin of {@link #forOperations}: a core does not take much longer to fill or empty a buffer. */
    static final long OPERATIONS_NS = 300_000;

    /** Longest spin while pushing: more than a tick of the scheduler. */
    static final long PUSH_NS = 5_000_000;

    static final long WINDOW_NS = 12_000_000;
    static final long MIN_REST_NS = 25_000_000;
    static final long MAX_REST_NS = 1_600_000_000;

    /** Least time between two pushes of the process that failed. */
    static final long PUSH_INTERVAL_NS = 500_000_000;

    /** A sleep shorter than so many automatic spins was waiting for little more than the wake-up itself. */
    static final int SHORT_SLEEPS = 2;

    /** A sleep shorter than this may have been waiting for a peer that empties or fills a buffer on the same core. */
    static final long SHORT_SLEEP_NS = 500_000;

    /** A window with fewer spins is extended. */
    private static final int MIN_SPINS = 4;

    /** Spins that fail for each one that pays, at most. */
    private static final int MAX_FAILED_PER_PAID = 3;

    private static final AtomicInteger SPINNING = new AtomicInteger();

    /** When the next push is permitted. */
    private static final AtomicLong NEXT_PUSH_NS = new AtomicLong(System.nanoTime());

    private static final int CORES = Runtime.getRuntime().availableProcessors();
    private static final int MAX_SPINNING = Math.max(1, CORES - 1);

    /** By the longest automatic spin in nanoseconds, of which there is one per kind of device. */
    private static final ConcurrentHashMap<Long, SpinPolicy> YOUNG = new ConcurrentHashMap<>();

    private static volatile long configuredNs = Settings.SPIN_AUTO;

    private State state = State.TRYING;
    private long sinceNs = System.nanoTime();
    private long restNs = MIN_REST_NS;
    private int paid;
    private int failed;
    private long autoNs;
    private final boolean besideOne;
    private int shortSleeps;
    private int longSleeps;

    /** A policy for a device in shared memory. */
    public SpinPolicy() {
        this(AUTO_NS);
    }

    /** @param autoNs longest automatic spin: about what sleeping and being woken costs both sides, in nanoseconds */
    public SpinPolicy(long autoNs) {
        this(autoNs, false);
    }

    private SpinPolicy(long autoNs, boolean besideOne) {
        this.autoNs = autoNs;
        this.besideOne = besideOne;
    }

    /**
     * {@return the policy for a place that waits for the ends of operations which are under way, several at a time}
     *
     * <p>It spins longer, and also where one thread more wants to run than there are cores, which is most often a compiler's.
     * Otherwise peers that are interrupted for a moment both begin to sleep, and wake each other on the same core.
     */
    public static SpinPolicy forOperations() {
        return new SpinPolicy(OPERATIONS_NS, true);
    }

    /**
     * {@return the policy for the first waits of places that may not live long enough to learn what pays}
     *
     * <p>All of them share it, and learn together; it is thread-safe. Without it every short connection would begin with
     * a hopeful spin, even where its peer waits for the very core.
     *
     * @param autoNs as in {@link #SpinPolicy(long)}
     */
    public static SpinPolicy forYoung(long autoNs) {
        SpinPolicy known = YOUNG.get(autoNs);
        return known != null ? known : YOUNG.computeIfAbsent(autoNs, Shared::new);
    }

    private static final class Shared extends SpinPolicy {
        Shared(long autoNs) {
            super(autoNs);
        }

        @Override
        synchronized State update(long nowNs) {
            return super.update(nowNs);
        }

        @Override
        synchronized void count(boolean came) {
            super.count(came);
        }

        @Override
        public synchronized void slept(long durationNs) {
            super.slept(durationNs);
        }
    }

    /** Spins for at least so long from now on: one of several things waited for is dearer to sleep on. */
    public void raise(long otherAutoNs) {
        autoNs = Math.max(autoNs, otherAutoNs);
    }

    /** {@return the longest automatic spin, in nanoseconds} */
    long boundNs() {
        return autoNs;
    }

    /** Applies {@code exs.spin}. */
    public static void configure(Settings settings) {
        configuredNs = settings.spinAuto() ? Settings.SPIN_AUTO : settings.spinNs();
    }

    /**
     * Asks for permission to spin. A positive answer is followed by {@link #end}.
     *
     * @param nowNs {@link System#nanoTime()}
     * @return nanoseconds to spin at most; 0: sleep at once
     */
    public long begin(long nowNs) {
        long fixedNs = configuredNs;
        if (fixedNs != Settings.SPIN_AUTO) {
            return fixedNs > 0 && enter() ? fixedNs : 0;
        }
        if (CORES == 1 || CoreDemand.crowded(nowNs, besideOne)) {
            return 0;
        }
        State now = update(nowNs);
        if (now == State.RESTING || !enter()) {
            return 0;
        }
        return now == State.PUSHING ? Math.max(PUSH_NS, autoNs) : autoNs;
    }

    private static boolean enter() {
        if (SPINNING.incrementAndGet() > MAX_SPINNING) {
            SPINNING.decrementAndGet();
            return false;
        }
        return true;
    }

    /** {@return the state now; ends windows and rests} */
    State update(long nowNs) {
        long elapsedNs = nowNs - sinceNs;
        if (state == State.RESTING) {
            if (elapsedNs >= restNs) {
                restNs = Math.min(2 * restNs, MAX_REST_NS);
                start(State.TRYING, nowNs);
            }
        } else if (elapsedNs > WINDOW_NS && (paid + failed >= MIN_SPINS || state == State.PUSHING)) {
            endWindow(nowNs);
        }
        return state;
    }

    private void endWindow(long nowNs) {
        if (paid > 0 && failed <= MAX_FAILED_PER_PAID * paid) {
            restNs = MIN_REST_NS;
            if (state == State.PUSHING) {
                NEXT_PUSH_NS.set(nowNs);
            }
            start(State.TRYING, nowNs);
        } else if (state == State.TRYING && shortSleeps > longSleeps && permitPush(nowNs)) {
            start(State.PUSHING, nowNs);
        } else {
            start(State.RESTING, nowNs);
        }
    }

    private static boolean permitPush(long nowNs) {
        long next = NEXT_PUSH_NS.get();
        return nowNs - next >= 0 && NEXT_PUSH_NS.compareAndSet(next, nowNs + PUSH_INTERVAL_NS);
    }

    private void start(State next, long nowNs) {
        state = next;
        sinceNs = nowNs;
        paid = 0;
        failed = 0;
        shortSleeps = 0;
        longSleeps = 0;
    }

    /** Reports whether what was waited for came while spinning. */
    public void end(boolean came) {
        SPINNING.decrementAndGet();
        count(came);
    }

    void count(boolean came) {
        if (came) {
            paid++;
        } else {
            failed++;
        }
    }

    /** Reports how long a sleep took. */
    public void slept(long durationNs) {
        if (durationNs < Math.max(SHORT_SLEEPS * autoNs, SHORT_SLEEP_NS)) {
            shortSleeps++;
        } else {
            longSleeps++;
        }
    }
}
