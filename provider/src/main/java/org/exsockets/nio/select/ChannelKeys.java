package org.exsockets.nio.select;

import java.util.concurrent.CopyOnWriteArrayList;

/** The keys of one of our channels, one for each selector. Any thread. */
public final class ChannelKeys {
    private final CopyOnWriteArrayList<ExsKey> keys = new CopyOnWriteArrayList<>();

    void add(ExsKey key) {
        keys.add(key);
    }

    void remove(ExsKey key) {
        keys.remove(key);
    }

    public boolean areNone() {
        return keys.isEmpty();
    }

    /** Wakes the selectors: the channel has another {@link KeySource}, or its source has news. */
    public void signal() {
        for (ExsKey key : keys) {
            key.selector().onSourceChanged(key);
        }
    }

    /**
     * Cancels the inner keys of cancelled keys that their selectors have not removed yet. Such a key does not prevent
     * blocking mode, but its inner key would.
     */
    public void cancelInnerOfCancelled() {
        for (ExsKey key : keys) {
            KeySource source = key.source;
            if (!key.isValid() && source != null) {
                source.cancelInner();
            }
        }
    }
}
