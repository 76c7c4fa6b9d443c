package org.exsockets.verbs.soft;

import java.io.IOException;
import org.exsockets.verbs.ConnectFailure;
import org.exsockets.verbs.ConnectFailure.Kind;

/**
 * Both ends check who the other one is, for which the kernel vouches (SO_PEERCRED, unix(7)): the client each listener, the listener
 * who passes it a segment. A client that comes back with a segment that is mapped proves that it is the same one by a number in it ({@link
 * SegmentDescriptor#PROOF_OFFSET}).
 */
final class Credentials {
    private Credentials() {}

    /**
     * {@return the process id of the other end; 0 if this process cannot see that one}
     *
     * @throws ConnectFailure if the peer is of another user
     */
    static int check(LocalSocket connected, int expectedUser) throws IOException {
        long peer = connected.peer();
        int user = (int) (peer >>> Integer.SIZE);
        if (user != expectedUser) {
            throw new ConnectFailure(
                    Kind.OTHER_USER,
                    "hand-shake: another user: peer=" + Integer.toUnsignedString(user) + ", own="
                            + Integer.toUnsignedString(expectedUser),
                    null);
        }
        return (int) peer;
    }
}
