package org.exsockets.verbs.soft.copy;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.exsockets.jdk.NanoClock;
import org.exsockets.memory.CheckedCopy;
import org.exsockets.observe.Log;
import org.exsockets.verbs.SpinGate;
import org.jspecify.annotations.Nullable;

/**
 * Copies the payloads of one end's writes into memory of the peer. Any thread. If two copy at the same time, which
 * never happens in a stream, the second one uses ordinary stores.
 *
 * <p>A copy past the caches goes through a small staging buffer, which stays in the first-level cache. So only Java
 * reads the program's memory (see {@link NativeCopy}), and heap arrays need not be pinned. It costs little: the stores
 * past the caches are what takes the time.
 */
public final class RegionWriter {
    /** With the part of the program's memory that is being copied it must fit into a first-level cache. */
    static final int STAGING_BYTES = 8 << 10;

    /** Some writes of a megabyte, so that the reader's pace counts. */
    static final int ARENA_WINDOW_BYTES = 4 << 20;

    private static final int LINE = 64;
    private static final CopyPolicy.Hint HINT = new CopyPolicy.Hint();

    /**
     * Set when there was no direct memory for a buffer. Not asked for again: the JDK answers with collections of
     * garbage and half a second of waiting.
     */
    private static volatile boolean memoryExhausted;

    /** Set while a thread uses the fields below. */
    private final SpinGate busy = new SpinGate();

    private final CopyPolicy.Hint hint;

    /** Null until the first write that is long enough: most connections never make one. */
    private @Nullable CopyPolicy policy;

    /** Bytes of a window of {@link #policy} if the targets are not rings; else 0. */
    private final int windowBytes;

    private @Nullable ByteBuffer target;
    private long targetAddress;
    private @Nullable ByteBuffer staging;
    private long stagingAddress;

    /** Makes a writer to rings: its measurements are void when the ring changes. */
    public RegionWriter() {
        this(HINT, 0);
    }

    RegionWriter(CopyPolicy policy) {
        this(HINT, 0);
        this.policy = policy;
    }

    private RegionWriter(CopyPolicy.Hint hint, int windowBytes) {
        this.hint = hint;
        this.windowBytes = windowBytes;
    }

    /** {@return a writer to memory of programs: its measurements stay valid when the target changes} */
    public static RegionWriter forArenas(CopyPolicy.Hint hint) {
        return new RegionWriter(hint, ARENA_WINDOW_BYTES);
    }

    private CopyPolicy newPolicy() {
        CopyPolicy fresh = new CopyPolicy(
                NanoClock.SYSTEM,
                new BooleanSupplier() {
                    @Override
                    public boolean getAsBoolean() {
                        return !memoryExhausted && NativeCopy.available();
                    }
                },
                hint);
        if (windowBytes > 0) {
            fresh.ring(windowBytes);
        }
        return fresh;
    }

    /**
     * Copies {@code length} bytes of {@code source} from {@code offset}, both absolute, to {@code at} of
     * {@code memory}. A later release store by this thread publishes them.
     *
     * @param coming is told how far a long copy has come; null: none
     * @throws IndexOutOfBoundsException if they do not lie within the limits of both
     */
    public void put(
            ByteBuffer memory, int at, ByteBuffer source, int offset, int length, @Nullable ComingBytes coming) {
        if (length < CopyPolicy.MIN_BYTES || !busy.tryEnter()) {
            CheckedCopy.fromProgram(memory, at, source, offset, length);
            return;
        }
        try {
            if (policy == null) {
                policy = newPolicy();
            }
            if (memory != target) {
                target = memory;
                targetAddress = 0;
                if (windowBytes == 0) {
                    policy.ring(memory.capacity());
                }
            }
            if (policy.pastCaches(length) && prepared(memory)) {
                Objects.checkFromIndexSize(at, length, memory.limit());
                putPastCaches(memory, at, source, offset, length, coming);
            } else if (coming == null || length < ComingBytes.MIN_BYTES) {
                CheckedCopy.fromProgram(memory, at, source, offset, length);
            } else {
                Objects.checkFromIndexSize(at, length, memory.limit());
                putInParts(memory, at, source, offset, length, coming);
            }
        } finally {
            busy.exit();
        }
    }

    private static void putInParts(
            ByteBuffer memory, int at, ByteBuffer source, int offset, int length, ComingBytes coming) {
        int part = ComingBytes.part(length);
        int done = 0;
        while (length - done > part) {
            CheckedCopy.fromProgram(memory, at + done, source, offset + done, part);
            done += part;
            coming.tell(memory, at, done);
        }
        CheckedCopy.fromProgram(memory, at + done, source, offset + done, length - done);
    }

    private boolean prepared(ByteBuffer memory) {
        if (staging == null) {
            if (memoryExhausted) {
                return false;
            }
            try {
                staging = ByteBuffer.allocateDirect(STAGING_BYTES + 2 * LINE).alignedSlice(LINE);
            } catch (OutOfMemoryError full) {
                memoryExhausted = true;
                Log.debug("copies past the caches: no direct memory for a buffer: " + full.getMessage());
                return false;
            }
            stagingAddress = NativeCopy.address(staging);
        }
        if (targetAddress == 0) {
            targetAddress = NativeCopy.address(memory);
        }
        return true;
    }

    private void putPastCaches(
            ByteBuffer memory, int at, ByteBuffer source, int offset, int length, @Nullable ComingBytes coming) {
        ByteBuffer through = Objects.requireNonNull(staging);
        long to = targetAddress + at;
        try {
            for (int done = 0; done < length; ) {
                // Source and target of the native copy have the same offset in their lines; all parts but the first
                // begin with a line.
                int skew = (int) (to + done) & (LINE - 1);
                int part = Math.min(STAGING_BYTES - skew, length - done);
                CheckedCopy.fromProgram(through, skew, source, offset + done, part);
                NativeCopy.copy(stagingAddress + skew, to + done, part);
                done += part;
                if (coming != null && done < length) {
                    coming.tell(memory, at, done);
                }
            }
        } finally {
            Reference.reachabilityFence(memory);
            Reference.reachabilityFence(through);
        }
    }
}
