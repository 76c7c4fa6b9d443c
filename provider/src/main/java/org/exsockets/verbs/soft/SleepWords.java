package org.exsockets.verbs.soft;

import org.exsockets.jdk.Futex;
import org.exsockets.memory.Words;

/**
 * Words of a mapping on which threads of this process and of a peer's sleep (futex(2)): {@link #ASLEEP}, or 0. Any thread.
 *
 * <p>Whoever clears a word wakes its sleeper afterwards, so it does no harm that one who is late clears what has been armed anew: the
 * sleeper comes back and looks.
 */
class SleepWords {
    static final int ASLEEP = 1;

    private final Words words;

    /** Of {@link #words}; 0 until somebody needs it. Whoever finds 0 asks for it again, and gets the same. */
    private long address;

    SleepWords(Words words) {
        this.words = words;
    }

    void arm(int offset) {
        words.intVolatile(offset, ASLEEP);
        Words.storeLoadFence();
    }

    /** {@return whether somebody sleeps on the word, or is about to} */
    boolean isArmed(int offset) {
        return words.intVolatile(offset) != 0;
    }

    /**
     * Sleeps while the word is armed.
     *
     * @param timeoutNs > 0
     * @return {@link Futex#WOKEN}, {@link Futex#TIMED_OUT}, or a negative error number
     */
    int sleep(int offset, long timeoutNs) {
        return Futex.sleep(address() + offset, ASLEEP, timeoutNs);
    }

    /** Ends the sleep. What the sleeper is to see has been published. */
    void wake(int offset) {
        words.intRelease(offset, 0);
        Futex.wake(address() + offset);
    }

    private long address() {
        long known = address;
        if (known == 0) {
            known = Futex.address(words.memory());
            address = known;
        }
        return known;
    }
}
