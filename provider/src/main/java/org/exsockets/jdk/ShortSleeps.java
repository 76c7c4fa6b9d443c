package org.exsockets.jdk;

import java.util.concurrent.locks.LockSupport;

/**
 * A wait in short sleeps, for an event that wakes no thread. An interrupt does not end the wait; it takes effect
 * afterwards, since it would end every sleep. Used by one thread, once.
 */
public abstract class ShortSleeps {
    private final long sleepNs;
    private final long spinNs;

    /** @param sleepNs the length of a sleep, in nanoseconds */
    protected ShortSleeps(long sleepNs) {
        this(0, sleepNs);
    }

    /** @param spinNs for how long to spin before the first sleep, in nanoseconds */
    protected ShortSleeps(long spinNs, long sleepNs) {
        this.spinNs = spinNs;
        this.sleepNs = sleepNs;
    }

    /** {@return whether the wait is over} Called once before each sleep, and after the last one. */
    protected abstract boolean isOver();

    /** {@return the last result of {@link #isOver}; the wait lasts at most {@code limitNs} nanoseconds} */
    public final boolean await(long limitNs) {
        boolean over = isOver();
        if (over) {
            return true;
        }
        boolean interrupted = Thread.interrupted();
        long startNs = System.nanoTime();
        try {
            for (long waitedNs = 0; !over && waitedNs < limitNs; waitedNs = System.nanoTime() - startNs) {
                if (waitedNs < spinNs) {
                    Thread.onSpinWait();
                } else {
                    LockSupport.parkNanos(this, Math.min(sleepNs, limitNs - waitedNs));
                    interrupted |= Thread.interrupted();
                }
                over = isOver();
            }
            return over;
        } finally {
            if (interrupted) {
                Threads.restoreInterrupt();
            }
        }
    }
}
