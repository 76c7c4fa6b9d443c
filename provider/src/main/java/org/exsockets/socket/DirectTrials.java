package org.exsockets.socket;

import java.util.function.LongSupplier;

/**
 * Chooses how large writes go while the peer advertises memory: straight into it, or through the hidden buffer all the same.
 *
 * <p>Which way is faster depends on where both processes run, on how many receives are outstanding, on the size of the
 * writes and on what the programs do: through the hidden buffer two cores copy at the same time, straight one core
 * copies once. So both ways are tried on the stream itself, in windows of {@link #WINDOW_BYTES}. What counts is the time of
 * {@link #WINDOWS} windows in a row, without the slowest two: those the scheduler may have interrupted. After a change windows
 * are let pass for as long as each is faster than the one before; the hidden buffer may be growing. Straight is what is used
 * unless the other way has been faster in two trials in a row, some time apart, by so much as {@link #FASTER} or
 * {@link #CLEARLY_FASTER} say: it needs less of the processors. What disturbs a stream, as a compiler's thread does, disturbs
 * it for longer than a trial takes. A trial that changes nothing makes the next one rarer, until the way in use is faster or
 * slower than it was; and the trials of all streams together never take more than about a twenty-fifth of the time ({@link
 * TrialTurns}). A stream that is slower than any copy makes it is not judged, and goes straight; a pause alone changes nothing.
 *
 * <p>Used by one thread at a time; reads the clock once per window and allocates nothing.
 */
final class DirectTrials {
    static final long WINDOW_BYTES = 16 << 20;
    static final long MIN_INTERVAL_NS = 100_000_000;
    static final long MAX_INTERVAL_NS = 6_400_000_000L;

    /** That are timed before anything is said about a way. */
    static final int WINDOWS = 8;

    /** Windows that are let pass after a change, at most. */
    private static final int MOST_PASSED = 8;

    /** Time between trials over the time of one, at least. */
    static final int REST = 25;

    /** A quarter of a GB/s: below it, no copy is what limits the stream. */
    private static final int SLOWEST_NS_PER_BYTE = 4;

    /** So many windows in a row below that: it is the stream, not a pause. */
    private static final int SLOW_WINDOWS = 2;

    /** Per cent of the time of straight transfers that the other way has to stay below, if no other stream is judged. */
    private static final int FASTER = 95;

    /**
     * The same where there are other streams. Less, because a connection that goes through the hidden buffer is faster at the
     * cost of others, too: of those that the same threads serve.
     */
    private static final int CLEARLY_FASTER = 80;

    /** Trials that the hidden buffer has to win. */
    private static final int WINS = 2;

    /** The way in use takes another time than at the last trial if it takes so many per cent of it, or more. */
    private static final int SLOWER = 125;

    /** The same, or less. */
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

    /** Windows that are still let pass, at most; 0: windows are timed. */
    private int toPass = MOST_PASSED;

    /** Of the window that was let pass last; 0: none since the change. */
    private long passedNs;

    /** Windows timed so far, their time, and that of the slowest two of them. */
    private int timed;

    private long timedNs;
    private long slowestNs;
    private long secondSlowestNs;

    /** Of the way in use, when it was last timed; 0: not since the last trial. */
    private long usualNs;

    /** What {@link #usualNs} was at the last trial; 0: no trial says anything about the stream as it is. */
    private long judgedNs;

    private int wins;
    private long trialStartNs;

    /** When a trial may follow on the last one, and when it is to if nothing changes; both once there was a trial. */
    private long restedNs;

    private long nextTrialNs;
    private long intervalNs = MIN_INTERVAL_NS;

    DirectTrials(TrialTurns turns, LongSupplier clockNs) {
        this.turns = turns;
        this.clockNs = clockNs;
    }

    /** {@return whether bytes go straight now, where they can} */
    boolean straight() {
        return straight;
    }

    /** Bytes have been written, whichever way. That may change {@link #straight}. */
    void onWritten(int bytes) {
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
