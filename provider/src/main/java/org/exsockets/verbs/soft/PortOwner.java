package org.exsockets.verbs.soft;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.exsockets.verbs.ConnectFailure;
import org.exsockets.verbs.ConnectFailure.Kind;

/**
 * Whose port it is that TCP would reach: anybody may take a listener's name, and must not be taken for the one who listens at the port. The
 * kernel is asked one question (sock_diag(7)), which takes some 10 µs; what is found out is remembered with the listener.
 *
 * <p>The own user's processes are believed also where nobody has the port, or the kernel does not say.
 */
final class PortOwner {
    private PortOwner() {}

    /**
     * Checks a listener that has been reached.
     *
     * @param user of the listener
     * @param own of this process
     * @throws ConnectFailure if the port is not that user's
     */
    static void check(InetSocketAddress remote, int user, int own) throws ConnectFailure {
        InetAddress host = remote.getAddress();
        int scope = host instanceof Inet6Address six ? six.getScopeId() : 0;
        long owner = find(host.getAddress(), scope, remote.getPort());
        if (owner < 0 ? user != own : (int) owner != user) {
            throw new ConnectFailure(
                    Kind.OTHER_USER,
                    "connect: the port is not of the user who listens there with EXS: remote=" + remote + ", listener="
                            + Integer.toUnsignedString(user) + ", port="
                            + (owner < 0 ? NativeMemory.message((int) -owner) : Long.toString(owner)),
                    null);
        }
    }

    /**
     * {@return the user whose TCP socket listens there, unsigned, or −errno}
     *
     * @param address 4 or 16 bytes, network order
     * @param scope of a link-local address; 0: none
     */
    static native long find(byte[] address, int scope, int port);
}
