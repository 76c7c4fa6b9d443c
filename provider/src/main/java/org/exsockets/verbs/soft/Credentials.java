package org.exsockets.verbs.soft;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.attribute.UserPrincipal;
import jdk.net.ExtendedSocketOptions;
import org.exsockets.verbs.ConnectFailure;
import org.exsockets.verbs.ConnectFailure.Kind;

/**
 * Both ends check the credentials the kernel vouches for, not only the directory's mode: the client those of each
 * listener, the listener those of each segment's creator, both once. A client that comes back with a segment the
 * listener has mapped proves with it that it is of the same user ({@link SegmentDescriptor#PROOF_OFFSET}).
 */
final class Credentials {
    private Credentials() {}

    /** @throws ConnectFailure if the peer is of another user */
    static void check(SocketChannel channel, UserPrincipal expected) throws IOException {
        UserPrincipal peer =
                channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
        if (!peer.equals(expected)) {
            throw new ConnectFailure(
                    Kind.OTHER_USER, "hand-shake: another user: peer=" + peer + ", own=" + expected, null);
        }
    }
}
