package org.exsockets.progress;

import java.util.concurrent.atomic.AtomicInteger;
import org.exsockets.config.Settings;

/**
 * How long one waiting place spins before it sleeps: waking a sleeper costs more than a hundred cache-line round trips,
 * but a spin that does not pay takes the core from somebody else.
 *
 * <p>An instance belongs to one waiting place and is used by one thread at a time. With {@code exs.spin=auto} it spins
 * up to {@link #AUTO_NS} while that has paid lately; each failure doubles the number of waits that sleep at once. A
 * process never has more spinning threads than it can spare cores, and does not spin at all on a single core.
 */
public final class SpinPolicy {
    /** Longest automatic spin: about what sleeping and being woken costs both sides. */
    static final long AUTO_NS = 50_000;

    private static final int MAX_SKIPPED = 256;
    private static final int FREE_FAILURES = 2;

    private static final AtomicInteger SPINNING = new AtomicInteger();

    private static volatile long configuredNs = Settings.SPIN_AUTO;

    private static final int CORES = Runtime.getRuntime().availableProcessors();
    private static final int MAX_SPINNING = Math.max(1, CORES - 1);

    private int failures;
    private int skip;

    /** Applies {@code exs.spin}. */
    public static void configure(Settings settings) {
        configuredNs = settings.spinAuto() ? Settings.SPIN_AUTO : settings.spinNs();
    }

    /**
     * Asks for permission to spin. A positive answer is followed by {@link #end}.
     *
     * @return nanoseconds to spin at most; 0: sleep at once
     */
    public long begin() {
        long fixed = configuredNs;
        if (fixed == 0 || fixed == Settings.SPIN_AUTO && (CORES == 1 || skipped())) {
            return 0;
        }
        if (SPINNING.incrementAndGet() > MAX_SPINNING) {
            SPINNING.decrementAndGet();
            return 0;
        }
        return fixed == Settings.SPIN_AUTO ? AUTO_NS : fixed;
    }

    private boolean skipped() {
        if (skip > 0) {
            skip--;
            return true;
        }
        return false;
    }

    /** Reports whether what was waited for came while spinning. */
    public void end(boolean paid) {
        SPINNING.decrementAndGet();
        if (paid) {
            failures = 0;
        } else if (++failures > FREE_FAILURES) {
            skip = Math.min(MAX_SKIPPED, 1 << Math.min(failures - FREE_FAILURES, 8));
        }
    }
}
