package org.exsockets.verbs.soft.copy;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.exsockets.adapt.SharedTrials;
import org.exsockets.adapt.Trials;
import org.exsockets.jdk.Futex;
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
    /**
     * Ordinary stores are the usual way. Past the caches is faster between cores that share none: ordinary stores fetch
     * every line of the ring that they overwrite. A trial is short, so that a stream soon goes the right way; it is
     * judged by the faster of two samples.
     */
    static final Trials.Rule RULE = new Trials.Rule(2, 1, 1, 1, 88, 50, 20_000_000, 1_000_000_000, false);

    /** Shorter writes are always copied by ordinary stores: draining the others costs more than they save. */
    public static final int MIN_BYTES = 2048;

    /** Bytes of a sample, at least: shorter ones are noise. At least those of the ring: the reader's pace counts. */
    static final int MIN_SAMPLE_BYTES = 512 << 10;

    /** For {@link #put} to memory of programs: some writes of a megabyte, so that the reader's pace counts. */
    public static final int PROGRAMS_BYTES = 4 << 20;

    /** With the part of the program's memory that is being copied it must fit into a first-level cache. */
    static final int STAGING_BYTES = 8 << 10;

    private static final int LINE = 64;

    /** Whether past the caches was found faster last, with which a new writer begins: to rings, to programs. */
    private static final AtomicBoolean RINGS = new AtomicBoolean();

    private static final AtomicBoolean PROGRAMS = new AtomicBoolean();

    /**
     * Set when there was no direct memory for a buffer. Not asked for again: the JDK answers with collections of
     * garbage and half a second of waiting.
     */
    private static volatile boolean memoryExhausted;

    /** Set while a thread uses the fields below. */
    private final SpinGate busy = new SpinGate();

    private final AtomicBoolean hint;
    private final LongSupplier clockNs;

    /** Whether the targets are rings: then measurements are void when the ring changes. */
    private final boolean rings;

    /** Null until the first write that is long enough: most connections never make one. */
    private @Nullable Trials trials;

    private @Nullable ByteBuffer target;
    private long targetAddress;
    private @Nullable ByteBuffer staging;
    private long stagingAddress;

    /** @param rings whether the targets are rings, not memory of programs */
    public RegionWriter(boolean rings) {
        this(rings, NanoClock.SYSTEM);
    }

    RegionWriter(boolean rings, LongSupplier clockNs) {
        this.rings = rings;
        this.hint = rings ? RINGS : PROGRAMS;
        this.clockNs = clockNs;
    }

    RegionWriter(Trials trials) {
        this.rings = true;
        this.hint = new AtomicBoolean();
        this.clockNs = NanoClock.SYSTEM;
        this.trials = trials;
    }

    /** {@return whether the next bytes are to go past the caches} */
    boolean goesPastCaches() {
        return trials != null && trials.other();
    }

    /**
     * Copies {@code length} bytes of {@code source} from {@code offset}, both absolute, to {@code at} of
     * {@code memory}. A later release store by this thread publishes them.
     *
     * @param ringBytes length of the ring that they go to, a part of {@code memory}; {@link #PROGRAMS_BYTES}: none
     * @throws IndexOutOfBoundsException if they do not lie within the limits of both
     */
    public void put(ByteBuffer memory, int at, ByteBuffer source, int offset, int length, int ringBytes) {
        if (length < MIN_BYTES || !busy.tryEnter()) {
            CheckedCopy.copy(memory, at, source, offset, length);
            return;
        }
        try {
            Trials now = trialsTo(memory, Math.max(MIN_SAMPLE_BYTES, ringBytes));
            if (now.other() && !prepared(memory)) {
                now.refuse();
            }
            if (now.other()) {
                Objects.checkFromIndexSize(at, length, memory.limit());
                putPastCaches(memory, at, source, offset, length);
            } else {
                CheckedCopy.copy(memory, at, source, offset, length);
            }
            boolean before = now.otherInUse();
            now.onWritten(length);
            if (now.otherInUse() != before) {
                hint.set(!before);
            }
        } finally {
            busy.exit();
        }
    }

    private Trials trialsTo(ByteBuffer memory, int sampleBytes) {
        Trials now = trials;
        if (now == null) {
            now = new Trials(RULE, new SharedTrials(), sampleBytes, hint.get(), clockNs);
            trials = now;
        }
        if (memory != target) {
            if (target != null && rings) {
                now.restart(sampleBytes);
            }
            target = memory;
            targetAddress = 0;
        }
        return now;
    }

    /** {@return whether bytes can go past the caches} */
    private boolean prepared(ByteBuffer memory) {
        if (staging == null) {
            if (memoryExhausted || !NativeCopy.available()) {
                return false;
            }
            try {
                staging = ByteBuffer.allocateDirect(STAGING_BYTES + 2 * LINE).alignedSlice(LINE);
            } catch (OutOfMemoryError full) {
                memoryExhausted = true;
                Log.debug("copies past the caches: no direct memory for a buffer: " + full.getMessage());
                return false;
            }
            stagingAddress = Futex.address(staging);
        }
        if (targetAddress == 0) {
            targetAddress = Futex.address(memory);
        }
        return true;
    }

    private void putPastCaches(ByteBuffer memory, int at, ByteBuffer source, int offset, int length) {
        ByteBuffer through = Objects.requireNonNull(staging);
        long to = targetAddress + at;
        try {
            for (int done = 0; done < length; ) {
                // Source and target of the native copy have the same offset in their lines; all parts but the first
                // begin with a line.
                int skew = (int) (to + done) & (LINE - 1);
                int part = Math.min(STAGING_BYTES - skew, length - done);
                CheckedCopy.copy(through, skew, source, offset + done, part);
                NativeCopy.copy(stagingAddress + skew, to + done, part);
                done += part;
            }
        } finally {
            Reference.reachabilityFence(memory);
            Reference.reachabilityFence(through);
        }
    }
}
