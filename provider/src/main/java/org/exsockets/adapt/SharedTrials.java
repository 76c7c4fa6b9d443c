package org.exsockets.adapt;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What the {@link Trials} of a process's streams know of each other: there are others, and one tries at a time,
 * with a rest for all afterwards. A stream that goes another way than the others is faster or slower at their cost.
 * Sixteen streams without sharing were in trials most of the time.
 *
 * <p>A stream is known here by its {@link Trials}, which nothing asks. Any thread.
 */
public final class SharedTrials {
    /** Another stream was judged within so much time: there are several. */
    static final long SEVERAL_NS = 1_000_000_000;

    /** A trial that has taken so long does not keep others from theirs: its stream has paused, or is closed. */
    private static final long LONGEST_NS = 1_000_000_000;

    /** A trial of a stream since {@code ns}; without a stream, a rest until then. */
    private record Trial(@Nullable Object stream, long ns) {}

    /** The stream whose sample was the last to end. Racy: other streams show at the next sample, too. */
    private volatile @Nullable Object latest;

    /** The trial that is under way, or the rest after the latest one; null: there was none. */
    private final AtomicReference<@Nullable Trial> latestTrial = new AtomicReference<>();

    /** A sample of a stream has ended. {@return whether another stream's was the last one before} */
    boolean isAfterAnother(Object stream) {
        Object last = latest;
        if (last == stream) {
            return false;
        }
        latest = stream;
        return last != null;
    }

    /** {@return whether the stream may try the other way, until {@link #end}} */
    boolean begin(Object stream, long nowNs) {
        Trial last = latestTrial.get();
        if (last != null && nowNs - last.ns < (last.stream != null ? LONGEST_NS : 0)) {
            return false;
        }
        return latestTrial.compareAndSet(last, new Trial(stream, nowNs));
    }

    /** The stream's trial is over, and no other begins before {@code restedNs}. */
    void end(Object stream, long restedNs) {
        Trial last = latestTrial.get();
        if (last != null && last.stream == stream) {
            latestTrial.compareAndSet(last, new Trial(null, restedNs));
        }
    }
}
