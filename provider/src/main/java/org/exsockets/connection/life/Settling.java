package org.exsockets.connection.life;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.util.concurrent.atomic.AtomicBoolean;
import org.exsockets.observe.Log;
import org.exsockets.waiting.ProgressThread;

/**
 * What the background thread does for a connection that no thread of the program comes back to: it sends messages that
 * lacked credits, and answers what the peer waits for. Any thread asks for it; {@link ProgressThread} does it.
 */
final class Settling implements Runnable {
    private final ConnectionProgress progress;

    /** Whether {@link ProgressThread} has been asked to settle what is due. */
    private final AtomicBoolean asked = new AtomicBoolean();

    /** Settling waits for an event, which any thread may take. */
    private volatile boolean watched;

    /** One object, so that the background thread recognises it. */
    private final Runnable settle = new Runnable() {
        @Override
        public void run() {
            if (!progress.pin()) {
                return;
            }
            try {
                watched = false;
                progress.takeEvents();
                watched = true;
                progress.arm();
                progress.engine.flush();
                progress.owner.completeClose();
                if (progress.engine.owesOutput() && !progress.life.isHungUp()) {
                    ProgressThread.get().watch(progress.events.selectable(), SelectionKey.OP_READ, this);
                    return;
                }
                watched = false;
                if (!progress.life.isHungUp()) {
                    asked.set(false);
                    progress.settleLater();
                }
            } catch (IOException | RuntimeException | Error e) {
                asked.set(false);
                Log.warn(
                        "settling of " + progress.endpoint.localAddress() + " to "
                                + progress.endpoint.remoteSocketAddress() + ": " + e,
                        e);
            } finally {
                progress.unpin();
            }
        }
    };

    /** Whether {@link #answer} is under way. */
    private final AtomicBoolean attending = new AtomicBoolean();

    private final Runnable answer = new Runnable() {
        @Override
        public void run() {
            attending.set(false); // Before the look: what comes after it asks again.
            if (progress.pin()) {
                try {
                    progress.progressFully();
                    progress.growIfFull();
                    progress.settleLater();
                    progress.owner.completeClose();
                } finally {
                    progress.unpin();
                }
            }
        }
    };

    Settling(ConnectionProgress progress) {
        this.progress = progress;
    }

    /** Something is due: asks for it to be settled soon, unless that has been asked for already. */
    void submit() {
        if (!asked.get() && asked.compareAndSet(false, true)) {
            submitAsked();
        }
    }

    private void submitAsked() {
        if (!ProgressThread.trySubmitLater(settle)) {
            asked.set(false);
        }
    }

    /** A thread has taken an event, which settling may have waited for. */
    void onEvent() {
        if (watched) {
            watched = false;
            submitAsked();
        }
    }

    /**
     * Called by the device: the peer may be waiting for an answer. A program at work will most likely answer within the
     * grace of the background thread.
     */
    @Override
    public void run() {
        if (attending.compareAndSet(false, true) && !ProgressThread.trySubmitLater(answer)) {
            attending.set(false);
        }
    }
}
