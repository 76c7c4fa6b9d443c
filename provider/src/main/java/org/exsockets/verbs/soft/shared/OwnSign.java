package org.exsockets.verbs.soft.shared;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntConsumer;
import org.exsockets.memory.Words;
import org.exsockets.verbs.SleepSign;
import org.exsockets.verbs.WakeWord;
import org.exsockets.verbs.soft.layout.SleepSignDescriptor;

/**
 * A sign of this process. Its number never changes, and its word is for any thread; all else belongs to the polling
 * thread.
 *
 * <p>Its cells are numbered from 0. They lie in chunks of the memory of all signs, in the order in which the sign has
 * got the chunks.
 */
public final class OwnSign implements SleepSign {
    private static final int CHUNK = SleepSignDescriptor.CHUNK_CELLS;

    private final SignNumbers numbers;
    private final Words words;
    private final int number;
    private final SleepWords.Word word;
    private long changes;

    /** The first cell of each chunk, among all cells. */
    private int[] chunks = {};

    private int chunkCount;
    private final BitSet openCells = new BitSet();

    OwnSign(SignNumbers numbers, Words words, int number, SleepWords sleepers) {
        this.numbers = numbers;
        this.words = words;
        this.number = number;
        this.word = sleepers.word(SleepSignDescriptor.wordOffset(number));
        this.changes = words.longAcquire(SleepSignDescriptor.changesOffset(number));
    }

    public int number() {
        return number;
    }

    /** {@return the number among all cells} */
    public int cellOfAll(int cell) {
        return chunks[cell / CHUNK] + cell % CHUNK;
    }

    @Override
    public boolean asleep(Place place) {
        boolean onWord = place == Place.WORD;
        if (onWord) {
            word.arm();
        }
        changeTo(onWord ? SleepSignDescriptor.ON_WORD : SleepSignDescriptor.ON_CHANNELS);
        return !word.isRefused();
    }

    @Override
    public void awake() {
        changeTo(SleepSignDescriptor.AWAKE);
    }

    private void changeTo(int state) {
        changes = SleepSignDescriptor.next(changes, state);
        words.longRelease(SleepSignDescriptor.changesOffset(number), changes);
        Words.storeLoadFence();
    }

    @Override
    public WakeWord word() {
        return word;
    }

    @Override
    public int openCell() {
        int cell = openCells.nextClearBit(0);
        if (cell == chunkCount * CHUNK && !addChunk()) {
            return -1;
        }
        openCells.set(cell);
        return cell;
    }

    private boolean addChunk() {
        int first = numbers.openChunk();
        if (first < 0) {
            return false;
        }
        if (chunkCount == chunks.length) {
            chunks = Arrays.copyOf(chunks, Math.max(1, 2 * chunkCount));
        }
        chunks[chunkCount++] = first;
        return true;
    }

    @Override
    public void closeCell(int cell) {
        openCells.clear(cell);
    }

    @Override
    public boolean hasNews() {
        return words.intAcquire(SleepSignDescriptor.newsOffset(number)) != 0;
    }

    @Override
    public void takeNews(IntConsumer cells) {
        words.intRelease(SleepSignDescriptor.newsOffset(number), 0);
        Words.storeLoadFence(); // A peer that sets a cell after this sets it again.
        for (int i = 0; i < chunkCount; i++) {
            take(chunks[i], i * CHUNK, cells);
        }
        Words.storeLoadFence(); // The caller polls next.
    }

    private void take(int firstOfAll, int first, IntConsumer cells) {
        for (int i = 0; i < CHUNK; i += Long.BYTES) {
            int at = SleepSignDescriptor.cellOffset(firstOfAll + i);
            if (words.longAcquire(at) != 0) {
                for (int k = 0; k < Long.BYTES; k++) {
                    if (words.memory().get(at + k) != 0) {
                        words.memory().put(at + k, (byte) 0);
                        cells.accept(first + i + k);
                    }
                }
            }
        }
    }

    @Override
    public void close() {
        if (SleepSignDescriptor.state(changes) != SleepSignDescriptor.AWAKE) {
            awake();
        }
        numbers.close(number, chunks, chunkCount);
    }
}
