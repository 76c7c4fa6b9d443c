package org.exsockets.verbs;

import java.nio.channels.SelectableChannel;
import org.jspecify.annotations.Nullable;

/** Wakes a sleeping thread at a completion and at the end of the connection. Any thread. */
public interface CompletionChannel {
    /** Bit of {@link #drain()}: at least one event was taken. */
    int EVENT = 1;

    /** Bit of {@link #drain()}: the connection is lost; stays set. */
    int HANGUP = 2;

    /** {@return a non-blocking channel of the JDK's own, readable while there is something to {@link #drain()}} */
    SelectableChannel selectable();

    /** {@return {@link #selectable}; null: nobody has asked for it yet, so no selector knows it} */
    default @Nullable SelectableChannel known() {
        return selectable();
    }

    /**
     * {@return the approximate cost, in nanoseconds, of a sleep on the channels and a wake-up at both ends; polling is
     * worth while for that long}
     */
    long wakeUpNs();

    /** {@return whether {@link #drain} would tell of a hang-up, as far as is known without a call of the system} */
    default boolean isHungUp() {
        return false;
    }

    /** Takes all pending events, without blocking. {@return a combination of the bits above} */
    int drain();
}
