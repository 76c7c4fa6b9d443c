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
 * it for longer than a trial takes. A trial that loses makes the next one rarer, and trials never take more than about a
 * twenty-fifth of the time. A stream that is slower than any copy makes it is not judged, and goes straight; a pause alone
 * changes nothing.
 *
 * <p>Used by one thread at a time; reads the clock once per window and allocates nothing.
 */
final class DirectTrials {
    static final long WINDOW_BYTES = 16 << 20;
    static final long MIN_INTERVAL_NS = 100_000_000;
    static final long MAX_INTERVAL_NS = 400_000_000;

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

    /** Another stream was judged within so much time: there are several. */
    private static final long SEVERAL_NS = 1_000_000_000;

    /** Trials that the hidden buffer has to win. */
    private static final int WINS = 2;

    /** Whose window was the last to end, of all connections. Racy: that there are others is seen at the next window, too. */
    private static volatile DirectTrials latest;

    private final LongSupplier clockNs;

    /** When {@link #latest} was another one's; 0: never. */
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

    private int wins;
    private long trialStartNs;
    private long nextTrialNs;
    private long intervalNs = MIN_INTERVAL_NS;

    DirectTrials(LongSupplier clockNs) {
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
        DirectTrials last = latest;
        if (last != this) {
            otherNs = last == null ? 0 : nowNs | 1;
            latest = this;
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
            trying = false;
            rest(nowNs);
        }
        wins = 0;
        usualNs = 0;
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
        if (nowNs - nextTrialNs >= 0) {
            trialStartNs = nowNs;
            trying = true;
            change();
        }
    }

    private void judge(long ns, long nowNs) {
        trying = false;
        boolean straightTried = straight;
        boolean several = otherNs != 0 && nowNs - otherNs < SEVERAL_NS;
        long perCent = several ? CLEARLY_FASTER : FASTER;
        boolean clearly = straightTried ? usualNs < ns * perCent / 100 : ns < usualNs * perCent / 100;
        wins = clearly ? wins + 1 : 0;
        boolean useStraight = wins < WINS;
        if (useStraight != straight) {
            change();
        }
        intervalNs = useStraight == straightTried ? MIN_INTERVAL_NS : Math.min(2 * intervalNs, MAX_INTERVAL_NS);
        usualNs = 0;
        if (clearly && straight) {
            nextTrialNs = nowNs + MIN_INTERVAL_NS;
        } else {
            rest(nowNs);
        }
    }

    private void rest(long nowNs) {
        nextTrialNs = nowNs + Math.max(intervalNs, REST * (nowNs - trialStartNs));
    }

    private void change() {
        straight = !straight;
        toPass = MOST_PASSED;
        passedNs = 0;
        beginTiming();
    }
}
