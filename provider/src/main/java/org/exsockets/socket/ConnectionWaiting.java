package org.exsockets.socket;

import org.exsockets.progress.SpinPolicy;
import org.exsockets.progress.Waiters;

/**
 * How the reader and the writer of a connection wait until something may have changed for them: each spins while that pays,
 * then arms and sleeps. Used by both at the same time.
 */
final class ConnectionWaiting {
    private static final int YOUNG_WAITS = 8;
    private static final int SPINS_BETWEEN_CLOCK_LOOKS = 32;

    private final ExsConnection connection;

    /** How both wait while the connection is young; afterwards each has its own policy. */
    private final SpinPolicy young;

    /** Waits of readers and writers so far, up to {@link #YOUNG_WAITS}. */
    private int waits;

    ConnectionWaiting(ExsConnection connection) {
        this.connection = connection;
        this.young = SpinPolicy.forYoung(connection.events().wakeUpNs());
    }

    /**
     * Waits until something may have changed, see {@link ExsConnection#changed}.
     *
     * @param slot {@link Waiters#READER} or {@link Waiters#WRITER}, which the thread is
     * @param own the policy of that one
     * @return 0, or why there is no use in waiting on: a code of {@link Outcome}
     */
    int await(int slot, SpinPolicy own, Deadline deadline) {
        int ended = deadline.ended();
        if (ended != 0 || connection.changed(slot)) {
            return connection.changed(slot) ? 0 : ended;
        }
        SpinPolicy spin = policy(own);
        long spinNs = spin.begin(System.nanoTime());
        if (spinNs > 0) {
            boolean paid = false;
            try {
                paid = spin(slot, Math.min(spinNs, deadline.remainingNs()), deadline.interruptible());
            } finally {
                spin.end(paid);
            }
            if (paid) {
                return 0;
            }
        }
        // Never disarmed afterwards: the flag is one for reader and writer, and the other may rely on it.
        long sleptAtNs = System.nanoTime();
        connection.waiters.sleep(slot, deadline.remainingNs());
        spin.slept(System.nanoTime() - sleptAtNs);
        return deadline.ended();
    }

    private SpinPolicy policy(SpinPolicy own) {
        if (waits >= YOUNG_WAITS) {
            return own;
        }
        // A reader and a writer may lose a wait or count one too many; it is no more than an age.
        waits++;
        return young;
    }

    private boolean spin(int slot, long spinNs, boolean interruptible) {
        long startNs = System.nanoTime();
        do {
            for (int i = 0; i < SPINS_BETWEEN_CLOCK_LOOKS; i++) {
                if (connection.changed(slot)) {
                    return true;
                }
                connection.completions.anticipate();
                Thread.onSpinWait();
            }
            if (interruptible && Thread.currentThread().isInterrupted()) {
                return true;
            }
        } while (System.nanoTime() - startNs < spinNs);
        return false;
    }
}
