package org.exsockets.verbs;

import java.nio.channels.SelectableChannel;

/** Where a sleeping program is woken: completion events and the end of the connection. Any thread. */
public interface CompletionChannel {
    /** Bit of {@link #drain()}: at least one event was taken. */
    int EVENT = 1;

    /** Bit of {@link #drain()}: the peer has disconnected or died; stays set. */
    int HANGUP = 2;

    /** {@return a non-blocking channel of the JDK's own, readable while there is something to {@link #drain()}} */
    SelectableChannel selectable();

    /**
     * {@return about what it costs, in nanoseconds, that both ends sleep on their channels and are woken, instead of
     * polling: for so long polling is worth while}
     */
    long wakeUpNs();

    /** Takes all events that are there, without blocking. {@return a combination of the bits above} */
    int drain();
}
