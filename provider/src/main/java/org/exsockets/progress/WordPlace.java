package org.exsockets.progress;

import org.exsockets.verbs.WakeWord;

/** Sleeps on a word of the device. Takes no descriptor. Places between two uses are kept. */
public final class WordPlace extends InterruptiblePlace {
    private static final IdlePlaces<WordPlace> IDLE = new IdlePlaces<>();

    /** Guarded by the place; null once its sleepers have left: the memory may be gone then, and who wakes may be late. */
    private WakeWord word;

    /**
     * Somebody has woken the sleeper. Set before the word is cleared, and looked at when it has been armed: so either the
     * sleeper sees this, or the kernel sees that the word has changed.
     */
    private volatile boolean woken;

    private WordPlace() {}

    /** {@return a place for one sleeping thread at a time, to be given back with {@link #leave}} */
    public static WordPlace of(WakeWord word) {
        WordPlace place = IDLE.take();
        if (place == null) {
            place = new WordPlace();
        }
        synchronized (place) {
            place.word = word;
        }
        place.woken = false; // By somebody who was late for the connection before.
        return place;
    }

    /** The word has been armed, and what the sleeper waits for looked at. */
    @Override
    public boolean sleep(long timeoutNs) {
        WakeWord on = word();
        begin();
        try {
            return woken || on.sleep(timeoutNs);
        } finally {
            end();
            woken = false; // Before the sleeper looks again: it sees what it was woken for.
        }
    }

    private synchronized WakeWord word() {
        return word;
    }

    @Override
    public synchronized WordPlace wakeup() {
        woken = true;
        if (word != null) {
            word.wake();
        }
        return this;
    }

    @Override
    public void leave() {
        synchronized (this) {
            word = null;
        }
        IDLE.keep(this); // Or the collector has it.
    }

    @Override
    protected void implCloseSelector() {
        // There is nothing to give back.
    }
}
