package org.exsockets.socket;

import java.io.IOException;
import org.exsockets.config.DirectMode;
import org.exsockets.observe.Log;
import org.exsockets.observe.Statistics;
import org.exsockets.observe.Traffic;
import org.exsockets.progress.Waiters;
import org.exsockets.socket.Life.Step;
import org.exsockets.stream.StreamEngine;
import org.exsockets.stream.StreamListener;
import org.exsockets.verbs.CompletionChannel;
import org.exsockets.verbs.CompletionQueue;
import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.QueuePair;
import org.exsockets.verbs.SpinGate;

/**
 * What happens on a connection beside the program's reads and writes: completions are handled, events taken, the peer's
 * end noticed, and dues settled in the background.
 *
 * <p>The stream's poller is whoever has set {@link #polling}; it is only ever tried, except by {@link #progressFully},
 * and held without blocking.
 *
 * <p>Who touches the connection's memory without holding one of its locks holds a pin: selectors while they have a key,
 * threads while they handle an event or close.
 */
final class ConnectionProgress {
    private static final long LIVENESS_LOOK_NS = 5_000_000;

    /** The rest of the connection, which progress has consequences for. Any thread; nothing here blocks. */
    interface Owner extends Waiters.Sleepers {
        /** Goes on with a close, if the program has closed and what is due has been done. */
        void completeClose();

        /** No pin is left: releases the memory if nobody uses it any more. */
        void tryRelease();

        /** {@return whether a receive that was outstanding has ended, and its reader has not seen it yet} */
        boolean receivesHaveEnded();

        /** Something has happened: selectors that know the connection look at it. */
        void signalSelectors();
    }

    /** Counts what happens to a stream. */
    private record Counting(Traffic traffic) implements StreamListener {
        @Override
        public void onGrown(int lengthBytes) {
            Statistics.jvm().bufferGrown(lengthBytes);
        }

        @Override
        public void onGrowthRefused(int lengthBytes) {
            Statistics.jvm().bufferRefused();
        }

        @Override
        public void onSendingPhase() {
            traffic.addSendingPhase();
        }

        @Override
        public void onReceivingPhase() {
            traffic.addReceivingPhase();
        }

        @Override
        public void onStaleAdvert() {
            traffic.addStaleAdvert();
        }

        @Override
        public void onCancel() {
            traffic.addCancelledAdvert();
        }
    }

    final Traffic traffic = new Traffic();

    final Endpoint endpoint;
    final CompletionQueue completions;
    final StreamEngine engine;
    final Waiters waiters;
    private final QueuePair queuePair;
    private final CompletionChannel events;

    private final Owner owner;

    private final SpinGate polling = new SpinGate();

    final Life life = new Life();

    /** Written and read racily by reader and writer; a stale value costs a look too many. */
    private long lastLookNs = System.nanoTime();

    /**
     * The peer has sent something since the last look, so it lived. The poller sets it and readers and writers take it away,
     * all racily: what gets lost costs a look at the clock too many, what is seen late puts the look off by one call.
     */
    private boolean heard;

    private final Settling settling;

    ConnectionProgress(Endpoint endpoint, Owner owner) {
        this.owner = owner;
        this.endpoint = endpoint;
        this.queuePair = endpoint.queuePair();
        this.completions = queuePair.completionQueue();
        this.events = queuePair.completionChannel();
        this.engine = new StreamEngine(endpoint, new Counting(traffic), DirectReadPolicy.mode() != DirectMode.NEVER);
        this.waiters = new Waiters(events, queuePair.wakeWord(), owner);
        this.settling = new Settling(this);
    }

    QueuePair queuePair() {
        return queuePair;
    }

    CompletionChannel events() {
        return events;
    }

    // Completions.

    boolean hasCompletions() {
        return !completions.isEmpty();
    }

    /** Handles completions if nobody else is at it. {@return whether there were any} */
    boolean progress() {
        if (!hasCompletions() || !polling.tryEnter()) {
            return false;
        }
        return progressAndLeave();
    }

    /** As {@link #progress}, but what another thread is just handling has been handled, too, when this returns. */
    void progressFully() {
        enterPolling();
        progressAndLeave();
    }

