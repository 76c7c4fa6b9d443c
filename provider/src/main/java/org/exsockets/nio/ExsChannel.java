package org.exsockets.nio;

/** What a selector asks of this project's own channels. */
interface ExsChannel {
    /**
     * {@return the source of readiness in the channel's present state; the key's own source if that still serves, or
     * null if there is none any more} Selecting thread.
     */
    KeySource source(ExsSelector selector, ExsKey key);

    /** {@return the keys of this channel, as their selectors keep them; it tells them of changes of its source} */
    ChannelKeys keys();
}
