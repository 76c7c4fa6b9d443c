package org.exsockets.adapt;

import java.util.function.LongSupplier;

/**
 * Chooses how large writes go while the peer advertises memory: straight into it, or through the hidden buffer all the
 * same.
 *
 * <p>Which way is faster depends on where both processes run, on the number of outstanding receives, on the size of the
 * writes and on what the programs do: through the hidden buffer two cores copy at the same time, straight one core
 * copies once. So both ways are tried on the stream itself, in windows of {@link #WINDOW_BYTES}. A way is judged by the
 * time of {@link #WINDOWS} windows in a row, without the slowest two, which the scheduler may have interrupted. After a
 * change windows are skipped as long as each is faster than the one before: the hidden buffer may be growing.
 *
 * <p>Straight is the usual way, because it needs less of the processors. The other way is used if it was faster, by
 * {@link #FASTER} or {@link #CLEARLY_FASTER}, in two trials in a row, some time apart: what disturbs a stream, such as
 * a compiler's thread, lasts longer than a trial. A trial that changes nothing makes the next one rarer, until the way
 * in use is faster or slower than it was. The trials of all streams together never take more than about a twenty-fifth
 * of the time ({@link TrialTurns}). A stream slower than any copy is not judged, and goes straight; a pause alone
 * changes nothing.
 *
 * <p>Used by one thread at a time; reads the clock once per window and allocates nothing.
 */
public final class DirectTrials {
    static final long WINDOW_BYTES = 16 << 20;
    static final long MIN_INTERVAL_NS = 100_000_000;
    static final long MAX_INTERVAL_NS = 6_400_000_000L;

    /** Windows that are timed to judge a way. */
    static final int WINDOWS = 8;

    /** Windows that are skipped after a change, at most. */
    private static final int MOST_PASSED = 8;

    /** Time between trials, as a multiple of the time of one, at least. */
    static final int REST = 25;

    /** A quarter of a GB/s: a slower stream is not limited by copies. */
    private static final int SLOWEST_NS_PER_BYTE = 4;

    /** So many slow windows in a row are the stream's rate, not a pause. */
    private static final int SLOW_WINDOWS = 2;

    /**
     * Per cent of the time of straight transfers that the other way has to stay below, if no other stream is judged.
     */
    private static final int FASTER = 95;

    /**
     * The same if there are other streams. Lower, because the hidden buffer makes a connection faster partly at the
     * cost of others: of those that the same threads serve.
     */
    private static final int CLEARLY_FASTER = 80;

    /** Trials in a row that the hidden buffer has to win. */
    private static final int WINS = 2;

    /** The way in use has changed if it takes more than so many per cent of its time at the last trial. */
    private static final int SLOWER = 125;

    /** The same, for less. */
    private static final int QUICKER = 80;

    private final TrialTurns turns;
    private final LongSupplier clockNs;

    /** When another stream was last judged; 0: never. */
    private long otherNs;

    private boolean straight = true;
    private boolean trying;
    private long leftBytes;
    private long windowStartNs;
    private int slowWindows;

    /** Windows still to be skipped, at most; 0: windows are timed. */
    private int toPass = MOST_PASSED;

    /** Time of the last skipped window; 0: none since the change. */
    private long passedNs;

    /** Windows timed so far, their time, and that of the slowest two of them. */
    private int timed;

    private long timedNs;
    private long slowestNs;
    private long secondSlowestNs;

    /** Time of the way in use when it was last timed; 0: not since the last trial. */
    private long usualNs;

    /** Time of the way in use at the last trial; 0: no trial says anything about the stream as it is. */
    private long judgedNs;

    private int wins;
    private long trialStartNs;

    /** When the next trial may begin, and when it begins if nothing changes; valid after the first trial. */
    private long restedNs;

    private long nextTrialNs;
    private long intervalNs = MIN_INTERVAL_NS;

    public DirectTrials(TrialTurns turns, LongSupplier clockNs) {
        this.turns = turns;
        this.clockNs = clockNs;
    }

