package org.exsockets.waiting;

import org.exsockets.adapt.Backoff;

/**
 * Decides from earlier waits whether, and for how long, a waiting place spins before it sleeps. Rule of {@link
 * SpinLoop}.
 *
 * <p>A spin takes no longer than sleeping and being woken costs, and is made only if earlier waits say that it pays:
 *
 * <ul>
 *   <li>after a sleep of twice that time or more the place sleeps at once, until a sleep is shorter again;
 *   <li>after a spin that failed it sleeps at once for one wait, after the next failure for two, then for four, up to
 *       {@value #MAX_SKIPPED}; a spin that pays resets this.
 * </ul>
 *
 * <p>So no wait costs more than twice what sleeping at once costs, whatever else needs the core. If spins keep failing,
 * waits cost 1 + 1/17 of that in the long run. When waits have become short, all of them spin after 17 sleeps at most.
 *
 * <p>Not thread-safe, but harmless if used by several threads: a race loses one count.
 */
final class SpinPolicy {
    /** Waits that follow a failed spin and do not spin, at most. */
    static final int MAX_SKIPPED = 16;

    /** A sleep shorter than so many bounds took little more than the two wake-ups, the peer's and its own. */
    static final int SHORT_SLEEP_BOUNDS = 2;

    private long boundNs;

    /** The latest sleep was short; assumed for a new place. */
    private boolean shortSleep = true;

    /** Of spins. */
    private final Backoff backoff = new Backoff(MAX_SKIPPED);

    /** @param boundNs what sleeping and being woken costs both sides, in nanoseconds: the longest spin */
    SpinPolicy(long boundNs) {
        this.boundNs = boundNs;
    }

    long boundNs() {
        return boundNs;
    }

    /** Raises the bound to at least this, for an awaited thing that costs more to sleep on. */
    void raise(long otherBoundNs) {
        boundNs = Math.max(boundNs, otherBoundNs);
    }

    /** A wait begins. {@return nanoseconds to spin at most, to be followed by {@link #spun}; 0: sleep at once} */
    long begin() {
        return !shortSleep || backoff.skip() ? 0 : boundNs;
    }

    /** @param paid whether the awaited thing came while spinning; otherwise a sleep follows */
    void spun(boolean paid) {
        if (paid) {
            backoff.onSuccess();
        } else {
            backoff.onFailure();
        }
    }

    /** @param durationNs how long a wait has slept, in nanoseconds, what it spun before not included */
    void slept(long durationNs) {
        shortSleep = durationNs < SHORT_SLEEP_BOUNDS * boundNs;
    }
}
