package org.exsockets.verbs.soft;

import java.io.IOException;
import org.exsockets.verbs.ConnectFailure;
import org.exsockets.verbs.ConnectFailure.Kind;

/**
 * Who the other end of a socket is, for which the kernel vouches (SO_PEERCRED, unix(7)). Both ends look: the client at each listener, the listener
 * at whoever passes it a segment. A client that comes back with a segment that is mapped proves that it is the same one by a number in it ({@link
 * SegmentDescriptor#PROOF_OFFSET}).
 *
 * @param user its effective user, unsigned, as this process sees it: one that its user namespace has no number for is the overflow user
 * @param processId 0 for one that this process cannot see
 */
record Credentials(int user, int processId) {
    /**
     * {@return the other end's}
     *
     * @throws ConnectFailure if it is of a user whose processes may not be peers
     */
    static Credentials check(LocalSocket connected, OwnEnds ends) throws IOException {
        long peer = connected.peer();
        Credentials credentials = new Credentials((int) (peer >>> Integer.SIZE), (int) peer);
        if (!ends.allows(credentials.user)) {
            throw new ConnectFailure(
                    Kind.OTHER_USER,
                    "hand-shake: another user, whom exs.peers does not allow: peer="
                            + Integer.toUnsignedString(credentials.user) + ", own="
                            + Integer.toUnsignedString(ends.user()),
                    null);
        }
        return credentials;
    }
}
