package org.exsockets.verbs.soft.meet;

import org.exsockets.verbs.soft.host.LocalSocket;
import org.exsockets.verbs.soft.layout.SegmentDescriptor;

/**
 * The process at the other end of a socket, as the kernel knows it (SO_PEERCRED, unix(7)). Both ends look at it before
 * anything else: the client at each listener, the listener at each client. A client that names a segment already mapped
 * proves besides, by a number in it ({@link SegmentDescriptor#PROOF_OFFSET}), that it is the one that shares it.
 *
 * @param user its effective user, unsigned, as this process sees it; the overflow user if the user namespace has no
 *     number for it
 * @param processId 0 if this process cannot see it
 */
record Credentials(int user, int processId) {
    /** @param peer as of {@link LocalSocket#accept} and {@link LocalSocket#connect} */
    static Credentials of(long peer) {
        return new Credentials((int) (peer >>> Integer.SIZE), (int) peer);
    }
}
