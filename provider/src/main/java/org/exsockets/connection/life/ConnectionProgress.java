package org.exsockets.connection.life;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.util.concurrent.atomic.AtomicBoolean;
import org.exsockets.connection.life.Life.Step;
import org.exsockets.observe.Flight;
import org.exsockets.observe.FlightLog;
import org.exsockets.observe.Log;
import org.exsockets.observe.Statistics;
import org.exsockets.observe.Traffic;
import org.exsockets.stream.StreamEngine;
import org.exsockets.stream.link.StreamListener;
import org.exsockets.verbs.CompletionChannel;
import org.exsockets.verbs.CompletionQueue;
import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.QueuePair;
import org.exsockets.verbs.SpinGate;
import org.exsockets.waiting.ProgressThread;
import org.exsockets.waiting.Waiters;

/**
 * The work on a connection besides the program's reads and writes: it handles completions, takes events, notices the
 * peer's end, and has the background thread send what is due and answer what the peer waits for.
 *
 * <p>The thread that has set {@link #polling} is the stream's poller. {@link #progress} only tries to set it,
 * {@link #enterPolling} spins for it. A poller does not block.
 *
 * <p>Code that touches the connection's memory without one of its locks holds a pin: a selector while it has a key, a
 * thread while it handles an event or closes.
 */
public final class ConnectionProgress implements Runnable {
    private static final long LIVENESS_LOOK_NS = 5_000_000;

    /** The parts of the connection that progress affects. Any thread; no method blocks. */
    public interface Owner extends Waiters.Sleepers {
        /** Continues a close, if the program has closed and what is due has been done. */
        void completeClose();

        /** No pin is left: releases the memory if it is unused. */
        void tryRelease();

        /** {@return whether a receive has ended, and its owner has not taken it yet} */
        boolean receivesHaveEnded();

        /** Something has happened: makes the selectors that know the connection look at it. */
        public void signalSelectors();
    }

    /** Counts what happens to the stream, and lends the writer a hand. */
    private final class Listening implements StreamListener {
        private void tellGrowth(int lengthBytes, boolean refused) {
            FlightLog recorder = Flight.recorder;
            if (recorder != null) {
                recorder.grown(endpoint.remoteHost().getHostAddress(), lengthBytes, refused);
            }
        }

        private void tellPhase(boolean sending) {
            FlightLog recorder = Flight.recorder;
            if (recorder != null) {
                recorder.phase(endpoint.remoteHost().getHostAddress(), sending);
            }
        }

        @Override
        public boolean onNoRoom() {
            return progress();
        }

        @Override
        public void onGrown(int lengthBytes) {
            Statistics.jvm().bufferGrown(lengthBytes);
            tellGrowth(lengthBytes, false);
        }

        @Override
        public void onGrowthRefused(int lengthBytes) {
            Statistics.jvm().bufferRefused();
            tellGrowth(lengthBytes, true);
        }

        @Override
        public void onSendingPhase() {
            traffic.sendingPhases++;
            tellPhase(true);
        }

        @Override
        public void onReceivingPhase() {
            traffic.receivingPhases++;
            tellPhase(false);
        }

        @Override
        public void onStaleAdvert() {
            traffic.staleAdverts++;
        }

        @Override
        public void onCancel() {
            traffic.cancelledAdverts++;
        }
    }

    public final Traffic traffic = new Traffic();

    public final Endpoint endpoint;
    public final CompletionQueue completions;
    public final StreamEngine engine;
    public final Waiters waiters;
    public final QueuePair queuePair;

    /** What tells of events of the connection. */
    public final CompletionChannel events;

    public final Owner owner;

    private final SpinGate polling = new SpinGate();

    public final Life life = new Life();

    /** Written and read racily by reader and writer; a stale value costs a look too many. */
    private long lastLookNs = System.nanoTime();

    /**
     * The peer has sent something since the last look, so it was alive. The poller sets this, readers and writers clear
     * it, all racily: if it is lost, the clock is read once too often; if it is seen late, the look is one call late.
     */
    private boolean heard;

    /** Whether the background thread has been asked to {@link #settle}. */
    final AtomicBoolean asked = new AtomicBoolean();

    /** Completions that had been taken at the last {@link #lookForLosses}. The background thread's. */
    private long takenBefore;

    /** Settling waits for an event, which any thread may take. */
    private volatile boolean watched;

