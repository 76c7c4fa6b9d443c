package org.exsockets.verbs.soft.meet;

import java.io.IOException;
import org.exsockets.verbs.ConnectFailure;
import org.exsockets.verbs.ConnectFailure.Kind;
import org.exsockets.verbs.soft.host.LocalSocket;
import org.exsockets.verbs.soft.layout.SegmentDescriptor;

/**
 * The process at the other end of a socket, as the kernel knows it (SO_PEERCRED, unix(7)). Both ends check: the client
 * each listener, the listener each client that passes a segment. A client that names a segment already mapped proves
 * that it is the same one by a number in it ({@link SegmentDescriptor#PROOF_OFFSET}).
 *
 * @param user its effective user, unsigned, as this process sees it; the overflow user if the user namespace has no
 *     number for it
 * @param processId 0 if this process cannot see it
 */
record Credentials(int user, int processId) {
    /** {@return those of the other end} Throws a {@link ConnectFailure} if processes of its user may not be peers. */
    static Credentials check(LocalSocket connected, OwnEnds ends) throws IOException {
        long peer = connected.peer();
        Credentials credentials = new Credentials((int) (peer >>> Integer.SIZE), (int) peer);
        if (!ends.allows(credentials.user)) {
            throw new ConnectFailure(
                    Kind.OTHER_USER,
                    "hand-shake: another user, whom exs.peers does not allow: peer="
                            + Integer.toUnsignedString(credentials.user) + ", own="
                            + Integer.toUnsignedString(ends.user),
                    null);
        }
        return credentials;
    }
}
