package org.exsockets.verbs.soft.shared;

import org.exsockets.jdk.Futex;
import org.exsockets.memory.Words;
import org.exsockets.verbs.WakeWord;

/**
 * Words of a mapping, {@link #ASLEEP} or 0, on which threads of this process and of a peer's sleep (futex(2)). Any
 * thread.
 *
 * <p>A thread clears a word, then wakes its sleeper. So a late thread that clears a word armed anew does no harm: the
 * sleeper returns and looks.
 */
public class SleepWords {
    static final int ASLEEP = 1;

    private final Words words;

    /** Of {@link #memory}; 0 until needed. A thread that finds 0 asks for it again, and gets the same. */
    private long address;

    public SleepWords(Words words) {
        this.words = words;
    }

    /** {@return whether a thread sleeps on the word, or is about to} */
    public boolean isArmed(int offset) {
        return words.intAcquire(offset) != 0;
    }

    /**
     * Sleeps while the word is armed.
     *
     * @param timeoutNs > 0
     * @return {@link Futex#WOKEN}, {@link Futex#TIMED_OUT}, or a negative error number
     */
    public int sleep(int offset, long timeoutNs) {
        return Futex.sleep(address() + offset, ASLEEP, timeoutNs);
    }

    /** Ends the sleep. The caller has published what the sleeper is to see. */
    public void wake(int offset) {
        words.intRelease(offset, 0);
        Futex.wake(address() + offset);
    }

    /** {@return the word for a thread of this process to sleep on, armed and ended as above} */
    public Word word(int offset) {
        return new Word(offset);
    }

    /** One of the words. A refusal of the kernel is noted: later sleeps would return at once, for ever. */
    public final class Word implements WakeWord {
        private final int offset;
        private boolean refused;

        private Word(int offset) {
            this.offset = offset;
        }

        @Override
        public void arm() {
            words.intRelease(offset, ASLEEP);
            Words.storeLoadFence();
        }

        @Override
        public boolean sleep(long timeoutNs) {
            int ended = SleepWords.this.sleep(offset, timeoutNs);
            refused |= ended < 0;
            return ended == Futex.WOKEN;
        }

        @Override
        public void wake() {
            SleepWords.this.wake(offset);
        }

        /** {@return whether the kernel has refused a sleep} For the thread that sleeps. */
        boolean isRefused() {
            return refused;
        }
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
