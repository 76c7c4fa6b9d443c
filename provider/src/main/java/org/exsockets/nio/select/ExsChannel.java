package org.exsockets.nio.select;

import org.jspecify.annotations.Nullable;

/** What a selector asks of this project's own channels. */
public interface ExsChannel {
    /**
     * {@return the source of readiness in the channel's present state; null if there is none} Selecting thread.
     *
     * @param present the key's source so far, which is returned if it still serves; null: none
     */
    @Nullable
    KeySource source(KeySelector selector, ExsKey key, @Nullable KeySource present);

    /** {@return the keys of this channel, which it signals when its source changes} */
    ChannelKeys keys();
}
