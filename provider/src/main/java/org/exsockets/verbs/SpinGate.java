package org.exsockets.verbs;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Mutual exclusion for sections of a few instructions that do not block: a waiting thread spins, then yields.
 *
 * <p>Cheaper than a lock that parks: losing the race costs nanoseconds, not a wake-up.
 */
public final class SpinGate {
    private static final int SPINS_BEFORE_YIELD = 200;

    private final AtomicBoolean held = new AtomicBoolean();

    public void enter() {
        int spins = 0;
        while (!tryEnter()) {
            if (++spins > SPINS_BEFORE_YIELD) {
                Thread.yield();
            } else {
                Thread.onSpinWait();
            }
        }
    }

    /** {@return whether nobody was in} {@link #exit} is to follow then. */
    public boolean tryEnter() {
        return !held.getPlain() && held.compareAndSet(false, true);
    }

    public void exit() {
        held.setRelease(false);
    }
}
