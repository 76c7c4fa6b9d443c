package org.exsockets.verbs.disni.data;

import org.exsockets.jdk.DescriptorPoll;
import org.exsockets.jdk.Futex;
import org.exsockets.memory.Words;
import org.exsockets.verbs.WakeWord;
import org.exsockets.verbs.disni.memory.ConnectionMemory;
import org.jspecify.annotations.Nullable;

/**
 * A word of this end's own memory, {@link #ASLEEP} or 0, that the device's thread wakes the sleeper of ({@link Bell}): two
 * system calls less than a byte in a pipe. The device knows nothing of it, so arming it also arms the CQ.
 *
 * <p>The word is set before the CQ is armed, and looked at behind the event. So the event of a completion that comes after
 * {@link #arm} finds it set; a late event of an earlier one may, too, and wakes for no reason.
 */
final class DisniWakeWord implements WakeWord {
    private static final int ASLEEP = 1;

    private final Runnable queue;
    private final Words words;
    private final int offset;
    private final long address;

    private DisniWakeWord(Runnable queue, ConnectionMemory memory) {
        this.queue = queue;
        this.words = Words.of(memory.whole());
        this.offset = memory.wakeWordOffset();
        this.address = memory.addressOf(offset);
    }

    /**
     * {@return the word; null if the library that sleeps is not there: the channel wakes}
     *
     * @param queue arms it
     */
    static @Nullable DisniWakeWord of(Runnable queue, ConnectionMemory memory) {
        return DescriptorPoll.isLoaded() ? new DisniWakeWord(queue, memory) : null;
    }

    @Override
    public void arm() {
        words.intRelease(offset, ASLEEP);
        Words.storeLoadFence();
        queue.run();
    }

    @Override
    public boolean sleep(long timeoutNs) {
        return Futex.sleep(address, ASLEEP, timeoutNs) == Futex.WOKEN;
    }

    @Override
    public void wake() {
        words.intRelease(offset, 0);
        Futex.wake(address);
    }

    /** Wakes the thread that sleeps, or is about to. */
    void wakeIfArmed() {
        if (words.intAcquire(offset) != 0) {
            wake();
        }
    }
}
