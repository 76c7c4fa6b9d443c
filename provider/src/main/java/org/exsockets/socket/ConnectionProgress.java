package org.exsockets.socket;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CopyOnWriteArrayList;
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
import org.exsockets.verbs.SleepSign;
import org.exsockets.verbs.SpinGate;
import org.exsockets.verbs.WakeWord;

/**
 * What happens on a connection beside the program's reads and writes: completions are handled, events taken, the peer's
 * end noticed, dues settled in the background, and selectors shown what is ready.
 *
 * <p>The stream's poller is whoever has set {@link #polling}; it is only ever tried, except by {@link #progressFully},
 * and held without blocking.
 *
 * <p>Who touches the connection's memory without holding one of its locks holds a pin: selectors while they have a key,
 * threads while they handle an event or close.
 */
public abstract class ConnectionProgress implements Waiters.Sleepers {
    private static final long LIVENESS_LOOK_NS = 5_000_000;

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

    /** Told of every event taken, so that selectors other than the taker look, too. */
    private final CopyOnWriteArrayList<Runnable> selectorSignals = new CopyOnWriteArrayList<>();

    ConnectionProgress(Endpoint endpoint) {
        this.endpoint = endpoint;
        this.queuePair = endpoint.queuePair();
        this.completions = queuePair.completionQueue();
        this.events = queuePair.completionChannel();
        this.engine = new StreamEngine(endpoint, new Counting(traffic), DirectReadPolicy.mode() != DirectMode.NEVER);
        this.waiters = new Waiters(events, queuePair.wakeWord(), this);
        this.settling = new Settling(this);
    }

    public final InetSocketAddress localAddress() {
        return endpoint.localAddress();
    }

    public final InetSocketAddress remoteAddress() {
        return endpoint.remoteSocketAddress();
    }

    /** {@return as {@link Endpoint#localHost}} */
    public final InetAddress localHost() {
        return endpoint.localHost();
    }

    /** {@return as {@link Endpoint#remoteHost}} */
    public final InetAddress remoteHost() {
        return endpoint.remoteHost();
    }

    /** Goes on with a close, if the program has closed and what is due has been done. */
    abstract void completeClose();

    /** {@return whether a receive that was outstanding has ended, and its reader has not seen it yet; any thread} */
    abstract boolean receivesHaveEnded();

    /** Releases the memory if nobody uses it any more. */
    abstract void tryRelease();

    // Completions.

    /** Handles completions if nobody else is at it. {@return whether there were any} */
    final boolean progress() {
        if (!hasCompletions() || !polling.tryEnter()) {
            return false;
        }
        return progressAndLeave();
    }

    /** As {@link #progress}, but what another thread is just handling has been handled, too, when this returns. */
    final void progressFully() {
        enterPolling();
        progressAndLeave();
    }

    /** Takes the role of the poller; {@link #leavePolling} follows soon. */
    final void enterPolling() {
        polling.enter();
    }

