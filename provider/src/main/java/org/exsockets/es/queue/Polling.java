package org.exsockets.es.queue;

/** How a source shows what has arrived. Any thread of an attached queue, without a lock. By default it does not. */
public interface Polling {
    /** {@return whether {@link Pollable#work} may find something; a load or two; false after the close} */
    default boolean hasNews() {
        return false;
    }

    /** {@return whether {@link #hasNews} shows arrivals} */
    default boolean polled() {
        return false;
    }

    /** {@return what it costs to sleep and be woken instead of polling, in nanoseconds; 0 if not {@link #polled}} */
    default long wakeUpNs() {
        return 0;
    }

    /** {@return for how long the peer is busy without this end, in nanoseconds; 0 if unknown} */
    default long quietNs() {
        return 0;
    }
}
