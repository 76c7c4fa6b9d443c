package org.exsockets.verbs;

import java.nio.ByteBuffer;

/**
 * A reliable connected queue pair.
 *
 * <p>State | trigger | next: RTS | a request failed, or {@link #disconnect} | ERROR. There is no way back. In ERROR
 * every post is refused.
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
     * <p>A request that fails, now or later, gives a completion with the cause and puts the queue pair into the error
     * state. Requests that are flushed because of that state give no completion, but for those without
     * {@link WorkRequest#inline}: their completion is always told, if wanted, since it gives the payload back.
     *
     * @return {@link #POSTED}, {@link #IN_ERROR} or {@link #QUEUE_FULL}; a SEND finds the queue full only if more of
     *     them are under way than {@link Endpoint#receiveDepth}, a write whose length is within {@link #sendRoom} never
     * @throws IllegalArgumentException if the payload exceeds what the device takes in one request
     * @throws RuntimeException or an Error, such as {@link InternalError}, of reading a payload that the program has taken away:
     *     nothing was posted, though bytes of the peer's memory that the request names may have changed
     */
    int postSend(WorkRequest request);

    /**
     * {@return payload bytes that one inline write may have now; 0 while nothing but SENDs can be posted} Grows as
     * earlier requests complete at the peer, shrinks by writes only. Any thread, at any rate.
     */
    int sendRoom();

    /**
     * {@return payload bytes that one write without {@link WorkRequest#inline} may have now; 0 while there is no room for
     * one, and always where the device takes every payload when it is posted} As {@link #sendRoom} otherwise.
     */
    default int registeredRoom() {
        return 0;
    }

    /**
     * {@return writes without {@link WorkRequest#inline} that the device may still read the payload of} Falls as they
     * complete, or are flushed; 0 after {@link Endpoint#sever}. Any thread, at any rate.
     */
    default long unfinishedWrites() {
        return 0;
    }

    /**
     * The upper layer has bytes to send and the peer no room for them: from now on the device sees to it that a peer
     * that is dead shows as a failed request, as TCP does by probing a closed window. Any thread, at any rate.
     */
    void awaitPeer();

    /**
     * Posts a receive of {@code lengthBytes} at {@code offset} of {@code target}. One thread at a time.
     *
     * @return false if the receive queue is full
     */
    boolean postReceive(long wrId, ByteBuffer target, int offset, int lengthBytes);

    /**
     * As {@link #postReceive}, {@code count} times: receives that are alike, as where the device {@link #placesWhenPolled}.
     *
     * @return false if the receive queue has no room for all of them; how many were posted is not said
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
     * {@return whether a message comes to the memory of its receive no sooner than its completion is polled} Then receives
     * may share their memory, if who polls is done with a message before the next one, and an idle connection need not have
     * memory for as many messages as may come. Receives that are all alike cost nothing each.
     */
    default boolean placesWhenPolled() {
        return false;
    }

    CompletionQueue completionQueue();

    CompletionChannel completionChannel();

    /** {@return a word that a thread can sleep on instead of the completion channel; null: the device has none} */
    default WakeWord wakeWord() {
        return null;
    }

    boolean inError();

    /**
     * {@return whether the peer's process has taken the connection over} Until then nobody can tell its end by {@link #peerReason}: only the
     * completion channel does. Any thread.
     */
    default boolean accepted() {
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
     * {@return whether everything posted before {@link #disconnect}, its word included, has reached the peer's memory, or
     * never will} Any thread, even after the endpoint's release.
     */
    boolean delivered();
}
