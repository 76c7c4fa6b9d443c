package org.exsockets.stream.direct;

import java.util.ArrayList;
import org.exsockets.stream.direct.Receive.State;
import org.jspecify.annotations.Nullable;

/** The receives that are pending, and the places that others have left, in their order. Belongs to the poller. */
@SuppressWarnings("serial") // Never serialised.
final class ReceiveList extends ArrayList<Receive> {
    /** {@return the receive whose live ADVERT has the same {@code bits} of its id; -1 if none} */
    int indexOfLive(int id, int bits) {
        for (int i = 0; i < size(); i++) {
            if (get(i).isAdvertised() && ((get(i).id ^ id) & bits) == 0) {
                return i;
            }
        }
        return -1;
    }

    /** {@return the first receive, if the peer may write to it; otherwise null} */
    @Nullable
    Receive firstAdvertised() {
        return size() > 0 && get(0).isAdvertised() ? get(0) : null;
    }

    /**
     * {@return the first receive of the program, if bytes may be copied to it; otherwise null} A {@link Place} takes no
     * buffered bytes; its own bytes are in {@link PendingReceives#spill}.
     */
    @Nullable
    Receive firstWaiting() {
        for (int i = 0; i < size(); i++) {
            Receive receive = get(i);
            if (!receive.isPlace()) {
                return receive.state() == State.WAITING && !receive.filling ? receive : null;
            }
        }
        return null;
    }
}
