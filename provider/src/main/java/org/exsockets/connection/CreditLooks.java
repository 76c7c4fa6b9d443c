package org.exsockets.connection;

import java.util.function.LongSupplier;

/**
 * Decides when a writer that runs out of message credits checks whether the peer has returned some. Bytes placed
 * without a credit are announced later, all at once.
 *
 * <p>That is good for a writer that writes as fast as it can. Its peer is busy with earlier bytes, and one announcement
 * costs both ends less than many; the writer looks after {@link #MOST_NS}. But a reader that keeps up with a slower
 * writer waits for the announcement. So a writer that has paused since its last write looks at once, and begins to look
 * while some credits are left: the first write that finds few knows of no pause.
 *
 * <p>Belongs to the writer. Reads the clock only while there are few credits.
 */
final class CreditLooks {
    /** Between two writes: more than a write of some KiB takes. */
    static final long PAUSE_NS = 2_000;

    /** Between two looks of a writer that does not pause. */
    static final long MOST_NS = 250_000;

    private final LongSupplier clockNs;

    /** The last write found few credits, too. */
    private boolean few;

    /** The last write that found few credits. */
    private long lastNs;

    /** The last look, or the first write that found few credits since there were many. */
    private long lookedNs;

    CreditLooks(LongSupplier clockNs) {
        this.clockNs = clockNs;
    }

    /**
     * A write begins. {@return whether to look}
     *
     * @param fewNow whether credits have run out, or are about to
     */
    boolean tryLook(boolean fewNow) {
        if (!fewNow) {
            few = false;
            return false;
        }
        long nowNs = clockNs.getAsLong();
        boolean due = few && (nowNs - lastNs >= PAUSE_NS || nowNs - lookedNs >= MOST_NS);
        if (due || !few) {
            lookedNs = nowNs;
        }
        few = true;
        lastNs = nowNs;
        return due;
    }
}
