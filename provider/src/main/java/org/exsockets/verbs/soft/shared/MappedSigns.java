package org.exsockets.verbs.soft.shared;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLongArray;
import org.exsockets.memory.Words;
import org.exsockets.verbs.soft.layout.SleepSignDescriptor;

/**
 * The signs of a peer's process, and which of its sleeps this process has ended. Any thread.
 *
 * <p>A thread notes a wake-up after it, not before: a thread preempted in between would keep the others from waking the
 * sleeper. Nor do processes tell each other: one of them may be stopped.
 */
public final class MappedSigns {
    private final ByteBuffer memory;
    private final Words words;
    private final SleepWords sleepers;

    /** By sign, the changes of the last sleep that this process has ended. */
    private final AtomicLongArray ended = new AtomicLongArray(SleepSignDescriptor.SIGNS);

    MappedSigns(ByteBuffer memory) {
        this.memory = memory;
        this.words = Words.of(memory);
        this.sleepers = new SleepWords(words);
    }

    /**
     * {@return the changes of a sign that says asleep and whose sleep this process has not ended yet; 0: none to wake}
     * The caller has published what the sleeper is to see, then fenced.
     *
     * @param number 0 to {@link SleepSignDescriptor#SIGNS} − 1
     */
    public long sleep(int number) {
        long changes = words.longAcquire(SleepSignDescriptor.changesOffset(number));
        boolean asleep = SleepSignDescriptor.state(changes) != SleepSignDescriptor.AWAKE;
        return asleep && ended.getAcquire(number) != changes ? changes : 0;
    }

    /**
     * Sets a cell of a sign, then fences. Arguments in range; the caller has published and fenced as for {@link
     * #sleep}.
     */
    public void set(int number, int cell) {
        int at = SleepSignDescriptor.cellOffset(cell);
        if (memory.get(at) != SleepSignDescriptor.SET) {
            memory.put(at, SleepSignDescriptor.SET);
        }
        words.intRelease(SleepSignDescriptor.newsOffset(number), 1);
        Words.storeLoadFence();
    }

    /** Wakes the thread that sleeps on the word of a sign, if it still does. */
    public void wake(int number) {
        sleepers.wake(SleepSignDescriptor.wordOffset(number));
    }

    /** Notes that this process has woken the sleeper. */
    public void end(int number, long changes) {
        ended.setRelease(number, changes);
    }
}
