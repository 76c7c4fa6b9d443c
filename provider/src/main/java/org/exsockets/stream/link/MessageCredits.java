package org.exsockets.stream.link;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Message credits of one connection, both ways: how many receives the peer has free for this end, and how many of this
 * end are free again without the peer knowing yet.
 *
 * <p>Any role may take credits; the poller adds them. Only a CREDIT may take the last credit. So a CREDIT can always be
 * sent, and two ends without other credits free each other. A CREDIT is only sent when the threshold is owed, so that
 * two idle ends do not answer each other for ever.
 */
public final class MessageCredits {
    private final int depth;
    private final int reserve;
    private final int threshold;
    private final AtomicInteger available;
    private final AtomicInteger owed = new AtomicInteger();

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
        this.available = new AtomicInteger(depth);
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
        for (int now = available.get(); now > left; now = available.get()) {
            if (available.compareAndSet(now, now - 1)) {
                return true;
            }
        }
        return false;
    }

    /** Puts back a credit that was taken for a message that was not sent after all. */
    public void untake() {
        available.incrementAndGet();
    }

    /** {@return whether {@link #tryTake} would succeed} */
    public boolean available() {
        return !fewerThan(1);
    }

    /** {@return whether {@link #tryTake} would fail before it had succeeded {@code count} times} */
    public boolean fewerThan(int count) {
        return available.get() < reserve + count;
    }

    /** {@return credits to return with the message that is being built; they count as returned; any thread} */
    public int takeOwed(int limit) {
        for (int now = owed.get(); now > 0; now = owed.get()) {
            int taken = Math.min(now, limit);
            if (owed.compareAndSet(now, now - taken)) {
                return taken;
            }
        }
        return 0;
    }

    /** Puts back what {@link #takeOwed} has taken for a message that was not sent after all; any thread. */
    public void oweAgain(int credits) {
        owed.addAndGet(credits);
    }

    /**
     * Poller: {@code count} receives were consumed and have been posted again.
     *
     * @return false if the peer had no credit for one of those messages: more are owed than there are
     */
    public boolean onReceivesPosted(int count) {
        return owed.addAndGet(count) <= depth;
    }

    /** {@return whether so many credits are owed that a CREDIT is due} */
    public boolean creditDue() {
        return owed.get() >= threshold;
    }

    /**
     * Poller: the peer has returned credits.
     *
     * @return false if this makes more than there are
     */
    public boolean onReturned(int credits) {
        return credits == 0 || available.addAndGet(credits) <= depth;
    }
}
