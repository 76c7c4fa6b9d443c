package org.exsockets.waiting;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.exsockets.jdk.Threads;

/**
 * The end of a waiting call: its time-out and its interrupt. Used by one thread at a time, for one call after another:
 * {@link #start} begins a call, {@link #restoreInterrupt} ends it.
 *
 * <p>A call that interrupts do not end still sleeps in places where an interrupt ends the sleep. So it clears the
 * interrupt status while it waits and restores it before it returns.
 */
public final class Deadline {
    private boolean interruptible;
    private boolean limited;
    private long endNs;
    private boolean interruptTaken;

    /** A call begins. {@return this} */
    public Deadline start(Wait wait) {
        interruptible = wait.interruptible();
        limited = wait.timeoutNs() != Wait.FOREVER;
        endNs = limited ? System.nanoTime() + wait.timeoutNs() : 0;
        interruptTaken = false;
        return this;
    }

    /** {@return 0, {@link Outcome#INTERRUPTED} or {@link Outcome#TIMED_OUT}} */
    public int ended() {
        if (interruptible) {
            if (Thread.currentThread().isInterrupted()) {
                return Outcome.INTERRUPTED;
            }
        } else if (Thread.interrupted()) {
            interruptTaken = true;
        }
        return limited && endNs - System.nanoTime() <= 0 ? Outcome.TIMED_OUT : 0;
    }

    /** {@return whether the call is to end for an interrupt} */
    public boolean interrupted() {
        return interruptible && Thread.currentThread().isInterrupted();
    }

    /** {@return whether the call has no time-out} */
    public boolean isEndless() {
        return !limited;
    }

    /** {@return nanoseconds left, at least 1} */
    public long remainingNs() {
        return limited ? Math.max(1, endNs - System.nanoTime()) : Wait.FOREVER;
    }

    /** {@return a wait for the time that is left} */
    public Wait rest() {
        return new Wait(remainingNs(), interruptible);
    }

    /**
     * Takes a lock before the end. An interrupt meanwhile takes effect in the call. {@return whether the lock was
     * taken}
     */
    public boolean lock(ReentrantLock lock) {
        if (!limited) {
            lock.lock();
            return true;
        }
        boolean wasInterrupted = false;
        try {
            while (true) {
                try {
                    return lock.tryLock(remainingNs(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    wasInterrupted = true;
                }
            }
        } finally {
            if (wasInterrupted) {
                Threads.restoreInterrupt();
            }
        }
    }

    /** The call ends: sets the interrupt status again if it was cleared. */
    public void restoreInterrupt() {
        if (interruptTaken) {
            Threads.restoreInterrupt();
        }
    }
}
