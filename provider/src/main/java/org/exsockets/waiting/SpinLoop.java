package org.exsockets.waiting;

import java.util.concurrent.ConcurrentHashMap;
import org.exsockets.config.Settings;

/**
 * How one waiting place spins before it sleeps, as {@code exs.spin} says. {@code auto} follows {@link SpinPolicy},
 * except on a single core, where nothing comes while a thread spins. A number of microseconds is spun at every wait.
 *
 * <p>Used by one thread at a time.
 */
public final class SpinLoop {
    /**
     * For waits for the ends of several transfers under way: a core does not take much longer to fill or empty a
     * buffer, and a thread that sleeps there delays the transfers behind.
     */
    public static final long TRANSFERS_NS = 300_000;

    /**
     * What a place waits for.
     *
     * @param <E> what {@link #lookAround} may throw
     */
    public interface News<E extends Exception> {
        /** {@return whether there may be news} Called every few nanoseconds: a load or two. */
        boolean arrived();

        /**
         * Checks what is too costly for {@link #arrived}: interrupts, other descriptors. About every microsecond.
         *
         * @param nowNs {@link System#nanoTime()}
         * @return whether the spin is over, for news or because no thread waits any more
         */
        boolean lookAround(long nowNs) throws E;
    }

    private static final int LOOKS_BETWEEN_CLOCK_LOOKS = 16;

    /** Waits of a young place: in these it has not learned enough. */
    private static final int YOUNG_WAITS = 8;

    private static final boolean SINGLE_CORE = Runtime.getRuntime().availableProcessors() == 1;

    /** The policies of young places, by their bound: one per kind of device. Many threads use each. */
    private static final ConcurrentHashMap<Long, SpinPolicy> YOUNG = new ConcurrentHashMap<>();

    /** Nanoseconds of every spin, or {@link Settings#SPIN_AUTO}. Set when EXS is installed, read by all. */
    private static volatile long configuredNs = Settings.SPIN_AUTO;

    /** This place's own, or that of all young ones. */
    private SpinPolicy policy;

    /** Waits for which the place is still young. */
    private int youngWaits;

    /** @param boundNs what sleeping and being woken costs both sides, in nanoseconds: the longest automatic spin */
    public SpinLoop(long boundNs) {
        this(new SpinPolicy(boundNs), 0);
    }

    private SpinLoop(SpinPolicy policy, int youngWaits) {
        this.policy = policy;
        this.youngWaits = youngWaits;
    }

    /**
     * {@return a loop for a short-lived place: in their first waits all such places learn together what pays}
     *
     * @param boundNs as in {@link #SpinLoop(long)}
     */
    public static SpinLoop young(long boundNs) {
        SpinPolicy known = YOUNG.get(boundNs);
        if (known == null) {
            YOUNG.putIfAbsent(boundNs, new SpinPolicy(boundNs));
            known = YOUNG.get(boundNs);
        }
        return new SpinLoop(known, YOUNG_WAITS);
    }

    /** Applies {@code exs.spin}. */
    public static void configure(Settings settings) {
        configuredNs = settings.spinNs();
    }

    /** Raises the bound to at least this, for an awaited thing that costs more to sleep on. Not for a young place. */
    public void raise(long otherBoundNs) {
        policy.raise(otherBoundNs);
    }

    /**
     * A wait begins: spins if that is likely to pay.
     *
     * @param mostNs nanoseconds until the wait is over anyway
     * @return whether it is worth looking again; false: time to arm and sleep, see {@link #slept}
     */
    public <E extends Exception> boolean spin(News<E> news, long mostNs) throws E {
        grow();
        long boundNs = configuredNs;
        if (boundNs != Settings.SPIN_AUTO) {
            return boundNs > 0 && spinNow(news, Math.min(boundNs, mostNs));
        }
        boundNs = SINGLE_CORE ? 0 : policy.begin();
        if (boundNs == 0) {
            return false;
        }
        boolean paid = spinNow(news, Math.min(boundNs, mostNs));
        policy.spun(paid);
        return paid;
    }

    private void grow() {
        if (youngWaits > 0 && --youngWaits == 0) {
            policy = new SpinPolicy(policy.boundNs());
        }
    }

    private static <E extends Exception> boolean spinNow(News<E> news, long boundNs) throws E {
        long startNs = System.nanoTime();
        while (true) {
            for (int i = 0; i < LOOKS_BETWEEN_CLOCK_LOOKS; i++) {
                if (news.arrived()) {
                    return true;
                }
                Thread.onSpinWait();
            }
            long nowNs = System.nanoTime();
            if (news.lookAround(nowNs)) {
                return true;
            }
            if (nowNs - startNs >= boundNs) {
                return false;
            }
        }
    }

    /** Reports how long the wait has slept, in nanoseconds. */
    public void slept(long durationNs) {
        policy.slept(durationNs);
    }
}
