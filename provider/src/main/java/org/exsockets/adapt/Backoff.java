package org.exsockets.adapt;

/**
 * Leaves out attempts after one that failed: one after the first failure in a row, then two, four and so on, up to a bound. An attempt
 * that pays resets this.
 *
 * <p>Belongs to one thread at a time. A race of several loses a count, and does no other harm: a count below 0 is as good as 0.
 */
public final class Backoff {
    private final int most;

    /** Attempts left out after the last failure; 0: the last one has paid, or there was none. */
    private int afterLast;

    private int left;

    /** @param most attempts that are left out in a row, at most */
    public Backoff(int most) {
        this.most = most;
    }

    /** An attempt would be due. {@return whether it is left out} It counts as one of those, then. */
    public boolean skip() {
        if (left > 0) {
            left--;
            return true;
        }
        return false;
    }

    /** An attempt has failed. */
    public void onFailure() {
        onFailure(1);
    }

    /**
     * As {@link #onFailure()}, for an attempt that was dear.
     *
     * @param least attempts that are left out at least, if the bound allows it
     */
    public void onFailure(int least) {
        afterLast = Math.min(most, Math.max(least, 2 * afterLast));
        left = afterLast;
    }

    /** An attempt has paid. */
    public void onSuccess() {
        afterLast = 0;
    }

    /** There is news: nothing is left out any more. */
    public void reset() {
        afterLast = 0;
        left = 0;
    }
}
