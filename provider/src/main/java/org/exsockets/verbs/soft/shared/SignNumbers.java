package org.exsockets.verbs.soft.shared;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.BitSet;
import org.exsockets.verbs.soft.layout.SleepSignDescriptor;

/** Which signs of this process, and which chunks of cells, are in use. Thread-safe. */
final class SignNumbers {
    @GuardedBy("this")
    private final BitSet used = new BitSet();

    @GuardedBy("this")
    private final BitSet usedChunks = new BitSet();

    /** {@return the number of a sign; −1: none are left} */
    synchronized int open() {
        int number = used.nextClearBit(0);
        if (number == SleepSignDescriptor.SIGNS) {
            return -1;
        }
        used.set(number);
        return number;
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
