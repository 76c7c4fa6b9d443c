package org.exsockets.verbs.soft;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.BitSet;
import org.exsockets.memory.SharedMapping;
import org.exsockets.observe.Log;
import org.exsockets.verbs.SleepSign;

/** The signs of this process ({@link SleepSignDescriptor}). Their file comes with the first one, and stays. Thread-safe. */
final class SleepSigns {
    /** Before another file is tried, where there was no memory for one, or no descriptor. */
    private static final long RETRY_NS = 1_000_000_000;

    private final SoftDirectory directory;

    /** Null until the first sign is opened. Guarded by the monitor. */
    private SharedMapping mapping;

    /** There is a file, or never will be. Guarded by the monitor. */
    private boolean settled;

    /** Guarded by the monitor. */
    private long nextTryNs = System.nanoTime();

    /** Guarded by the monitor. */
    private final BitSet used = new BitSet();

    /** Guarded by the monitor. */
    private final BitSet usedChunks = new BitSet();

    /** @param directory null in tests whose signs are in memory of their own */
    SleepSigns(SoftDirectory directory) {
        this.directory = directory;
    }

    /** {@return a sign that says awake; null if there is none left, or no memory for them} */
    synchronized SleepSign open() {
        int number = used.nextClearBit(0);
        if (!settled) {
            create();
        }
        if (mapping == null || number == SleepSignDescriptor.SIGNS) {
            return null;
        }
        used.set(number);
        return new OwnSign(this, mapping.memory(), number);
    }

    private void create() {
        long nowNs = System.nanoTime();
        if (nowNs - nextTryNs < 0) {
            return;
        }
        nextTryNs = nowNs + RETRY_NS;
        Path file = directory.ownSigns();
        try {
            mapping = SharedMapping.create(file, SleepSignDescriptor.LENGTH);
            settled = true;
        } catch (FileAlreadyExistsException other) {
            settled = true; // The JVM may hold this class twice: the one that comes second has no signs.
        } catch (IOException e) {
            file.toFile().delete();
            Log.debug("signs of sleeping selectors: file=" + file + ", " + e);
        }
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

    /** The JVM ends. */
    synchronized void removeName() {
        settled = true;
        if (mapping != null) {
            directory.ownSigns().toFile().delete();
        }
    }
}
