package org.exsockets.progress;

import java.util.concurrent.atomic.AtomicInteger;
import org.exsockets.config.Settings;

/**
 * How long one waiting place spins before it sleeps: waking a sleeper costs more than a hundred cache-line round trips,
 * but a spin that does not pay takes the core from somebody else.
 *
 * <p>An instance belongs to one waiting place and is used by one thread at a time. With {@code exs.spin=auto} it judges
 * itself by windows of time: a window in which few spins paid is followed by a rest in which every wait sleeps at once,
 * twice as long after each failure. A window is long enough for the scheduler to notice two runnable threads on one
 * core: peers that woke each other up share a core, and only sustained spinning makes them part. A process never has
 * more spinning threads than it can spare cores, and does not spin at all on a single core.
 */
public final class SpinPolicy {
    /** Longest automatic spin: about what sleeping and being woken costs both sides. */
    static final long AUTO_NS = 50_000;

    /** A few ticks of the scheduler. */
    static final long WINDOW_NS = 12_000_000;

    static final long MIN_REST_NS = 25_000_000;
    static final long MAX_REST_NS = 1_600_000_000;

    /** A window with fewer spins is extended. */
    private static final int MIN_SPINS = 4;

    /** Spins that fail for each one that pays, at most. */
    private static final int MAX_FAILED_PER_PAID = 3;

    private static final AtomicInteger SPINNING = new AtomicInteger();

    private static final int CORES = Runtime.getRuntime().availableProcessors();
    private static final int MAX_SPINNING = Math.max(1, CORES - 1);

    private static volatile long configuredNs = Settings.SPIN_AUTO;

    private boolean resting;
    private long sinceNs = System.nanoTime();
    private long restNs = MIN_REST_NS;
    private int paid;
    private int failed;

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
        if (fixedNs == 0 || fixedNs == Settings.SPIN_AUTO && (CORES == 1 || rests(nowNs))) {
            return 0;
        }
        if (SPINNING.incrementAndGet() > MAX_SPINNING) {
            SPINNING.decrementAndGet();
            return 0;
        }
        return fixedNs == Settings.SPIN_AUTO ? AUTO_NS : fixedNs;
    }

    /** {@return whether this place rests now; begins and ends windows and rests} */
    boolean rests(long nowNs) {
        long elapsedNs = nowNs - sinceNs;
        if (resting) {
            if (elapsedNs < restNs) {
                return true;
            }
            restNs = Math.min(2 * restNs, MAX_REST_NS);
            start(false, nowNs);
        } else if (elapsedNs > WINDOW_NS && paid + failed >= MIN_SPINS) {
            boolean useless = failed > MAX_FAILED_PER_PAID * paid;
            if (!useless) {
                restNs = MIN_REST_NS;
            }
            start(useless, nowNs);
        }
        return resting;
    }

    private void start(boolean rest, long nowNs) {
        resting = rest;
        sinceNs = nowNs;
        paid = 0;
        failed = 0;
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
}
