package org.exsockets.socket;

import java.util.function.LongSupplier;

/**
 * Chooses how large writes go while the peer advertises memory: straight into it, or through the hidden buffer all the same.
 *
 * <p>Which way is faster depends on where both processes run, on how many receives are outstanding, on the size of the
 * writes and on what the programs do: through the hidden buffer two cores copy at the same time, straight one core
 * copies once. So both ways are tried on the stream itself, in windows of {@link #WINDOW_BYTES}; after a change one window is
 * let pass, the next one counts. Straight is what is used unless the other way has been faster in two trials, one soon after
 * the other, by so much as {@link #FASTER} or {@link #CLEARLY_FASTER} say: it needs less of the processors. A trial that loses makes the next one rarer, and trials never take more
 * than about a fiftieth of the time. A stream that is slower than any copy makes it is not judged, and goes straight.
 *
 * <p>Used by one thread at a time; reads the clock once per window and allocates nothing.
 */
final class DirectTrials {
    static final long WINDOW_BYTES = 16 << 20;
    static final long MIN_INTERVAL_NS = 100_000_000;
    static final long MAX_INTERVAL_NS = 400_000_000;

    /** Time between trials over the time of one, at least. */
    static final int REST = 50;

    /** A quarter of a GB/s: below it, no copy is what limits the stream. */
    private static final int SLOWEST_NS_PER_BYTE = 4;

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
    private boolean passing = true;
    private long leftBytes;
    private long windowStartNs;

    /** Of the latest windows that went the way in use; 0: none since the last trial. */
    private long lastNs;

    private long beforeLastNs;
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

    /** Bytes have been written, whichever way. {@return whether that may have changed {@link #straight}} */
    boolean onWritten(int bytes) {
        leftBytes -= bytes;
        if (leftBytes > 0) {
            return false;
        }
        nextWindow(clockNs.getAsLong());
        return true;
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
        if (passing) {
            passing = false;
        } else if (elapsedNs > WINDOW_BYTES * SLOWEST_NS_PER_BYTE) {
            passing = !straight;
            straight = true;
            trying = false;
            wins = 0;
            lastNs = 0;
        } else if (trying) {
            judge(elapsedNs, nowNs);
        } else {
            note(elapsedNs, nowNs);
        }
    }

    private void note(long elapsedNs, long nowNs) {
        beforeLastNs = lastNs;
        lastNs = elapsedNs;
        if (beforeLastNs != 0 && (wins > 0 && straight || nowNs - nextTrialNs >= 0)) {
            trialStartNs = nowNs;
            trying = true;
            change();
        }
    }

    private void judge(long elapsedNs, long nowNs) {
        trying = false;
        // One of the two may have been interrupted by the scheduler.
        long usualNs = Math.min(lastNs, beforeLastNs);
        boolean straightTried = straight;
        boolean several = otherNs != 0 && nowNs - otherNs < SEVERAL_NS;
        long perCent = several ? CLEARLY_FASTER : FASTER;
        boolean clearly = straightTried ? usualNs < elapsedNs * perCent / 100 : elapsedNs < usualNs * perCent / 100;
        wins = clearly ? wins + 1 : 0;
        boolean useStraight = wins < WINS;
        if (useStraight != straight) {
            change();
        }
        intervalNs = useStraight == straightTried ? MIN_INTERVAL_NS : Math.min(2 * intervalNs, MAX_INTERVAL_NS);
        lastNs = 0;
        nextTrialNs = nowNs + Math.max(intervalNs, REST * (nowNs - trialStartNs));
    }

    private void change() {
        straight = !straight;
        passing = true;
    }
}