    /** Takes the role of the poller; {@link #leavePolling} follows soon. */
    void enterPolling() {
        polling.enter();
    }

    /**
     * No fence is needed behind it: who finds the role taken and leaves completions to its holder comes back, and both look
     * once more behind a fence, in {@link #progressFully}, before they sleep.
     */
    void leavePolling() {
        polling.exit();
    }

    private boolean progressAndLeave() {
        boolean any;
        try {
            any = engine.progress();
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

    void fail(String reason) {
        Log.warn("connection reset: " + reason + ": local=" + endpoint.localAddress() + ", remote="
                + endpoint.remoteSocketAddress());
        life.go(Step.FAIL);
        disconnect(DisconnectReason.VIOLATION);
        wakeAll();
    }

    // Events.

    /** A non-blocking program that polls, or a writer that never waits, must learn of the peer's death, too. */
    void lookAtLiveness() {
        if (life.isPeerOver()) {
            return;
        }
        if (queuePair.peerReason() != DisconnectReason.NONE) {
            onHangup();
            return;
        }
        if (heard) {
            heard = false; // And the clock is not looked at: a round trip has no time for that.
            return;
        }
        long nowNs = System.nanoTime();
        if (nowNs - lastLookNs > LIVENESS_LOOK_NS) {
            lastLookNs = nowNs;
            takeEvents();
        }
    }

    /** Takes what the completion channel holds; for selectors that find it readable. */
    void takeEvents() {
        int bits = events.drain();
        if (bits != 0) {
            onEvent(bits);
            waiters.wakeAll();
        }
    }

    void armChannel() {
        completions.requestNotification();
    }

    /** Asks for an event at the next completion, and handles those that have come before. */
    void arm() {
        armChannel();
        progressFully();
    }

    /** @see Waiters.Sleepers#onEvent */
    void onEvent(int bits) {
        if ((bits & CompletionChannel.HANGUP) != 0) {
            hangUp();
        }
        owner.signalSelectors();
        settling.onEvent();
    }

    void lookForDisconnect() {
        if (queuePair.peerReason() != DisconnectReason.NONE) {
            hangUp();
        }
    }

    /**
     * {@return whether nothing that is written now can reach a peer that has ended its output: its device is gone, though
     * the connection manager may not have said so yet}
     */
    boolean peerIsLeaving() {
        return queuePair.inError() && engine.finArrived();
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
                orderly = engine.finArrived();
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

    void wakeAll() {
        waiters.wakeAll();
        owner.signalSelectors();
    }

    /** {@return whether the peer has reset the connection; whether or not this side is closed} */
    boolean isReset() {
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

    /** {@return what the kernel says to who sends what cannot be sent: of a reset, unless somebody was told of that} */
    IOException cannotSend() {
        boolean reset = isReset() && !engine.finArrived() && life.go(Step.TELL_RESET);
        return new IOException(reset ? "Connection reset by peer" : "Broken pipe");
    }

    boolean pin() {
        return life.pin();
    }

    void unpin() {
        if (life.unpin()) {
            owner.tryRelease();
        }
    }

    // Ending and settling.

    synchronized void disconnect(DisconnectReason reason) {
        if (!life.isDisconnected()) {
            queuePair.disconnect(reason, engine.lastWord());
            life.go(Step.DISCONNECT); // Behind it: whoever finds the connection disconnected may release it.
        }
    }

    /** Has what could not be sent for lack of credits sent in the background, if the program does not come back. */
    void settleLater() {
        if (engine.owesOutput()) {
            settling.submit();
        }
    }

    /** @see Owner#signalSelectors */
    void signalSelectors() {
        owner.signalSelectors();
    }

    /** @see Owner#receivesHaveEnded */
    boolean receivesHaveEnded() {
        return owner.receivesHaveEnded();
    }

    /** @see Owner#completeClose */
    void completeClose() {
        owner.completeClose();
    }

    /** {@return what the device is to run when something has come that the peer waits for an answer to, maybe} */
    Runnable attendant() {
        return settling;
    }
}
