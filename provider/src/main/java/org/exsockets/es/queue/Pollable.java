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

    /** {@return how to poll it now; any thread} */
    Polling polling();

    /** Continues the operations. Takes the source's lock. */
    void work();

    /** Asks for a wake-up through the channels at the next arrival, then {@link #work}s once more. */
    void arm();

    /** Passes on the channels, with what is waited for now. */
    void channels(Channels visitor);

    /** A channel of the source is ready: takes its events. */
    default void onReady() {}

    /** Ends every operation of that queue without an event. */
    void abandon(PolledEventQueue queue);

    /** {@return whether the source is closed, so that queues may forget it} */
    boolean isClosed();

    /** A queue has forgotten the source; once for each {@link Attachment}. */
    void onDetached(Attachment attachment);
}
