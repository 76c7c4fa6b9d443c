package org.exsockets.progress;

/**
 * Whether one waiting place spins before it sleeps, and for how long: the rule of {@link SpinLoop}, as a function of the waits before.
 *
 * <p>A spin takes no longer than sleeping and being woken costs, and it is made only where the waits before say that it will pay:
 *
 * <ul>
 *   <li>after a sleep of twice that time or more the place sleeps at once, until a sleep is shorter again;
 *   <li>after a spin that failed it sleeps at once for one wait, after the next failure for two, then for four, up to
 *       {@value #MAX_SKIPPED}; a spin that pays ends that.
 * </ul>
 *
 * <p>So whatever is waited for, and whatever else wants the core, no wait costs more than twice what sleeping at once costs. Where spins
 * keep failing, waits cost 1 + 1/17 of that in the long run. Where waits have become short all of them spin after 17 sleeps at most.
 *
 * <p>Not thread-safe, but harmless in the hands of several threads: what races lose is one count. {@link #toSkip} is never below 0, as each
 * thread writes what it has read, less one, if that was above 0.
 */
final class SpinPolicy {
    /** Waits that follow a failed spin and do not spin, at most. */
    static final int MAX_SKIPPED = 16;

    /** A sleep shorter than so many bounds was waiting for little more than the two wake-ups, the peer's and its own. */
    static final int SHORT_SLEEP_BOUNDS = 2;

    private long boundNs;

    /** The latest sleep was short; so it is assumed of a new place. */
    private boolean shortSleep = true;

    /** Waits that are still to sleep at once for a spin that failed. */
    private int toSkip;

    /** How many follow the next spin that fails. */
    private int skips = 1;

    /** @param boundNs what sleeping and being woken costs both sides, in nanoseconds: the longest spin */
    SpinPolicy(long boundNs) {
        this.boundNs = boundNs;
    }

    long boundNs() {
        return boundNs;
    }

    /** Spins for at least so long from now on: one of several things waited for is dearer to sleep on. */
    void raise(long otherBoundNs) {
        boundNs = Math.max(boundNs, otherBoundNs);
    }

    /** A wait begins. {@return nanoseconds to spin at most, to be followed by {@link #spun}; 0: sleep at once} */
    long begin() {
        if (!shortSleep) {
            return 0;
        }
        if (toSkip > 0) {
            toSkip--;
            return 0;
        }
        return boundNs;
    }

    /** @param paid whether what was waited for came while spinning; otherwise a sleep follows */
    void spun(boolean paid) {
        if (paid) {
            skips = 1;
        } else {
            toSkip = skips;
            skips = Math.min(2 * skips, MAX_SKIPPED);
        }
    }

    /** @param durationNs how long a wait has slept, in nanoseconds, what it spun before not included */
    void slept(long durationNs) {
        shortSleep = durationNs < SHORT_SLEEP_BOUNDS * boundNs;
    }
}
