package org.exsockets.stream.direct;

import java.util.Arrays;
import org.exsockets.stream.direct.Receive.State;
import org.jspecify.annotations.Nullable;

/** The receives that are pending, and the places that others have left, in their order. Belongs to the poller. */
final class ReceiveList {
    private static final int FIRST_CAPACITY = 4;
    private static final Receive[] NONE = {};

    /** The first {@link #size} count. */
    private Receive[] receives = NONE;

    private int size;

    int size() {
        return size;
    }

    Receive get(int index) {
        return receives[index];
    }

    void set(int index, Receive receive) {
        receives[index] = receive;
    }

    void insert(int index, Receive receive) {
        if (size == receives.length) {
            receives = Arrays.copyOf(receives, Math.max(FIRST_CAPACITY, 2 * size));
        }
        System.arraycopy(receives, index, receives, index + 1, size - index);
        receives[index] = receive;
        size++;
    }

    @SuppressWarnings("NullAway") // Behind the last one nobody looks.
    void remove(int index) {
        size--;
        System.arraycopy(receives, index + 1, receives, index, size - index);
        receives[size] = null;
    }

    /** {@return where the receive is; -1 if it is not} */
    int indexOf(Receive receive) {
        for (int i = 0; i < size; i++) {
            if (receives[i] == receive) {
                return i;
            }
        }
        return -1;
    }

    /** {@return the receive whose live ADVERT has the same {@code bits} of its id; -1 if none} */
    int indexOfLive(int id, int bits) {
        for (int i = 0; i < size; i++) {
            if (receives[i].isAdvertised() && ((receives[i].id ^ id) & bits) == 0) {
                return i;
            }
        }
        return -1;
    }

    /** {@return the first receive, if the peer may write to it; otherwise null} */
    @Nullable
    Receive firstAdvertised() {
        return size > 0 && receives[0].isAdvertised() ? receives[0] : null;
    }

    /**
     * {@return the first receive of the program, if bytes may be copied to it; otherwise null} A {@link Place} takes no
     * buffered bytes; its own bytes are in {@link PendingReceives#spill}.
     */
    @Nullable
    Receive firstWaiting() {
        for (int i = 0; i < size; i++) {
            Receive receive = receives[i];
            if (!receive.isPlace()) {
                return receive.state() == State.WAITING && !receive.filling ? receive : null;
            }
        }
        return null;
    }
}
