package org.exsockets.jdk;

import java.util.concurrent.locks.LockSupport;

/**
 * A wait in short sleeps, for what nobody wakes a thread for. An interrupt does not end it, and would end every one of its sleeps: it
 * is put off until the wait is over. Used by one thread, once.
 */
public abstract class ShortSleeps {
    private final long sleepNs;
    private final long spinNs;

    /** @param sleepNs the length of a sleep, in nanoseconds */
    protected ShortSleeps(long sleepNs) {
        this(0, sleepNs);
    }

    /**
     * @param spinNs for how long it looks again and again before it sleeps
     * @param sleepNs the length of a sleep, in nanoseconds
     */
    protected ShortSleeps(long spinNs, long sleepNs) {
        this.spinNs = spinNs;
        this.sleepNs = sleepNs;
    }

    /** {@return whether there is nothing to wait for any more} Called once before each sleep, and behind the last one. */
    protected abstract boolean isOver();

    /** {@return what {@link #isOver} has said last: false if it did not come within {@code limitNs} nanoseconds} */
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
