package org.exsockets.aio;

import java.util.Arrays;
import java.util.Collection;

/** Handlers to run, as one selection has found them. Used by the leader. */
final class Completed {
    private static final int INITIAL = 16;

    private Runnable[] handlers = new Runnable[INITIAL];
    private int size;

    int size() {
        return size;
    }

    void add(Runnable handler) {
        if (size == handlers.length) {
            handlers = Arrays.copyOf(handlers, 2 * size);
        }
        handlers[size++] = handler;
    }

    void swapLastTwo() {
        Runnable last = handlers[size - 1];
        handlers[size - 1] = handlers[size - 2];
        handlers[size - 2] = last;
    }

    /** Takes the only one. */
    Runnable takeOnly() {
        Runnable only = handlers[0];
        handlers[0] = null;
        size = 0;
        return only;
    }

    void moveTo(Collection<Runnable> target) {
        for (int i = 0; i < size; i++) {
            target.add(handlers[i]);
            handlers[i] = null;
        }
        size = 0;
    }
}
