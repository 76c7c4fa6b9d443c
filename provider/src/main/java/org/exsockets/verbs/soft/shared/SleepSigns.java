package org.exsockets.verbs.soft.shared;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.BitSet;
import org.exsockets.memory.Words;
import org.exsockets.verbs.SleepSign;
import org.exsockets.verbs.soft.layout.SleepSignDescriptor;
import org.jspecify.annotations.Nullable;

/** The signs of this process ({@link SleepSignDescriptor}). Thread-safe. */
public final class SleepSigns {
    private final Words words;
    private final SleepWords sleepers;

    @GuardedBy("this")
    private final BitSet used = new BitSet();

    @GuardedBy("this")
    private final BitSet usedChunks = new BitSet();

    SleepSigns(Words words) {
        this.words = words;
        this.sleepers = new SleepWords(words);
    }

    /** {@return a sign that says awake; null if there is none left} */
    public synchronized @Nullable SleepSign open() {
        int number = used.nextClearBit(0);
        if (number == SleepSignDescriptor.SIGNS) {
            return null;
        }
        used.set(number);
        return new OwnSign(this, words, number, sleepers);
    }

    /** {@return the first of {@link SleepSignDescriptor#CHUNK_CELLS} cells for a sign; −1: none are left} */
    synchronized int openChunk() {
        int chunk = usedChunks.nextClearBit(0);
        int first = chunk * SleepSignDescriptor.CHUNK_CELLS;
        if (first == SleepSignDescriptor.CELLS) {
            return -1;
        }
        usedChunks.set(chunk);
        return first;
    }

    /** @param chunks the first {@code count} are the first cells of chunks */
    synchronized void close(int number, int[] chunks, int count) {
        for (int i = 0; i < count; i++) {
            usedChunks.clear(chunks[i] / SleepSignDescriptor.CHUNK_CELLS);
        }
        used.clear(number);
    }
}
