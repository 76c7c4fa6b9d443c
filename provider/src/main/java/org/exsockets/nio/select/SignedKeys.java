package org.exsockets.nio.select;

import java.util.Arrays;
import java.util.function.IntConsumer;
import org.exsockets.verbs.SleepSign;
import org.exsockets.waiting.HotSet;
import org.jspecify.annotations.Nullable;

/**
 * The selector's sign, and the keys whose peers see it. Such a key is <em>hot</em> (polled in each round), or its peer
 * sets its cell for each completion and {@link #takeNews} makes it hot. Belongs to the selecting thread.
 */
final class SignedKeys implements IntConsumer {
    private static final int INITIAL = 16;
    private static final long REVIEW_NS = 1_000_000_000;

    private final HotSet<ExsKey> hot;

    /** Null: not needed yet, or not available. */
    private @Nullable SleepSign sign;

    /** The sign did not work; no other is opened. */
    private boolean givenUp;

    private @Nullable ExsKey[] byCell = new ExsKey[INITIAL];

    private long reviewedNs = System.nanoTime();

    SignedKeys(HotSet<ExsKey> hot) {
        this.hot = hot;
    }

    /** {@return whether there is a sign; opens one now if a hot key can} */
    boolean open() {
        for (int i = hot.size() - 1; sign == null && i >= 0; i--) {
            open(hot.get(i));
        }
        return sign != null;
    }

    private void open(ExsKey key) {
        if (!givenUp) {
            sign = key.attached().openSleepSign();
        }
    }

    /** {@return the sign, which is open: {@link #open} has said so, or a key has a cell} */
    @SuppressWarnings("NullAway") // It is asked for only while one is open.
    SleepSign sign() {
        return sign;
    }

    /**
     * Shows the peer the sign. The caller polls once more.
     *
     * @param sets whether the peer is to set the cell
     * @return false if the peer sees none, and the key is not {@linkplain KeySource#signals signalled} either
     */
    boolean show(ExsKey key, boolean sets) {
        if (key.attached().signals()) {
            return true;
        }
        if (sign == null) {
            open(key);
        }
        if (sign == null || key.cell < 0 && !openCell(key)) {
            return false;
        }
        if (!key.attached().show(sign, key.cell, sets)) {
            hide(key);
            return false;
        }
        key.peerSetsCell = sets;
        return true;
    }

    private boolean openCell(ExsKey key) {
        int cell = sign().openCell();
        if (cell < 0) {
            return false;
        }
        if (cell >= byCell.length) {
            byCell = Arrays.copyOf(byCell, Math.max(cell + 1, 2 * byCell.length));
        }
        byCell[cell] = key;
        key.cell = cell;
        return true;
    }

    void hide(ExsKey key) {
        if (key.cell < 0) {
            return;
        }
        if (key.source != null) {
            key.source.hide(sign());
        }
        byCell[key.cell] = null;
        sign().closeCell(key.cell);
        key.cell = -1;
        key.peerSetsCell = false;
    }

    /** From now on the key is polled in each round. */
    void heat(ExsKey key) {
        hot.add(key);
        if (key.peerSetsCell) {
            show(key, false);
        }
    }

    /** {@return whether {@link #takeNews} would find something; costs a load} */
    boolean hasNews() {
        return sign != null && sign.hasNews();
    }

    /** Makes the keys hot whose cells are set. */
    void takeNews() {
        if (hasNews()) {
            sign().takeNews(this);
        }
    }

    @Override
    public void accept(int cell) {
        ExsKey key = cell < byCell.length ? byCell[cell] : null;
        if (key != null && key.source != null) {
            key.source.onCellSet();
            heat(key);
        }
    }

    /** {@return the nanoseconds until {@link #review} is due; ≤ 0: it is due} */
    long reviewInNs(long nowNs) {
        return sign == null ? Long.MAX_VALUE : REVIEW_NS - (nowNs - reviewedNs);
    }

    /**
     * Makes the keys hot that have news though their cells are not set. All peers of the process can write to the
     * sign's memory: what one of them damages only delays the connections of the others.
     */
    void review(long nowNs) {
        reviewedNs = nowNs;
        for (ExsKey key : byCell) {
            if (key != null && key.peerSetsCell && key.source != null && key.source.hasNews()) {
                key.source.onCellSet();
                heat(key);
            }
        }
    }

    /** The sign does not work: makes all its keys hot; there is no sign from now on. */
    void giveUp() {
        for (ExsKey key : byCell) {
            if (key != null) {
                hot.add(key);
                hide(key);
            }
        }
        close();
        givenUp = true;
    }

    void close() {
        if (sign != null) {
            sign.close();
            sign = null;
        }
    }
}
