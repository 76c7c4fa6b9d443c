package org.exsockets.stream.link;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Message credits of one connection, both ways: how many receives the peer has free for this end, and how many of this
 * end are free again without the peer knowing yet.
 *
 * <p>Any role may take credits; the poller adds them. Only a CREDIT may take the last credit. So a CREDIT can always be
 * sent, and two ends without other credits free each other. A CREDIT is only sent when the threshold is owed, so that
 * two idle ends do not answer each other for ever.
 */
public final class MessageCredits {
    private static final long ONE_OWED = 1L << Integer.SIZE;

    private final int depth;
    private final int reserve;
    private final int threshold;

    /**
     * Credits that are owed, in the upper half, and those that are there, in the lower. Neither gets below 0; one that
     * gets above {@link #depth} ends the connection. In one word, so that a message takes its credit and what it returns at
     * once.
     */
    private final AtomicLong state;

    /** @param depth receives each end has posted, ≥ 3 */
    public MessageCredits(int depth) {
        this(depth, Rules.PROTOCOL);
    }

    MessageCredits(int depth, Rules rules) {
        this(depth, rules.creditReserve(), rules.creditThreshold(depth));
    }

    /**
     * @param depth receives each end has posted, ≥ 3
     * @param reserve credits that only a CREDIT may take
     * @param threshold number of owed credits at which a CREDIT is due
     */
    public MessageCredits(int depth, int reserve, int threshold) {
        if (depth < 3) {
            throw new IllegalArgumentException("message credits: too few receives: depth=" + depth);
        }
        this.depth = depth;
        this.reserve = reserve;
        this.threshold = threshold;
        this.state = new AtomicLong(depth);
    }

    /** Takes a credit for a message that is not a CREDIT. */
    public boolean tryTake() {
        return tryTake(reserve);
    }

    /** Takes a credit for a CREDIT. */
    public boolean tryTakeLast() {
        return tryTake(0);
    }

    private boolean tryTake(int left) {
        return take(left, 0) >= 0;
    }

    /**
     * Takes a credit for a message that is not a CREDIT, and what it is to return, as {@link #takeOwed}.
     *
     * @return credits to return; -1: no credit was taken
     */
    public int takeWithOwed(int limit) {
        return take(reserve, limit);
    }

    private int take(int left, int limit) {
        for (long now = state.get(); available(now) > left; now = state.get()) {
            int returned = Math.min(owed(now), limit);
            if (state.compareAndSet(now, now - 1 - returned * ONE_OWED)) {
                return returned;
            }
        }
        return -1;
    }

    /**
     * Puts back a credit that was taken for a message that was not sent after all.
     *
     * @param owed what the message was to return, owed again
     */
    public void untake(int owed) {
        state.addAndGet(1 + owed * ONE_OWED);
    }

    /** {@return whether {@link #tryTake} would succeed} */
    public boolean available() {
        return !fewerThan(1);
    }

    /** {@return whether {@link #tryTake} would fail before it had succeeded {@code count} times} */
    public boolean fewerThan(int count) {
        return available(state.get()) < reserve + count;
    }

    /** {@return credits to return with the message that is being built; they count as returned; any thread} */
    public int takeOwed(int limit) {
        for (long now = state.get(); owed(now) > 0; now = state.get()) {
            int taken = Math.min(owed(now), limit);
            if (state.compareAndSet(now, now - taken * ONE_OWED)) {
                return taken;
            }
        }
        return 0;
    }

    /**
     * Poller: {@code count} receives were consumed and have been posted again.
     *
     * @return false if the peer had no credit for one of those messages: more are owed than there are
     */
    public boolean onReceivesPosted(int count) {
        return owed(state.addAndGet(count * ONE_OWED)) <= depth;
    }

    /** {@return whether so many credits are owed that a CREDIT is due} */
    public boolean creditDue() {
        return owed(state.get()) >= threshold;
    }

    /**
     * Poller: the peer has returned credits.
     *
     * @param credits as a message tells it: 0 to 65,535
     * @return false if this makes more than there are
     */
    public boolean onReturned(int credits) {
        return credits == 0 || available(state.addAndGet(credits)) <= depth;
    }

    private static int available(long state) {
        return (int) state;
    }

    private static int owed(long state) {
        return (int) (state >> Integer.SIZE);
    }
}
