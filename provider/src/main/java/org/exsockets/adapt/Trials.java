package org.exsockets.adapt;

import java.util.function.LongSupplier;

/**
 * Chooses between two ways for the bytes of a stream, by trying both on the stream itself: nothing else says which is
 * faster, as that depends on where both processes run, on what the programs do, and changes meanwhile.
 *
 * <p>Time is taken once per <em>sample</em>, a number of bytes. A way is judged by the time of {@link Rule#samples}
 * samples in a row without the slowest, which the scheduler may have interrupted. After a change samples are skipped as
 * long as each is faster than the one before, and at most {@link Rule#passed}: the lines of a ring are not yet where
 * this way leaves them, or a buffer is growing.
 *
 * <p>The usual way is left if the other one was clearly faster in {@link Rule#wins} trials in a row, some time apart:
 * what disturbs a stream, such as a compiler's thread, lasts longer than a trial. It is gone again when a trial of it
 * does not lose as clearly. A trial that changes nothing makes the next one rarer, until the way in use is faster or
 * slower than it was. Only what is timed twice in a row with one result counts, for a trial, too: the peer may be
 * trying its way, which is over by then. Trials take no more than a {@link Rule#rest}th of the time, all streams together
 * that share {@link SharedTrials}. A stream slower than any copy is not judged: it waits for its programs.
 *
 * <p>Used by one thread at a time; reads the clock once per sample and allocates nothing.
 */
public final class Trials {
    /**
     * What the streams of a kind have in common.
     *
     * @param samples that are timed to judge a way
     * @param outliers of them, the slowest, that do not count: 1 or 2
     * @param passed samples that are skipped after a change, at most
     * @param wins trials in a row that the other way has to win
     * @param faster per cent of the usual way's time that the other one has to stay below
     * @param rest time between trials, as a multiple of the time of one, at least
     * @param minIntervalNs between trials, at least
     * @param maxIntervalNs between trials that change nothing
     * @param slowIsUsual whether a stream too slow to be judged goes the usual way, rather than the one in use
     */
    public record Rule(
            int samples,
            int outliers,
            int passed,
            int wins,
            int faster,
            int rest,
            long minIntervalNs,
            long maxIntervalNs,
            boolean slowIsUsual) {}

    /** A quarter of a GB/s: a slower stream is not limited by copies. */
    private static final int SLOWEST_NS_PER_BYTE = 4;

    /** So many slow samples in a row are the stream's rate, not a pause. */
    private static final int SLOW_SAMPLES = 2;

    /**
     * {@link Rule#faster} if there are other streams: lower, because the other way may make a connection faster partly
     * at the cost of those that the same threads serve.
     */
    private static final int CLEARLY_FASTER = 80;

    /** The way in use has changed if it takes more than so many per cent of its time at the last trial. */
    private static final int SLOWER = 125;

    /** The same, for less. */
    private static final int QUICKER = 80;

    private final Rule rule;
    private final SharedTrials shared;
    private final LongSupplier clockNs;
    private long sampleBytes;

    /** When another stream was last judged; 0: never. */
    private long otherStreamNs;

    private boolean other;
    private boolean trying;

    /** Whether a sample has begun. */
    private boolean begun;

    private long leftBytes;
    private long sampleStartNs;
    private int slowSamples;

    /** Samples still to be skipped, at most; 0: samples are timed. */
    private int toPass;

    /** Time of the last skipped sample; 0: none since the change. */
    private long passedNs;

    /** Samples timed so far, their time, and that of the slowest two of them. */
    private int timed;

    private long timedNs;
    private long slowestNs;
    private long secondSlowestNs;

    /** Time of the way in use when it was last timed; 0: not since it changed. */
    private long notedNs;

    /** The same, if it was as long twice in a row; 0: not since the last trial. */
    private long usualNs;

    /** Time of the way in use at the last trial; 0: no trial says anything about the stream as it is. */
    private long judgedNs;

    private int wins;
    private long trialStartNs;

    /** When the next trial may begin, and when it begins if nothing changes; valid if {@link #begun}. */
    private long restedNs;

    private long nextTrialNs;
    private long intervalNs;

    /** @param other whether to begin with the other way, because it was faster on a stream before */
    public Trials(Rule rule, SharedTrials shared, long sampleBytes, boolean other, LongSupplier clockNs) {
        this.rule = rule;
        this.shared = shared;
        this.sampleBytes = sampleBytes;
        this.clockNs = clockNs;
        this.other = other;
        this.toPass = rule.passed;
        this.wins = other ? rule.wins : 0;
        this.intervalNs = rule.minIntervalNs;
    }

    /** {@return whether the next bytes go the other way, where they can} */
    public boolean other() {
        return other;
    }

    /** {@return whether the other way is in use, whatever is being tried} */
    public boolean otherInUse() {
        return other != trying;
    }

