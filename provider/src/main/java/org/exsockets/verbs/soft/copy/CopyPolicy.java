package org.exsockets.verbs.soft.copy;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Chooses how one direction of a connection copies into shared memory: by ordinary stores, or by stores past the
 * caches.
 *
 * <p>Which is faster depends on where the two processes run (cores that share a cache, or not), on how the ring
 * compares with that cache, on the size of the writes, and on what the programs do; the first changes while they run.
 * So nothing is inferred from these: both copies are tried on the stream itself, and the faster one is kept.
 *
 * <p>Time is taken once per <em>window</em>, at least as many bytes as the ring has, so that the reader's pace counts
 * as much as the writer's. After every change of the copy one window is not measured, until the lines of the ring are
 * where this copy leaves them. A trial is two windows with the other copy, which must win clearly. Lost trials make the
 * next ones rarer; trials never take more than about a fiftieth of the time. If the copy in use becomes much slower
 * than it was, the next trial may follow {@link #MIN_INTERVAL_NS} after the last: the processes may run on other cores
 * now. A stream slower than either copy is not judged: it waits for its programs.
 *
 * <p>Used by one thread at a time; reads the clock once per window and allocates nothing.
 */
public final class CopyPolicy {
    /** Shorter writes are always copied by ordinary stores: draining the others costs more than they save. */
    static final int MIN_BYTES = 2048;

    /** Shortest window: shorter ones are noise. */
    static final int MIN_WINDOW_BYTES = 512 << 10;

    static final long MIN_INTERVAL_NS = 20_000_000;
    static final long MAX_INTERVAL_NS = 1_000_000_000;

    /** Least ratio of the time between trials to the time of one. */
    static final int REST = 50;

    /** A quarter of a GB/s: neither copy limits a slower stream. */
    private static final int SLOWEST_NS_PER_BYTE = 4;

    private final LongSupplier clockNs;
    private final BooleanSupplier available;
    private final Hint hint;
    private int windowBytes = MIN_WINDOW_BYTES;

    private boolean pastCaches;
    private boolean trying;
    private boolean passing;
    private boolean begun;
    private long left;
    private long windowStartNs;
    private long trialStartNs;
    private long nextTrialNs;
    private long intervalNs = MIN_INTERVAL_NS;

    // Durations of windows with the copy in use, in nanoseconds; 0: none since the last change.
    private long lastNs;
    private long beforeLastNs;
    private long bestNs;

    /** The latest finding of the process's connections, with which a new one begins. Any thread. */
    public static final class Hint {
        volatile boolean pastCaches;
    }

    /** @param available whether there are stores past the caches; asked before each trial */
    CopyPolicy(LongSupplier clockNs, BooleanSupplier available, Hint hint) {
        this.clockNs = clockNs;
        this.available = available;
        this.hint = hint;
        this.pastCaches = hint.pastCaches;
    }

    /** Writes go to another ring from now on, of at most {@code ringBytes} bytes. Earlier measurements are void. */
    void ring(int ringBytes) {
        windowBytes = Math.max(MIN_WINDOW_BYTES, ringBytes);
        if (trying) {
            trying = false;
            pastCaches = !pastCaches;
        }
        begun = false;
        intervalNs = MIN_INTERVAL_NS;
        forget();
    }

    /** {@return whether the next {@code length} bytes, at least {@link #MIN_BYTES}, are to go past the caches} */
    boolean pastCaches(int length) {
        if (left <= 0 || !begun) {
            nextWindow(clockNs.getAsLong());
        }
        left -= length;
        return pastCaches;
    }

    private void nextWindow(long nowNs) {
        if (!begun) {
            begun = true;
            passing = true;
            nextTrialNs = nowNs;
        } else if (passing) {
            passing = false;
        } else if (trying) {
            judge(nowNs - windowStartNs, nowNs);
        } else {
            note(nowNs - windowStartNs, nowNs);
        }
        left = windowBytes;
        windowStartNs = nowNs;
    }

    private boolean streaming(long elapsedNs) {
        return elapsedNs < (long) windowBytes * SLOWEST_NS_PER_BYTE;
    }

    private void note(long elapsedNs, long nowNs) {
        if (!streaming(elapsedNs)) {
            forget();
            return;
        }
        beforeLastNs = lastNs;
        lastNs = elapsedNs;
        bestNs = bestNs == 0 ? elapsedNs : Math.min(bestNs, elapsedNs);
        // The faster of two: the scheduler may have interrupted one.
        boolean slower = referenceNs() > bestNs + bestNs / 2;
        boolean due = nowNs - nextTrialNs >= 0 || slower && nowNs - trialStartNs >= MIN_INTERVAL_NS;
        if (beforeLastNs != 0 && due && available.getAsBoolean()) {
            trying = true;
            trialStartNs = nowNs;
            change();
        }
    }

    private long referenceNs() {
        return Math.min(lastNs, beforeLastNs);
    }

    private void judge(long elapsedNs, long nowNs) {
        trying = false;
        if (elapsedNs < referenceNs() - referenceNs() / 8) {
            hint.pastCaches = pastCaches;
            intervalNs = MIN_INTERVAL_NS;
            forget();
        } else {
            intervalNs = Math.min(2 * intervalNs, MAX_INTERVAL_NS);
            forget();
            change();
        }
        nextTrialNs = nowNs + Math.max(intervalNs, REST * (nowNs - trialStartNs));
    }

    private void change() {
        pastCaches = !pastCaches;
        passing = true;
    }

    private void forget() {
        lastNs = 0;
        beforeLastNs = 0;
        bestNs = 0;
    }
}
