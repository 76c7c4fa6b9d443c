package org.exsockets.connection.life;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.exsockets.connection.life.Life.Step;
import org.exsockets.stream.StreamEngine;
import org.exsockets.verbs.CompletionQueue;
import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.SleepSign;
import org.exsockets.waiting.Waiters;

/**
 * What selectors and event queues see of a connection: what is ready, and how they are woken. Any thread. A selector
 * that was {@linkplain #addSelector added} keeps the connection's memory until it is removed.
 */
public final class Readiness {
    private static final Runnable[] NONE = {};

    private final ConnectionProgress progress;
    private final Life life;
    private final StreamEngine engine;

    /**
     * Of the selectors that know the connection. All run at every event taken, so that every selector looks, not only
     * the taker. Replaced as a whole.
     */
    private volatile Runnable[] signals = NONE;

    public Readiness(ConnectionProgress progress) {
        this.progress = progress;
        this.life = progress.life;
        this.engine = progress.engine;
    }

    // What is ready.

    /** {@return whether a read would return at once} */
    public boolean readable() {
        progress.progress();
        return engine.incoming.readableBytes() > 0
                || engine.incoming.finArrived()
                || life.isInputShut()
                || life.isPeerOver()
                || progress.owner.receivesHaveEnded();
    }

    /** {@return whether a write would return at once} */
    public boolean writable() {
        progress.progress();
        return engine.outgoing.writableBytes() > 0 || life.isOutputShut() || life.isPeerOver();
    }

    /**
     * {@return whether poll(2) would report an error or a hang-up of a TCP connection, not only readiness: it was
     * reset, or written to after the peer had closed, or both directions have ended}
     */
    public boolean pollsAsHungUp() {
        // The first question handles what has come: the peer's end among it.
        return progress.isReset()
                || life.isWrittenToNobody()
                || life.isOutputShut() && (life.isInputShut() || engine.incoming.finArrived());
    }

    /**
     * {@return whether the peer has disconnected, or {@link Waiters#watch} has seen the completion channel end,
     * whatever this end has done}
     */
    public boolean lookForPeersEnd() {
        if (progress.queuePair.peerReason() == DisconnectReason.NONE) {
            return life.isChannelLost();
        }
        progress.hangUp();
        return true;
    }

    /**
     * Checks whether the listener of a connection that was not accepted is gone: only the completion channel tells.
     *
     * @return whether that is new
     */
    public boolean lookWhetherRefused() {
        if (life.isPeerOver() || progress.queuePair.accepted()) {
            return false;
        }
        progress.takeEvents();
        return life.isPeerOver();
    }

    // Waking.

    /**
     * {@return as {@link CompletionQueue#show}} Before a sleep the caller has turned the sign. It looks at the
     * readiness once more after the call, which has handled all that the peer has published, its end included.
     */
    public boolean show(SleepSign sign, int cell, boolean sets) {
        if (!progress.completions.show(sign, cell, sets)) {
            return false;
        }
        progress.progressFully();
        progress.lookForDisconnect();
        return true;
    }

    /** The background thread has taken an event, as {@link Waiters#watch} asked. */
    public void onWatched() {
        if (life.isHungUp()) {
            life.go(Step.LOSE_CHANNEL);
            signalAll();
        } else if (isSelected()) {
            try {
                progress.waiters.watch();
            } catch (IOException e) {
                throw new UncheckedIOException("this is the background thread", e);
            }
        }
    }

    // Selectors.

    /**
     * A selector begins to look at this connection; {@code signal} must not block.
     *
     * @return false if the connection is already released
     */
    public boolean addSelector(Runnable signal) {
        if (!progress.pin()) {
            return false;
        }
        synchronized (this) {
            Runnable[] more = Arrays.copyOf(signals, signals.length + 1);
            more[signals.length] = signal;
            signals = more;
        }
        return true;
    }

    /** A selector has forgotten this connection; follows {@link #addSelector}. */
    public void removeSelector(Runnable signal) {
        remove(signal);
        progress.owner.completeClose(); // It may have been postponed until now.
        progress.unpin();
    }

    private synchronized void remove(Runnable signal) {
        int index = Arrays.asList(signals).indexOf(signal);
        Runnable[] fewer = Arrays.copyOf(signals, signals.length - 1);
        System.arraycopy(signals, index + 1, fewer, index, fewer.length - index);
        signals = fewer;
    }

    /** {@return whether a selector looks at this connection} */
    public boolean isSelected() {
        return signals.length != 0;
    }

    /** @see ConnectionProgress.Owner#signalSelectors */
    public void signalAll() {
        for (Runnable signal : signals) {
            signal.run();
        }
    }
}
