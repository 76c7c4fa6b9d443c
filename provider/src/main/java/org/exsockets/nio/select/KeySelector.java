package org.exsockets.nio.select;

import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;

/** The selector of a key, as the key, its channel, its source and its registration see it. Any thread. */
public abstract class KeySelector extends AbstractSelector {
    KeySelector(SelectorProvider provider) {
        super(provider);
    }

    /** The interest of {@code key} has changed, or the key is new; takes effect at the next selection. */
    abstract void onChanged(ExsKey key);

    /** An event of the connection behind {@code key} was taken. An armed key has lost its wake-up and must be polled. */
    public abstract void onSignal(ExsKey key);

    /** The channel behind {@code key} has another source now. */
    abstract void onSourceChanged(ExsKey key);

    /** As {@link #onSignal}, and the inner selector may have news of {@code key}. */
    abstract void onRung(ExsKey key);

    /** {@return whether an action of the selection under way is closing this selector} */
    abstract boolean isClosingInSelection();

    /** {@return whether the channel had the key; it never has a key that was taken back} */
    final boolean deregisterFromChannel(ExsKey key) {
        boolean had = key.channel().keyFor(this) == key;
        if (had) {
            deregister(key);
        }
        return had;
    }
}
