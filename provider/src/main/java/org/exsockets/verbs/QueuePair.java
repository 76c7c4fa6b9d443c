package org.exsockets.verbs;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A reliable connected queue pair.
 *
 * <p>RTS becomes ERROR, for good, when a request fails or at {@link #disconnect}. In ERROR every post is refused.
 */
public interface QueuePair {
    /** Taken. */
    int POSTED = 0;

    /** Refused, the queue pair is in the error state. */
    int IN_ERROR = -1;

    /** Refused, no room in the send queue; poll completions and retry. */
    int QUEUE_FULL = -2;

    /**
     * Posts a SEND: consumes a posted receive of the peer, in which the payload lands.
     *
     * <p>Of all posts: requests of one thread are executed in its order; threads may post concurrently. Requests give
     * no completion, except the first that fails, now or later: its completion has the cause, and the queue pair is in
     * the error state.
     *
     * @param payload heap or direct, position and limit ignored; may change as soon as the post has returned
     * @param offset of the first byte in {@code payload}
     * @param length bytes, &ge; 0
     * @param solicited the peer handles it even if its program is in no call: {@link Endpoint#attend}
     *     (IBV_SEND_SOLICITED)
     * @return {@link #POSTED}, {@link #IN_ERROR} or {@link #QUEUE_FULL}, this only if more SENDs than {@link
     *     Endpoint#receiveDepth} are under way
     * @throws IllegalArgumentException if the payload exceeds what the device takes in one request
     */
    int send(ByteBuffer payload, int offset, int length, boolean solicited);

    /**
     * Posts an RDMA write, as {@link #send}: places bytes in an exposed region of the peer, without an event there. One
     * thread at a time writes, with or without immediate, and stages; it may do so while others send.
     *
     * @param address where, in the region
     * @param key of the region
     * @param memory from {@link DirectAccess#leaseToSend}, covers the payload, which the device reads where it lies:
     *     neither may it change nor the memory be released before {@link #unfinishedWrites} has fallen to 0; null: the
     *     device takes the payload
     * @return as of {@link #send}, but the queue is never full for a length within {@link #sendRoom}
     * @throws RuntimeException if the program has taken the payload away: nothing was posted, but bytes of the peer's
     *     memory that the request names may have changed
     */
    int write(ByteBuffer payload, int offset, int length, long address, int key, @Nullable ProgramMemory memory);

    /**
     * As {@link #write}, then consumes a posted receive of the peer, which gets length and immediate.
     *
     * @param immediate a plain integer; the device converts to network byte order where its wire wants it
     * @param solicited as of {@link #send}
     */
    int writeWithImmediate(
            ByteBuffer payload,
            int offset,
            int length,
            long address,
            int key,
            @Nullable ProgramMemory memory,
            int immediate,
            boolean solicited);

    /**
     * {@return payload bytes that one write may have now, if the device takes them; 0 while nothing but SENDs can be
     * posted} Grows as earlier requests complete at the peer, shrinks by writes only. Any thread, any number of times.
     */
    int sendRoom();

    /**
     * Takes bytes for the next write, which continues them at the peer: both become one request. They are within {@link
     * #sendRoom}, which shrinks by them. Until {@link #postStaged}, or a write without registered memory, has posted them
     * they have not left.
     *
     * @return false: nothing was taken, and the bytes are to be written; always, if a request is cheap
     * @throws RuntimeException as of {@link #write}; what was staged before stays so
     */
    default boolean stage(ByteBuffer payload, int offset, int length, long address, int key) {
        return false;
    }

    /** Writes what has been staged, if anything has. {@return as {@link #write}} */
    default int postStaged() {
        return POSTED;
    }

    /**
     * {@return payload bytes that one write from registered memory may have now; 0 while
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
     * shows as a failed request, as over TCP, which probes a closed window. A device whose peers' ends always show need
     * do nothing. Any thread, any number of times.
     */
    default void awaitPeer() {}

    /**
     * Whether a peer that is dead or out of reach shows as a failed request though neither end sends anything
     * (SO_KEEPALIVE). A device whose peers' ends always show need do nothing. Any thread, any number of times.
     *
     * @param idleSeconds time between probes of the peer's device; 0: as the system has it ({@code
     *     tcp_keepalive_time}); negative: none
     */
    default void keepAlive(int idleSeconds) {}

    /**
     * Posts {@code count} receives, with as few calls of the device as it takes: number i, from 0, has the identity
     * {@code wrId + i} and {@code lengthBytes} bytes, the first at {@code offset} of {@code target}, the others behind
     * it. If the device {@link #placesWhenPolled}, they are alike. One thread at a time.
     *
     * @return false if the receive queue has no room for all of them; some may have been posted
     */
    boolean postReceives(int count, long wrId, ByteBuffer target, int offset, int lengthBytes);

    /** Posts one receive, as {@link #postReceives}. */
    default boolean postReceive(long wrId, ByteBuffer target, int offset, int lengthBytes) {
        return postReceives(1, wrId, target, offset, lengthBytes);
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
