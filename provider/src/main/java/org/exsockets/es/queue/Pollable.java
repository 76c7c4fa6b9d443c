package org.exsockets.es.queue;

import java.nio.channels.SelectableChannel;

/** What a queue polls for its operations: a socket or a listener. */
public interface Pollable {
    /** Gets the channels of a {@link Pollable}. */
    @FunctionalInterface
    interface Channels {
        /** @param ops waited for; 0: none now */
        void accept(SelectableChannel channel, int ops);
    }

    /** {@return whether {@link #work} may find something; a load or two, no lock; false after the close} */
    boolean hasNews();

    /** Has coming news fetched into this core's caches; for a spinning thread that may call {@link #hasNews}. */
    default void anticipate() {}

    /** Continues the operations. Takes the source's lock. */
    void work();

    /** Asks for a wake-up through the channels at the next arrival, then {@link #work}s once more. */
    void arm();

    /** {@return whether {@link #hasNews} shows arrivals} */
    boolean polled();

    /** {@return what it costs to sleep and be woken instead of polling, in nanoseconds; 0 if not {@link #polled}} */
    long wakeUpNs();

    /**
     * {@return for how long the peer is busy without this end, in nanoseconds; 0 if unknown} Any thread, without a
     * lock.
     */
    default long quietNs() {
        return 0;
    }

    /** Passes on the channels, with what is waited for now. */
    void channels(Channels visitor);

    /** A channel of the source is ready: takes its events. */
    void onReady();

    /** Ends every operation of that queue without an event. */
    void abandon(PolledEventQueue queue);

    /** {@return whether the source is closed, so that queues may forget it} */
    boolean isClosed();

    /** A queue has forgotten the source; once for each {@link Attachment}. */
    void onDetached(Attachment attachment);
}
