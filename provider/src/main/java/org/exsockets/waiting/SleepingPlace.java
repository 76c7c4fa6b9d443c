package org.exsockets.waiting;

import java.io.IOException;

/** Where a platform thread sleeps until one channel of a connection is readable. One sleeper at a time. */
interface SleepingPlace {
    /**
     * Sleeps until the channel is readable, {@link #wake}, interrupt or time-out; may return for no reason.
     *
     * @param timeoutNs > 0
     * @return whether the channel may be readable
     */
    boolean sleep(long timeoutNs) throws IOException;

    /** Ends the current sleep, or else the next one. Any thread, also after {@link #leave}. */
    void wake();

    /** Gives the place back, once. No thread sleeps in it. */
    void leave();
}
