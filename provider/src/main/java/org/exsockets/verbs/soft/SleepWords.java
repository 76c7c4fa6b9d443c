package org.exsockets.verbs.soft;

import java.nio.ByteBuffer;
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

    private final ByteBuffer memory;

    /** Of {@link #memory}; 0 until somebody needs it. Whoever finds 0 asks for it again, and gets the same. */
    private long address;

    SleepWords(ByteBuffer memory) {
        this.memory = memory;
    }

    void arm(int offset) {
        Words.intVolatile(memory, offset, ASLEEP);
        Words.storeLoadFence();
    }

    /** {@return whether somebody sleeps on the word, or is about to} */
    boolean isArmed(int offset) {
        return Words.intVolatile(memory, offset) != 0;
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
        Words.intRelease(memory, offset, 0);
        Futex.wake(address() + offset);
    }

    private long address() {
        long known = address;
        if (known == 0) {
            known = Futex.address(memory);
            address = known;
        }
        return known;
    }
}
