package org.exsockets.nio.select;

import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a selection has found: the keys that are ready, for the set of selected keys or for the program's action, and
 * their number. A key counts once in a selection, however often it was found.
 *
 * <p>Belongs to the thread that holds the selector's monitor and that of the selected keys.
 */
final class ReadyKeys {
    private final Selector selector;
    private final SelectedKeys selected;

    /** That the program has given for this selection; null: ready keys are added to the selected ones. */
    @Nullable
    Consumer<SelectionKey> action;

    /** Keys for the action, which runs at the end: by then all ready operations of each key are known. */
    private final ArrayList<ExsKey> toTell = new ArrayList<>();

    /** Keys of closed channels that end the selection. */
    final ArrayList<ExsKey> endedBy = new ArrayList<>();

    private int updated;

    /** Counts selections, from 1 on. */
    private long selection = 1;

    /** Something was found that ends the selection. */
    boolean any;

    ReadyKeys(Selector selector, SelectedKeys selected) {
        this.selector = selector;
        this.selected = selected;
    }

    /** The selection is over, in whatever way: forgets what it has found. */
    void end() {
        for (int i = 0; i < toTell.size(); i++) {
            toTell.get(i).toTell = 0;
        }
        toTell.clear();
        endedBy.clear();
        action = null;
        updated = 0;
        selection++;
        any = false;
    }

    /**
     * Removes, at the end of the selection, a key whose channel another thread has closed or is closing. The key is
     * cancelled here, or that thread has cancelled it but not told the selector yet.
     */
    void lose(ExsKey key) {
        key.cancel();
        endedBy.add(key);
    }

    /**
     * Adds a key that was found ready.
     *
     * @param found what is ready of what is selected for, ≠ 0; it ends the selection even if the program's interest has
     *     changed, the key was cancelled or the channel closed meanwhile: the JDK's selection, which still has the
     *     descriptor, ends, too
     */
    void add(ExsKey key, int found) {
        any = true;
        if (!key.channel().isOpen()) {
            lose(key);
            return;
        }
        int ready = found & key.selectedFor & key.interestOps;
        if (ready == 0 || !key.isValid()) {
            return;
        }
        if (action != null) {
            if (key.toTell == 0) {
                toTell.add(key);
            }
            key.toTell = added(key, key.toTell, ready);
        } else if (key.selectedIndex >= 0) {
            int before = key.readyOps;
            int now = added(key, before, ready);
            if (now != before) {
                key.readyOps = now;
            }
            if ((ready & ~before) != 0) {
                countOnce(key);
            }
        } else {
            key.readyOps = ready;
            selected.addSelected(key);
            countOnce(key);
        }
    }

    private static int added(ExsKey key, int before, int ready) {
        return (before & ~ready) != 0 && key.attached().replacesReady() ? ready : before | ready;
    }

    /** Counts a key once in a selection, which may poll it twice. */
    private void countOnce(ExsKey key) {
        if (key.updatedIn != selection) {
            key.updatedIn = selection;
            updated++;
        }
    }

    /**
     * Runs the action for each key that is ready for something of its interest. As in the JDK, this includes keys that
     * an earlier action has cancelled, but not keys cancelled before, nor what it has closed or connected.
     *
     * @return the number of keys that the selection has found, or told the action of
     */
    @SuppressWarnings("NullAway") // There are keys to tell of only if there is an action.
    int tell() {
        for (int i = 0; i < toTell.size(); i++) {
            ExsKey key = toTell.get(i);
            if (!key.isValid()) {
                key.toTell = 0;
            }
        }
        for (int i = 0; i < toTell.size(); i++) {
            ExsKey key = toTell.get(i);
            int ready = stillReady(key);
            if (ready != 0) {
                updated++;
                key.readyOps = ready;
                action.accept(key);
                if (!selector.isOpen()) {
                    throw new ClosedSelectorException();
                }
            }
        }
        return updated;
    }

    private static int stillReady(ExsKey key) {
        int ready = key.toTell & key.interestOps;
        if (!(key.channel() instanceof SocketChannel channel)) {
            return ready;
        }
        if (!channel.isOpen()) {
            return 0;
        }
        boolean connected = (ready & SelectionKey.OP_CONNECT) != 0
                && !channel.isConnectionPending()
                && !key.attached().replacesReady();
        return connected ? ready & ~SelectionKey.OP_CONNECT : ready;
    }
}
