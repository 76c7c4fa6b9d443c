package org.exsockets.nio.select;

import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.spi.AbstractSelectionKey;
import org.exsockets.waiting.HotSet;
import org.jspecify.annotations.Nullable;

/**
 * A channel's registration with a selector. The methods of {@link SelectionKey} are thread-safe; the fields
 * below "Selecting thread" belong to the thread that holds the selector's monitor.
 */
public final class ExsKey extends AbstractSelectionKey implements HotSet.Member {
    private final KeySelector selector;
    private final SelectableChannel channel;
    volatile int interestOps;
    volatile int readyOps;

    /** Tells the selector to look at this key again; set by any thread, cleared by the selecting thread. */
    volatile boolean changed;

    /** It is among the keys whose source has changed; set by any thread, cleared by the selecting thread. */
    volatile boolean sourceChanged;

    /** How this key's readiness is found out; null: not known yet, or no more. Set by the selecting thread. */
    volatile @Nullable KeySource source;

    // Selecting thread.

    /** Whether it takes part in selections: from the first one that begins after its registration. */
    boolean known;

    /** The interest at the beginning of the selection. */
    int selectedFor;

    private int hotPlace = NOWHERE;

    /** The cell of the selector's sign, or −1: the sign is not shown to the peer. */
    int cell = -1;

    /** The peer is to set the cell for each completion: the key need not be polled. */
    boolean peerSetsCell;

    /** Its source {@linkplain KeySource#wakesOnWord wakes} a selection that sleeps on the sign's word. */
    boolean wakesOnWord;

    /** Position in the set of selected keys, or −1. */
    int selectedIndex = -1;

    /** The latest selection that has found it ready, or ready for more. */
    long updatedIn;

    /** What the present selection has found ready for its action, which has not run yet. */
    int toTell;

    /** Consecutive polls without news; a sleep counts as several. */
    int idleLooks;

    ExsKey(KeySelector selector, SelectableChannel channel, int interestOps) {
        this.selector = selector;
        this.channel = channel;
        this.interestOps = interestOps;
    }

    @Override
    public SelectableChannel channel() {
        return channel;
    }

    @Override
    public KeySelector selector() {
        return selector;
    }

    @Override
    public int interestOps() {
        ensureValid();
        return interestOps;
    }

    @Override
    public SelectionKey interestOps(int ops) {
        ensureValid();
        if ((ops & ~channel.validOps()) != 0) {
            throw new IllegalArgumentException();
        }
        synchronized (this) {
            if (interestOps != ops) {
                interestOps = ops;
                selector.onChanged(this);
            }
        }
        return this;
    }

    @Override
    public int readyOps() {
        ensureValid();
        return readyOps;
    }

    private void ensureValid() {
        if (!isValid()) {
            throw new CancelledKeyException();
        }
    }

    /** A selection begins: it uses the program's present interest. */
    void takeIn() {
        known = true;
        selectedFor = interestOps;
    }

    /**
     * {@return what the present selection looks for} The interest may have changed since: operations are reported only
     * if they are in both.
     */
    public int selectedFor() {
        return selectedFor;
    }

    /** {@return the source, which is there} Selecting thread. */
    @SuppressWarnings("NullAway") // A key that the selector polls, watches or updates has one.
    KeySource attached() {
        return source;
    }

    @Override
    public int place() {
        return hotPlace;
    }

    @Override
    public void place(int place) {
        hotPlace = place;
    }

    @Override
    public boolean hasNews() {
        return attached().hasNews();
    }

    @Override
    public String toString() {
        String state = isValid() ? "interestOps=" + interestOps + ", readyOps=" + readyOps : "invalid";
        return "channel=" + channel + ", selector=" + selector + ", " + state;
    }
}
