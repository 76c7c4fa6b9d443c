package org.exsockets.es;

import java.nio.channels.SelectableChannel;

/** What a queue polls for the sake of its operations: a socket or a listener. */
interface Pollable {
    /** Takes the channels of a {@link Pollable}. */
    @FunctionalInterface
    interface Channels {
        /** @param ops for which the channel's readiness tells of something; 0 for none now */
        void accept(SelectableChannel channel, int ops);
    }

    /** {@return whether {@link #work} may find something; a load or two, no lock; false once it is closed} */
    boolean hasNews();

    /** Makes ready for what will be news soon; for a thread that spins, where {@link #hasNews} may be asked. */
    default void anticipate() {}

    /** Moves on what is under way. Takes the source's lock. */
    void work();

    /** Asks for a wake-up through the channels at the next arrival, then {@link #work}s once more. */
    void arm();

    /** {@return whether {@link #hasNews} tells of arrivals} */
    boolean polled();

    /** {@return what it costs to sleep and be woken instead of polling, in nanoseconds; 0 if it is not polled} */
    long wakeUpNs();

    /**
     * {@return for how long the peer has enough to do without anybody looking here, in nanoseconds; 0 if that is not known}
     * Any thread, without a lock.
     */
    default long quietNs() {
        return 0;
    }

    /** Shows the channels that tell of what is waited for now. */
    void channels(Channels visitor);

    /** A channel of it is ready: takes what it holds. */
    void onReady();

    /** Ends every operation of that queue without an event. */
    void abandon(PolledEventQueue queue);

    /** {@return whether it is closed, so that no queue need know it any more} */
    boolean isClosed();

    /** A queue has forgotten it; follows once for each {@link Attachment}. */
    void onDetached(Attachment attachment);
}
