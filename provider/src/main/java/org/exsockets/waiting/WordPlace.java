package org.exsockets.waiting;

import org.exsockets.verbs.WakeWord;
import org.jspecify.annotations.Nullable;

/** Sleeps on a wake word. Takes no descriptor. Unused places are kept. */
public final class WordPlace extends InterruptiblePlace {
    private static final IdlePlaces<WordPlace> IDLE = new IdlePlaces<>();

    /** Guarded by the place. Null once its sleepers have left: a late wake-up must not touch freed memory. */
    private @Nullable WakeWord word;

    /**
     * The sleeper has been woken. Set before the word is cleared, and read after the word has been armed. So either the
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
        place.woken = false; // It may be set by a late wake-up of the previous connection.
        return place;
    }

    /** The caller has armed the word, and then checked its condition. */
    @Override
    public boolean sleep(long timeoutNs) {
        WakeWord on = word();
        begin();
        try {
            return woken || on.sleep(timeoutNs);
        } finally {
            end();
            woken = false; // Before the sleeper checks again: it then sees the reason.
        }
    }

    @SuppressWarnings("NullAway") // The caller has not left.
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
        IDLE.keep(this); // Otherwise the collector gets it.
    }

    @Override
    protected void implCloseSelector() {
        // There is nothing to give back.
    }
}
