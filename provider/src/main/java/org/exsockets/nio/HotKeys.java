package org.exsockets.nio;

import java.util.Arrays;

/** The keys a selection polls. Each key knows its place. Belongs to the selecting thread. */
final class HotKeys {
    private static final int INITIAL = 16;

    /** With more of them some are ready at any time, and what others are about to send can wait. */
    private static final int FEW = 4;

    private ExsKey[] keys = new ExsKey[INITIAL];
    private int size;

    int size() {
        return size;
    }

    ExsKey get(int index) {
        return keys[index];
    }

    void add(ExsKey key) {
        if (key.hotIndex >= 0) {
            return;
        }
        if (size == keys.length) {
            keys = Arrays.copyOf(keys, 2 * size);
        }
        key.hotIndex = size;
        keys[size++] = key;
    }

    /** Removes {@code key} if it is there; only keys behind it change their places. Who is not polled shows no sign. */
    void remove(ExsKey key) {
        int index = key.hotIndex;
        if (index < 0) {
            return;
        }
        if (key.source != null) {
            key.source.hideSign();
        }
        key.hotIndex = -1;
        ExsKey last = keys[--size];
        keys[size] = null;
        if (index < size) {
            keys[index] = last;
            last.hotIndex = index;
        }
    }

    /** {@return whether a look at some key would pay} */
    boolean anyNews() {
        for (int i = 0; i < size; i++) {
            if (keys[i].source.hasNews()) {
                return true;
            }
        }
        if (size <= FEW) {
            for (int i = 0; i < size; i++) {
                keys[i].source.anticipate();
            }
        }
        return false;
    }
}
