package org.exsockets.nio;

import java.util.concurrent.CopyOnWriteArrayList;

/** The keys of one of our channels, one for each selector that knows it. Any thread. */
final class ChannelKeys {
    private final CopyOnWriteArrayList<ExsKey> keys = new CopyOnWriteArrayList<>();

    void add(ExsKey key) {
        keys.add(key);
    }

    void remove(ExsKey key) {
        keys.remove(key);
    }

    /** {@return whether no selector knows the channel} */
    boolean areNone() {
        return keys.isEmpty();
    }

    /** The channel has another {@link KeySource} now, or its present one has something to tell. */
    void signal() {
        for (ExsKey key : keys) {
            ((ExsSelector) key.selector()).onSourceChanged(key);
        }
    }

    /**
     * A key that is cancelled but not flushed by its selector is no obstacle to blocking mode; where the channel has a
     * descriptor of its own its inner key, too, must be cancelled for that.
     */
    void cancelInnerOfCancelled() {
        for (ExsKey key : keys) {
            KeySource source = key.source;
            if (!key.isValid() && source != null) {
                source.cancelInner();
            }
        }
    }
}
