package org.exsockets.verbs.soft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.BitSet;
import org.exsockets.memory.SharedMapping;
import org.exsockets.memory.Words;
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
        return new Sign(this, mapping.memory(), number);
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

    private synchronized void close(int number) {
        used.clear(number);
    }

    /** The JVM ends. */
    synchronized void removeName() {
        settled = true;
        if (mapping != null) {
            directory.ownSigns().toFile().delete();
        }
    }

    /** One sign. Its number never changes; all else belongs to the thread that polls. */
    static final class Sign implements SleepSign {
        private final SleepSigns owner;
        private final ByteBuffer memory;
        private final int number;
        private long turns;
        private boolean broken;

        /** @param owner null in tests, which do not close it */
        Sign(SleepSigns owner, ByteBuffer memory, int number) {
            this.owner = owner;
            this.memory = memory;
            this.number = number;
            this.turns = Words.longAcquire(memory, SleepSignDescriptor.turnsOffset(number));
        }

        int number() {
            return number;
        }

        @Override
        public boolean asleep() {
            turnTo(true);
            return !broken;
        }

        @Override
        public void awake() {
            turnTo(false);
        }

        private void turnTo(boolean asleep) {
            turns += SleepSignDescriptor.isAsleep(turns) == asleep ? 2 : 1;
            try {
                Words.longRelease(memory, SleepSignDescriptor.turnsOffset(number), turns);
                Words.storeLoadFence();
            } catch (InternalError truncated) {
                // By a process of this user. Who cannot read the sign gives an event for each completion.
                broken = true;
            }
        }

        @Override
        public void close() {
            if (SleepSignDescriptor.isAsleep(turns)) {
                awake();
            }
            owner.close(number);
        }
    }
}
