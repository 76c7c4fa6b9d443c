package org.exsockets.stream.link;

/**
 * Gets events of a stream other than its bytes. Called in the role named; must not block, and only {@link #onNoRoom} may
 * call the stream.
 */
public interface StreamListener {
    /** Poller: the peer has switched to a hidden buffer of {@code lengthBytes}. */
    default void onGrown(int lengthBytes) {}

    /** Poller: there was no memory for a hidden buffer of {@code lengthBytes}. */
    default void onGrowthRefused(int lengthBytes) {}

    /** Writer: the bytes that this end sends have begun to go directly, or indirectly. */
    default void onSendingPhase() {}

    /** Poller: the bytes that this end receives have begun to come directly, or indirectly. */
    default void onReceivingPhase() {}

    /** Writer or poller, one at a time: an ADVERT of the peer was stale when it came, or before its use. */
    default void onStaleAdvert() {}

    /** Writer: there is no room; what has come may make some. {@return whether anything had come, and was handled} */
    default boolean onNoRoom() {
        return false;
    }

    /** Poller: an ADVERT of this end was cancelled. */
    default void onCancel() {}
}
