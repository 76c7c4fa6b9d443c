package org.exsockets.verbs.soft.meet;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.exsockets.verbs.ConnectFailure;
import org.exsockets.verbs.ConnectFailure.Kind;
import org.exsockets.verbs.soft.host.NativeMemory;

/**
 * Checks the user of the port that TCP would reach. Any process may take a listener's name, but must not pass for the
 * listener at the port. The kernel is asked one question (sock_diag(7)), which takes some 10 µs; the answer is
 * remembered with the listener.
 *
 * <p>Processes of the own user are believed even if the port has no listener, or the kernel does not answer.
 */
final class PortOwner {
    private PortOwner() {}

    /**
     * Checks a listener of {@code user}, who may be a peer, that this process has reached. Of users without a number
     * nobody knows whether they are the same ({@link Users}): who allows them allows that, too.
     *
     * @throws ConnectFailure if the port is not that user's
     */
    static void check(InetSocketAddress remote, int user, Users users) throws ConnectFailure {
        InetAddress host = remote.getAddress();
        int scope = host instanceof Inet6Address six ? six.getScopeId() : 0;
        long owner = find(host.getAddress(), scope, remote.getPort());
        if (owner < 0 ? !users.isOwn(user) : (int) owner != user) {
            throw new ConnectFailure(
                    Kind.OTHER_USER,
                    "connect: the port is not of the user who listens there with EXS: remote=" + remote + ", listener="
                            + Integer.toUnsignedString(user) + ", port="
                            + (owner < 0 ? NativeMemory.message((int) -owner) : Long.toString(owner)));
        }
    }

    /**
     * {@return the user whose TCP socket listens there, unsigned, or −errno} The address in network order; scope of a
     * link-local one, else 0.
     */
    static native long find(byte[] address, int scope, int port);
}