    /** Bytes have been written, whichever way. That may change {@link #other}. */
    public void onWritten(int bytes) {
        leftBytes -= bytes;
        if (leftBytes <= 0) {
            nextSample(clockNs.getAsLong());
        }
    }

    /** The other way turns out to be closed: bytes go the usual one, and it is tried again as after a lost trial. */
    public void refuse() {
        if (trying) {
            judgedNs = usualNs;
            usualNs = 0;
            intervalNs = Math.min(2 * intervalNs, rule.maxIntervalNs);
            end(sampleStartNs, 0);
        }
        wins = 0;
        change();
    }

    /** The stream has changed, and its samples have so many bytes from now on: earlier measurements are void. */
    public void restart(long newSampleBytes) {
        if (trying) {
            end(sampleStartNs, 0);
            other = !other;
        }
        sampleBytes = newSampleBytes;
        begun = false;
        leftBytes = 0;
        intervalNs = rule.minIntervalNs;
        forget();
        beginPassing();
    }

    private void forget() {
        usualNs = 0;
        judgedNs = 0;
    }

    private void nextSample(long nowNs) {
        long elapsedNs = nowNs - sampleStartNs;
        leftBytes = sampleBytes;
        sampleStartNs = nowNs;
        if (shared.isAfterAnother(this)) {
            otherStreamNs = nowNs | 1;
        }
        if (!begun) {
            begun = true;
            restedNs = nowNs;
            nextTrialNs = nowNs;
            return;
        }
        if (elapsedNs > sampleBytes * SLOWEST_NS_PER_BYTE) {
            if (++slowSamples == SLOW_SAMPLES) {
                onSlow(nowNs);
            }
            return;
        }
        slowSamples = 0;
        if (toPass > 0) {
            pass(elapsedNs);
        } else if (time(elapsedNs)) {
            long ns = timedNs - slowestNs - (rule.outliers > 1 ? secondSlowestNs : 0);
            beginTiming();
            if (trying) {
                judge(ns, nowNs);
            } else {
                note(ns, nowNs);
            }
        }
    }

    private void onSlow(long nowNs) {
        boolean way = !rule.slowIsUsual && otherInUse();
        if (trying) {
            end(nowNs, rule.rest * (nowNs - trialStartNs));
        }
        wins = way ? rule.wins : 0;
        forget();
        if (other == way) {
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

    /** {@return whether enough samples have been timed} */
    private boolean time(long elapsedNs) {
        timedNs += elapsedNs;
        if (elapsedNs > slowestNs) {
            secondSlowestNs = slowestNs;
            slowestNs = elapsedNs;
        } else if (elapsedNs > secondSlowestNs) {
            secondSlowestNs = elapsedNs;
        }
        return ++timed == rule.samples;
    }

    private void beginTiming() {
        timed = 0;
        timedNs = 0;
        slowestNs = 0;
        secondSlowestNs = 0;
    }

    private void note(long ns, long nowNs) {
        boolean steady = notedNs != 0 && !differs(ns, notedNs);
        notedNs = ns;
        if (!steady) {
            return;
        }
        usualNs = ns;
        if (judgedNs == 0 || differs(ns, judgedNs)) {
            intervalNs = rule.minIntervalNs;
            nextTrialNs = restedNs;
        }
        if (nowNs - nextTrialNs >= 0 && shared.begin(this, nowNs)) {
            trialStartNs = nowNs;
            trying = true;
            change();
        }
    }

    private static boolean differs(long ns, long beforeNs) {
        return ns * 100 > beforeNs * SLOWER || ns * 100 < beforeNs * QUICKER;
    }

    private void judge(long ns, long nowNs) {
        boolean otherTried = other;
        boolean several = otherStreamNs != 0 && nowNs - otherStreamNs < SharedTrials.SEVERAL_NS;
        long perCent = several ? CLEARLY_FASTER : rule.faster;
        boolean clearly = otherTried ? ns < usualNs * perCent / 100 : usualNs < ns * perCent / 100;
        wins = clearly ? wins + 1 : 0;
        boolean useOther = wins >= rule.wins;
        if (useOther != other) {
            change();
        }
        boolean changes = useOther == otherTried;
        intervalNs = changes ? rule.minIntervalNs : Math.min(2 * intervalNs, rule.maxIntervalNs);
        judgedNs = changes ? ns : usualNs;
        usualNs = 0;
        if (clearly && !useOther) {
            intervalNs = rule.minIntervalNs;
            end(nowNs, rule.minIntervalNs);
        } else {
            end(nowNs, rule.rest * (nowNs - trialStartNs));
        }
    }

    private void end(long nowNs, long restNs) {
        trying = false;
        shared.end(this, nowNs + restNs);
        restedNs = nowNs + restNs;
        nextTrialNs = nowNs + Math.max(intervalNs, restNs);
    }

    private void change() {
        other = !other;
        beginPassing();
    }

    private void beginPassing() {
        notedNs = 0;
        toPass = rule.passed;
        passedNs = 0;
        beginTiming();
    }
}