    /** Sends messages that lacked credits. One object, so that the background thread recognises it. */
    final Runnable settle = new Runnable() {
        @Override
        public void run() {
            if (!pin()) {
                return;
            }
            try {
                watched = false;
                takeEvents();
                watched = true;
                arm();
                engine.flush();
                owner.completeClose();
                if (engine.owesOutput() && !life.isHungUp()) {
                    ProgressThread.get().watch(events.selectable(), SelectionKey.OP_READ, this);
                    return;
                }
                watched = false;
                if (!life.isHungUp()) {
                    asked.set(false);
                    settleLater();
                }
            } catch (IOException | RuntimeException | Error e) {
                asked.set(false);
                Log.warn("settling of " + endpoint.localAddress() + " to " + endpoint.remoteAddress() + ": " + e, e);
            } finally {
                unpin();
            }
        }
    };

    /** Whether {@link #answer} is under way. */
    private final AtomicBoolean attending = new AtomicBoolean();

    /** Answers what the peer waits for. */
    private final Runnable answer = new Runnable() {
        @Override
        public void run() {
            attending.set(false); // Before the look: what comes after it asks again.
            if (pin()) {
                try {
                    progressFully();
                    growIfFull();
                    settleLater();
                    owner.completeClose();
                } finally {
                    unpin();
                }
            }
        }
    };

    /** @param direct whether bytes may go straight to an ADVERT of the peer */
    public ConnectionProgress(Endpoint endpoint, Owner owner, boolean direct) {
        this.owner = owner;
        this.endpoint = endpoint;
        this.queuePair = endpoint.queuePair();
        this.completions = queuePair.completionQueue();
        this.events = queuePair.completionChannel();
        this.engine = new StreamEngine(endpoint, new Listening(), direct);
        this.waiters = new Waiters(events, queuePair.wakeWord(), owner);
    }

    // Completions.

    /** {@return whether there is anything to poll, as far as is known; any thread, without a lock} */
    public boolean hasCompletions() {
        return !completions.isEmpty();
    }

    /** Handles the completions that have come, unless another thread does. {@return whether there were any} */
    public boolean progress() {
        completions.look();
        return progressFound();
    }

    /** As {@link #progress}, of those that a look of this wait, or of another thread, has found: does not ask again. */
    public boolean progressFound() {
        if (!completions.hasFound() || !polling.tryEnter()) {
            return false;
        }
        return progressAndLeave();
    }

    /** As {@link #progress}, but first waits for another thread that is handling completions. */
    public void progressFully() {
        enterPolling();
        completions.look();
        progressAndLeave();
    }

    /** Takes the role of the poller; {@link #leavePolling} follows soon. */
    public void enterPolling() {
        polling.enter();
    }

    /**
     * Needs no fence behind it. A thread that finds the role taken leaves completions to its holder and comes back.
     * Both look once more behind a fence, in {@link #progressFully}, before they sleep.
     */
    public void leavePolling() {
        polling.exit();
    }

    private boolean progressAndLeave() {
        boolean any;
        try {
            any = engine.progressFound();
        } finally {
            leavePolling();
        }
        if (any) {
            heard = true;
        }
        if (engine.failure() != null && !life.isPeerOver()) {
            fail(engine.failure());
        }
        return any;
    }

    /** @see StreamEngine#growIfFull */
    void growIfFull() {
        enterPolling();
        try {
            engine.growIfFull();
        } finally {
            leavePolling();
        }
    }

    /** Resets the connection for a fault. The first of each peer's host is logged. */
    public void fail(String reason) {
        Log.warnFirst(
                "reset by " + endpoint.remoteHost(),
                "connection reset: " + reason + ": local=" + endpoint.localAddress() + ", remote="
                        + endpoint.remoteAddress());
        life.go(Step.FAIL);
        disconnect(DisconnectReason.VIOLATION);
        wakeAll();
    }

    // Events.

    /** Notices the peer's end: a program that polls, or a writer that never waits, must learn of it, too. */
    public void lookAtLiveness() {
        if (life.isPeerOver()) {
            return;
        }
        if (queuePair.peerReason() != DisconnectReason.NONE) {
            onHangup();
            return;
        }
        if (heard) {
            heard = false; // The clock is not read: a round trip has no time for that.
            return;
        }
        long nowNs = System.nanoTime();
        if (nowNs - lastLookNs > LIVENESS_LOOK_NS) {
            lastLookNs = nowNs;
            takeEvents();
        }
    }

    /** Takes what the completion channel holds; for selectors that find it readable. */
    public void takeEvents() {
        int bits = events.drain();
        if (bits != 0) {
            onEvent(bits);
            waiters.wakeAll();
        }
    }

    /** Asks for an event at the next arrival. */
    public void armChannel() {
        completions.requestNotification();
    }

    /**
     * Asks for an event at the next completion, and handles those that have come before. The caller looks at the
     * readiness once more afterwards.
     */
    public void arm() {
        armChannel();
        progressFully();
    }