    /**
     * No fence is needed behind it: who finds the role taken and leaves completions to its holder comes back, and both look
     * once more behind a fence, in {@link #progressFully}, before they sleep.
     */
    final void leavePolling() {
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

    final void fail(String reason) {
        Log.warn("connection reset: " + reason + ": local=" + localAddress() + ", remote=" + remoteAddress());
        life.go(Step.FAIL);
        disconnect(DisconnectReason.VIOLATION);
        wakeAll();
    }

    // Events.

    /** A non-blocking program that polls, or a writer that never waits, must learn of the peer's death, too. */
    final void lookAtLiveness() {
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
    public final void takeEvents() {
        int bits = events.drain();
        if (bits != 0) {
            onEvent(bits);
            waiters.wakeAll();
        }
    }

    @Override
    public final void armChannel() {
        completions.requestNotification();
    }

    @Override
    public final void onEvent(int bits) {
        if ((bits & CompletionChannel.HANGUP) != 0) {
            hangUp();
        }
        signalSelectors();
        settling.onEvent();
    }

    @Override
    public final void lookForDisconnect() {
        if (queuePair.peerReason() != DisconnectReason.NONE) {
            hangUp();
        }
    }

    /**
     * {@return whether nothing that is written now can reach a peer that has ended its output: its device is gone, though
     * the connection manager may not have said so yet}
     */
    final boolean peerIsLeaving() {
        return queuePair.inError() && engine.finArrived();
    }

    private void hangUp() {
        if (!life.isHungUp() && pin()) {
            try {
                onHangup();
            } finally {
                unpin();
            }
        }
    }

    final void signalSelectors() {
        if (isSelected()) {
            for (Runnable signal : selectorSignals) {
                signal.run();
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
        completeClose();
    }

    final void wakeAll() {
        waiters.wakeAll();
        signalSelectors();
    }

    // Readiness, for selectors.

    public final CompletionChannel events() {
        return events;
    }

    /** {@return whether the peer's side has ended, so that no further event comes} */
    public final boolean hungUp() {
        return life.isHungUp();
    }

    /** @see CompletionQueue#anticipate */
    public final void anticipate() {
        completions.anticipate();
    }

    /** {@return whether completions wait to be handled; a cheap look for a spinning selector} */
    public final boolean hasCompletions() {
        return !completions.isEmpty();
    }

    /** Handles what {@link #hasCompletions} tells of, for who has nothing to read or write; not after the close. */
    public final void handleCompletions() {
        progress();
        settleLater();
    }

    /** {@return whether a read would return at once} */
    public final boolean readable() {
        progress();
        return engine.readableBytes() > 0
                || engine.finArrived()
                || life.isInputShut()
                || life.isPeerOver()
                || receivesHaveEnded();
    }

    /** {@return whether the peer has reset the connection; any thread, whether or not this side is closed} */
    public final boolean isReset() {
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

    /**
     * {@return whether poll(2) would tell of an error or a hang-up of a TCP connection, not only that it can be read and written: it
     * was reset, or written to after the peer had closed, or nothing moves either way any more}
     */
    public final boolean pollsAsHungUp() {
        boolean inputEnded = life.isInputShut() || engine.finArrived();
        return isReset() || life.isWrittenToNobody() || life.isOutputShut() && inputEnded;
    }

    /** {@return whether a write would return at once} */
    public final boolean writable() {
        progress();
        return engine.writableBytes() > 0 || life.isOutputShut() || life.isPeerOver();
    }

    /** Asks for an event at the next completion. The caller looks at the readiness once more afterwards. */
    public final void arm() {
        armChannel();
        progressFully();
    }

    /** {@return as {@link CompletionQueue#openSleepSign}} */
    public final SleepSign openSleepSign() {
        return completions.openSleepSign();
    }

    /**
     * {@return as {@link CompletionQueue#show}} If the thread is about to sleep, the caller has turned the sign. It looks at the readiness
     * once more afterwards: all that the peer has published by then, or its end, has been handled.
     */
    public final boolean show(SleepSign sign, int cell, boolean marks) {
        if (!completions.show(sign, cell, marks)) {
            return false;
        }
        progressFully();
        lookForDisconnect();
        return true;
    }

    /** {@return whether the peer wakes who sleeps on the word of a sign that is shown here} */
    public final boolean wakesOnWord() {
        WakeWord word = queuePair.wakeWord();
        return word != null && word.isServed();
    }

    /** {@return whether the peer has disconnected, or has died as {@link #watch} has told, whatever this end has done} */
    public final boolean lookForPeersEnd() {
        if (queuePair.peerReason() == DisconnectReason.NONE) {
            return life.isChannelLost();
        }
        hangUp();
        return true;
    }

    /**
     * Looks for what only the completion channel tells of a connection that nobody has accepted: that the listener is gone.
     *
     * @return whether that is new
     */
    public final boolean lookWhetherRefused() {
        if (life.isPeerOver() || queuePair.accepted()) {
            return false;
        }
        takeEvents();
        return life.isPeerOver();
    }

    /**
     * From now on the background thread takes what comes on the completion channel, for selectors that do not look there.
     *
     * @throws IOException if there is no such thread
     */
    public final void watch() throws IOException {
        waiters.watch();
    }

    @Override
    public final void onWatched() {
        if (hungUp()) {
            life.go(Step.LOSE_CHANNEL);
            signalSelectors();
        } else if (isSelected()) {
            try {
                watch();
            } catch (IOException e) {
                throw new UncheckedIOException("this is the background thread", e);
            }
        }
    }

    /** @see CompletionQueue#hide */
    public final void hide(SleepSign sign) {
        completions.hide(sign);
    }

    /**
     * A selector begins to look at this connection; {@code signal} must not block.
     *
     * @return false if it is already gone
     */
    public final boolean addSelector(Runnable signal) {
        if (!pin()) {
            return false;
        }
        selectorSignals.add(signal);
        return true;
    }

    /** A selector has forgotten this connection; follows {@link #addSelector}. */
    public final void removeSelector(Runnable signal) {
        selectorSignals.remove(signal);
        completeClose(); // Maybe it was put off until now.
        unpin();
    }

    /** {@return whether a selector looks at this connection} */
    final boolean isSelected() {
        return !selectorSignals.isEmpty();
    }

    final boolean pin() {
        return life.pin();
    }

    final void unpin() {
        if (life.unpin()) {
            tryRelease();
        }
    }

    // Ending and settling.

    final synchronized void disconnect(DisconnectReason reason) {
        if (!life.isDisconnected()) {
            queuePair.disconnect(reason, engine.lastWord());
            life.go(Step.DISCONNECT); // Behind it: whoever finds the connection disconnected may release it.
        }
    }

    /** Has what could not be sent for lack of credits sent in the background, if the program does not come back. */
    final void settleLater() {
        if (engine.owesOutput()) {
            settling.submit();
        }
    }

    /** {@return what the device is to run when something has come that the peer waits for an answer to, maybe} */
    final Runnable attendant() {
        return settling;
    }
}
