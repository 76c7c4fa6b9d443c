package org.exsockets.socket;

import org.exsockets.progress.SpinLoop;
import org.exsockets.progress.Waiters;

/**
 * How the reader or the writer of a connection waits until something may have changed for it: it spins while that pays, then arms and
 * sleeps. Each has its own, used by the thread that reads or writes.
 */
final class ConnectionWaiting implements SpinLoop.News<RuntimeException> {
    private final ExsConnection connection;
    private final int slot;
    private final Deadline deadline;
    private final SpinLoop loop;

    /**
     * @param slot {@link Waiters#READER} or {@link Waiters#WRITER}
     * @param deadline that one's
     */
    ConnectionWaiting(ExsConnection connection, int slot, Deadline deadline) {
        this.connection = connection;
        this.slot = slot;
        this.deadline = deadline;
        this.loop = SpinLoop.young(connection.events().wakeUpNs());
    }

    /**
     * Waits until something may have changed, see {@link ExsConnection#changed}.
     *
     * @return 0, or why there is no use in waiting on: a code of {@link Outcome}
     */
    int await() {
        int ended = deadline.ended();
        if (ended != 0 || connection.changed(slot)) {
            return connection.changed(slot) ? 0 : ended;
        }
        if (loop.spin(this, deadline.remainingNs())) {
            return 0;
        }
        // Never disarmed afterwards: the flag is one for reader and writer, and the other may rely on it.
        long sleptAtNs = System.nanoTime();
        connection.waiters.sleep(slot, deadline.remainingNs());
        loop.slept(System.nanoTime() - sleptAtNs);
        return deadline.ended();
    }

    @Override
    public boolean arrived() {
        if (connection.changed(slot)) {
            return true;
        }
        connection.completions.anticipate();
        return false;
    }

    @Override
    public boolean lookAround(long nowNs) {
        return deadline.interrupted();
    }
}