    /** {@return whether bytes go straight now, where they can} */
    public boolean straight() {
        return straight;
    }

    /** Bytes have been written, whichever way. That may change {@link #straight}. */
    public void onWritten(int bytes) {
        leftBytes -= bytes;
        if (leftBytes <= 0) {
            nextWindow(clockNs.getAsLong());
        }
    }

    private void nextWindow(long nowNs) {
        long elapsedNs = nowNs - windowStartNs;
        leftBytes = WINDOW_BYTES;
        windowStartNs = nowNs;
        if (turns.isAfterAnother(this)) {
            otherNs = nowNs | 1;
        }
        if (elapsedNs > WINDOW_BYTES * SLOWEST_NS_PER_BYTE) {
            if (++slowWindows == SLOW_WINDOWS) {
                onSlow(nowNs);
            }
            return;
        }
        slowWindows = 0;
        if (toPass > 0) {
            pass(elapsedNs);
        } else if (time(elapsedNs)) {
            long ns = timedNs - slowestNs - secondSlowestNs;
            beginTiming();
            if (trying) {
                judge(ns, nowNs);
            } else {
                note(ns, nowNs);
            }
        }
    }

    private void onSlow(long nowNs) {
        if (trying) {
            end(nowNs, REST * (nowNs - trialStartNs));
        }
        wins = 0;
        usualNs = 0;
        judgedNs = 0;
        if (straight) {
            beginTiming();
        } else {
            change();
        }
    }

    private void pass(long elapsedNs) {
        boolean settled = passedNs != 0 && elapsedNs > passedNs - passedNs / 8;
        passedNs = elapsedNs;
        toPass = settled ? 0 : toPass - 1;
    }

    /** {@return whether enough windows have been timed} */
    private boolean time(long elapsedNs) {
        timedNs += elapsedNs;
        if (elapsedNs > slowestNs) {
            secondSlowestNs = slowestNs;
            slowestNs = elapsedNs;
        } else if (elapsedNs > secondSlowestNs) {
            secondSlowestNs = elapsedNs;
        }
        return ++timed == WINDOWS;
    }

    private void beginTiming() {
        timed = 0;
        timedNs = 0;
        slowestNs = 0;
        secondSlowestNs = 0;
    }

    private void note(long ns, long nowNs) {
        usualNs = ns;
        if (judgedNs == 0 || ns * 100 > judgedNs * SLOWER || ns * 100 < judgedNs * QUICKER) {
            intervalNs = MIN_INTERVAL_NS;
            nextTrialNs = restedNs;
        }
        if (nowNs - nextTrialNs >= 0 && turns.begin(this, nowNs)) {
            trialStartNs = nowNs;
            trying = true;
            change();
        }
    }

    private void judge(long ns, long nowNs) {
        boolean straightTried = straight;
        boolean several = otherNs != 0 && nowNs - otherNs < TrialTurns.SEVERAL_NS;
        long perCent = several ? CLEARLY_FASTER : FASTER;
        boolean clearly = straightTried ? usualNs < ns * perCent / 100 : ns < usualNs * perCent / 100;
        wins = clearly ? wins + 1 : 0;
        boolean useStraight = wins < WINS;
        if (useStraight != straight) {
            change();
        }
        boolean changes = useStraight == straightTried;
        intervalNs = changes ? MIN_INTERVAL_NS : Math.min(2 * intervalNs, MAX_INTERVAL_NS);
        judgedNs = changes ? ns : usualNs;
        usualNs = 0;
        if (clearly && straight) {
            intervalNs = MIN_INTERVAL_NS;
            end(nowNs, MIN_INTERVAL_NS);
        } else {
            end(nowNs, REST * (nowNs - trialStartNs));
        }
    }

    private void end(long nowNs, long restNs) {
        trying = false;
        turns.end(this, nowNs + restNs);
        restedNs = nowNs + restNs;
        nextTrialNs = nowNs + Math.max(intervalNs, restNs);
    }

    private void change() {
        straight = !straight;
        toPass = MOST_PASSED;
        passedNs = 0;
        beginTiming();
    }
}
