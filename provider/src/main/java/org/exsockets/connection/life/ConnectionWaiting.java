package org.exsockets.connection.life;

import org.exsockets.observe.Flight;
import org.exsockets.observe.FlightLog;
import org.exsockets.waiting.BlockingCall;
import org.exsockets.waiting.Outcome;
import org.exsockets.waiting.SpinLoop;
import org.exsockets.waiting.Waiters;

/**
 * How the reader or the writer of a connection waits for a change: it spins while that pays, then arms and sleeps. Each
 * has an object of its own.
 */
public final class ConnectionWaiting extends BlockingCall implements SpinLoop.News<RuntimeException> {
    private final ConnectionProgress progress;
    private final Waiters.Sleepers sleepers;
    private final int slot;
    private final SpinLoop loop;

    /**
     * @param sleepers what changes for a thread that waits
     * @param slot {@link Waiters#READER} or {@link Waiters#WRITER}
     */
    public ConnectionWaiting(ConnectionProgress progress, Waiters.Sleepers sleepers, int slot) {
        this.progress = progress;
        this.sleepers = sleepers;
        this.slot = slot;
        this.loop = SpinLoop.young(progress.events.wakeUpNs());
    }

    /**
     * As {@link Waiters.Sleepers#changed} has it. When this returns 0, what has come is found: the attempt that follows
     * does not ask the device again. Neither does this before it spins or arms: the attempt before has.
     */
    @Override
    protected int await() {
        int ended = deadline.ended();
        if (ended != 0 || sleepers.changed(slot)) {
            return sleepers.changed(slot) ? 0 : ended;
        }
        if (loop.spin(this, deadline.remainingNs())) {
            progress.waiters.spun();
            return 0;
        }
        // Never disarmed afterwards: reader and writer share the flag, and the other may rely on it.
        long sleptAtNs = System.nanoTime();
        FlightLog recorder = Flight.recorder;
        Object event = recorder == null ? null : recorder.sleeping();
        progress.waiters.sleep(slot, deadline.remainingNs());
        if (!sleepers.changed(slot)) {
            progress.completions.look();
        }
        loop.slept(System.nanoTime() - sleptAtNs);
        if (recorder != null && event != null) {
            recorder.slept(event, progress.endpoint.remoteHost().getHostAddress(), slot == Waiters.READER);
        }
        return deadline.ended();
    }

    /** An interrupted call ends the connection. {@return the outcome} */
    public int left(int outcome) {
        if (outcome == Outcome.INTERRUPTED) {
            progress.life.go(Life.Step.INTERRUPT);
        }
        return outcome;
    }

    @Override
    public boolean arrived() {
        progress.completions.look();
        return sleepers.changed(slot);
    }

    @Override
    public boolean lookAround(long nowNs) {
        return deadline.interrupted();
    }
}
