package org.exsockets.verbs;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A reliable connected queue pair.
 *
 * <p>RTS becomes ERROR, for good, when a request fails or at {@link #disconnect}. In ERROR every post is refused.
 */
public interface QueuePair {
    /** {@link #postSend}: taken. */
    int POSTED = 0;

    /** {@link #postSend}: refused, the queue pair is in the error state. */
    int IN_ERROR = -1;

    /** {@link #postSend}: refused, no room in the send queue; poll completions and retry. */
    int QUEUE_FULL = -2;

    /**
     * Posts a send work request. Requests of one thread are executed in its order; threads may post concurrently.
     *
     * <p>Requests give no completion, except the first that fails, now or later: its completion has the cause, and the
     * queue pair is in the error state.
     *
     * @return {@link #POSTED}, {@link #IN_ERROR} or {@link #QUEUE_FULL}; a SEND finds the queue full only if more SENDs
     *     than {@link Endpoint#receiveDepth} are under way, a write whose length is within {@link #sendRoom} never
     * @throws IllegalArgumentException if the payload exceeds what the device takes in one request
     * @throws RuntimeException if the program has taken the payload away:
     *     nothing was posted, but bytes of the peer's memory that the request names may have changed
     */
    int postSend(WorkRequest request);

    /**
     * {@return payload bytes that one write may have now, if the device takes them; 0 while nothing but SENDs can be
     * posted} Grows as earlier requests complete at the peer, shrinks by writes only. Any thread, any number of times.
     */
    int sendRoom();

    /**
     * {@return payload bytes that one write {@linkplain WorkRequest#from from registered memory} may have now; 0 while
     * there is no room for one, and always if the device takes every payload when it is posted} Otherwise as
     * {@link #sendRoom}.
     */
    default int registeredRoom() {
        return 0;
    }

    /**
     * {@return how many writes from registered memory there are whose payload the device may still read} Falls as they
     * complete, or are flushed; 0 after {@link DirectAccess#takeAway}. Any thread, any number of times.
     */
    default long unfinishedWrites() {
        return 0;
    }

    /**
     * The upper layer has bytes to send, and the peer has no room. From now on a killed peer, or one out of reach,
     * shows as a failed request, as over TCP, which probes a closed window. Any thread, any number of times.
     */
    void awaitPeer();

    /**
     * Posts a receive of {@code lengthBytes} at {@code offset} of {@code target}. One thread at a time.
     *
     * @return false if the receive queue is full
     */
    boolean postReceive(long wrId, ByteBuffer target, int offset, int lengthBytes);

    /**
     * Posts {@code count} equal receives, each as {@link #postReceive}; for example if the device
     * {@link #placesWhenPolled}.
     *
     * @return false if the receive queue has no room for all of them; some may have been posted
     */
    default boolean postReceives(int count, long wrId, ByteBuffer target, int offset, int lengthBytes) {
        for (int i = 0; i < count; i++) {
            if (!postReceive(wrId, target, offset, lengthBytes)) {
                return false;
            }
        }
        return true;
    }

    /**
     * {@return whether a message is placed in the memory of its receive only when its completion is polled} Then
     * all receives must be alike: they have the identity and the memory of the first, and the poller finishes with a
     * message before it polls the next one. An idle connection needs no memory for all the messages that may come.
     */
    default boolean placesWhenPolled() {
        return false;
    }

    CompletionQueue completionQueue();

    CompletionChannel completionChannel();

    /** {@return a word that a thread can sleep on instead of the completion channel; null: the device has none} */
    default @Nullable WakeWord wakeWord() {
        return null;
    }

    boolean inError();

    /**
     * {@return whether the peer's process has accepted the connection} Until then the connection's end shows only at
     * the completion channel, not in {@link #peerReason}. Any thread.
     */
    default boolean accepted() {
        return true;
    }

    /**
     * {@return whether memory that both ends can write to still holds what this end alone has written there, as far as
     * the peer has yet to use it} If not, the peer may wait for ever for what has been overwritten. Exact: false only if
     * something else has written there. Does not wait. Any thread, at any time.
     */
    default boolean isIntact() {
        return true;
    }

    /** {@return how the peer ended the connection, as far as it has said so; any thread} */
    DisconnectReason peerReason();

    /** {@return the word the peer gave with its {@link #disconnect}; valid once {@link #peerReason} says so} */
    long peerLastWord();

    /**
     * Ends the connection: the queue pair goes to the error state, so that nothing is posted any more, and the peer's
     * completion channel hangs up with {@code reason}. Idempotent: the first reason counts. Never blocks.
     *
     * @param lastWord delivered with the reason, without a receive of the peer: its meaning is the upper layer's
     */
    void disconnect(DisconnectReason reason, long lastWord);

    /**
     * {@return whether everything posted before {@link #disconnect}, its word included, has reached the peer's memory,
     * or never will} Any thread, even after the endpoint's release.
     */
    boolean delivered();
}
