package org.exsockets.nio;

/** What a selector asks of this project's own channels. */
interface ExsChannel {
    /**
     * {@return the source of readiness in the channel's present state; the key's own source if that still serves, or
     * null if there is none any more} Selecting thread.
     */
    KeySource source(ExsSelector selector, ExsKey key);

    /** A key for this channel was made; the channel reports changes of its source to the key's selector. */
    void keyAdded(ExsKey key);

    /** A key for this channel was removed from its selector. */
    void keyRemoved(ExsKey key);
}
