package org.exsockets.nio;

/** What a selector asks of this project's own channels. */
interface ExsChannel {
    /**
     * {@return the source of readiness in the channel's present state; the key's present source if it still serves;
     * null if there is none} Selecting thread.
     */
    KeySource source(ExsSelector selector, ExsKey key);

    /** {@return the keys of this channel, which it signals when its source changes} */
    ChannelKeys keys();
}