    /** @see Waiters.Sleepers#onEvent */
    public void onEvent(int bits) {
        if ((bits & CompletionChannel.HANGUP) != 0) {
            hangUp();
        }
        owner.signalSelectors();
        if (watched) {
            watched = false;
            submitAsked();
        }
    }

    /**
     * Every second or so, on the background thread, with a pin: ends sleeps that go on because memory shared with the
     * peer was overwritten. If a message was lost, the connection is reset. If a wake-up may have been lost, all look
     * again. Who sleeps has found nothing before, so that can be only if a message has come since the last look; to
     * selectors a wake-up too many costs little, threads are woken only if they have reason to go on.
     */
    public void lookForLosses() {
        if (!life.isHungUp()) {
            if (!queuePair.isIntact()) {
                fail("memory shared with the peer was overwritten");
            } else if (completions.taken() != takenBefore || hasCompletions()) {
                progress(); // Perhaps nobody else does for long: the peer is to get its message credits back.
                takenBefore = completions.taken();
                onEvent(CompletionChannel.EVENT);
            }
        }
        if (engine.outgoing.hasSlowReader()) {
            owner.signalSelectors();
        }
        waiters.wakeIfChanged();
    }

    public void lookForDisconnect() {
        if (queuePair.peerReason() != DisconnectReason.NONE || events.isHungUp()) {
            hangUp();
        }
    }

    /**
     * {@return whether a peer that has ended its output cannot get what is written now: its device is gone, though the
     * connection manager may not have said so yet}
     */
    public boolean peerIsLeaving() {
        return queuePair.inError() && engine.incoming.finArrived();
    }

    void hangUp() {
        if (!life.isHungUp() && pin()) {
            try {
                onHangup();
            } finally {
                unpin();
            }
        }
    }

    private void onHangup() {
        engine.onEnding();
        enterPolling();
        boolean orderly = false;
        try {
            engine.progress();
            if (queuePair.peerReason() == DisconnectReason.ORDERLY) {
                engine.onPeerClosed(queuePair.peerLastWord());
                orderly = engine.incoming.finArrived();
                if (engine.isMissed(queuePair.peerLastWord())) {
                    life.go(Step.WRITE_TO_NOBODY);
                }
            }
        } finally {
            leavePolling();
        }
        if (engine.failure() != null && !life.isPeerOver()) {
            fail(engine.failure());
        } else {
            life.go(orderly ? Step.PEER_ENDS : Step.PEER_RESETS);
        }
        owner.completeClose();
    }

    /** Makes all threads and selectors that wait for the connection look again. */
    public void wakeAll() {
        waiters.wakeAll();
        owner.signalSelectors();
    }

    /** {@return whether the peer has reset the connection; whether or not this end is closed} */
    public boolean isReset() {
        if (pin()) {
            try {
                progress();
                lookAtLiveness();
            } finally {
                unpin();
            }
        }
        return life.isReset();
    }

    /** {@return the kernel's error for a send that cannot succeed: the reset, unless that was reported before} */
    public IOException cannotSend() {
        boolean reset = isReset() && !engine.incoming.finArrived() && life.go(Step.TELL_RESET);
        return new IOException(reset ? "Connection reset by peer" : "Broken pipe");
    }

    /** Keeps the memory until {@link #unpin}. {@return false if it has been given back} */
    public boolean pin() {
        return life.pin();
    }

    /** Takes back {@link #pin}; the last user gives the memory back. */
    public void unpin() {
        if (life.unpin()) {
            owner.tryRelease();
        }
    }

    // Ending and settling.

    /** Tells the peer that this end is over. Idempotent. */
    public synchronized void disconnect(DisconnectReason reason) {
        if (!life.isDisconnected()) {
            queuePair.disconnect(reason, engine.lastWord());
            life.go(Step.DISCONNECT); // Last: a thread that finds the connection disconnected may release it.
        }
    }

    /** Makes the background thread send messages that lacked credits, if the program does not come back. */
    public void settleLater() {
        if (engine.owesOutput() && !asked.get() && asked.compareAndSet(false, true)) {
            submitAsked();
        }
    }

    private void submitAsked() {
        if (!ProgressThread.trySubmitLater(settle)) {
            asked.set(false);
        }
    }

    /** Called by the device: if nobody has handled what has come, the peer may be waiting for an answer. */
    @Override
    public void run() {
        if ((hasCompletions() || engine.isFull())
                && attending.compareAndSet(false, true)
                && !ProgressThread.trySubmit(answer)) {
            attending.set(false);
        }
    }
}
