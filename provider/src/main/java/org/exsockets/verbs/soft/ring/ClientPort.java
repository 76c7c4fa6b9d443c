package org.exsockets.verbs.soft.ring;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import org.exsockets.jdk.JdkChannels;
import org.exsockets.memory.Words;
import org.exsockets.observe.Log;
import org.exsockets.verbs.soft.layout.SegmentDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * The address of a connecting end that its program has not bound. It gets a TCP port when first asked for: a connection
 * over shared memory needs none.
 *
 * <p>Both ends report the port in the segment's word "port". The first of these events sets it:
 *
 * <pre>
 *   the connecting end is asked       one from the kernel
 *   the accepting end is asked        one of {@link ClientPorts}, which no other connection of the process has until
 *                                     this end lets go; one from the kernel if there is none left
 *   an end lets go before that        one of {@link ClientPorts} that no end keeps
 * </pre>
 *
 * <p>So a server sees a client's address on one open connection only, as over TCP, and never sees its own. If the
 * connecting end is asked first, it keeps the port from other programs, too, by a bound TCP socket, until it lets go. A
 * number that the accepting end has chosen is not bound: it may be the port of a service that is about to start.
 *
 * <p>Any thread; a reported port never changes. The two ends agree by compare-and-set on the word, the threads of one
 * end by the monitor. The last use of the segment here is under the monitor.
 */
final class ClientPort {
    private static final int MAX = 0xffff;

    private final Words words;
    private final boolean isA;
    private final InetAddress host;
    private final int serverPort;

    /** Null until asked for. Written under the monitor. */
    private volatile @Nullable InetSocketAddress address;

    /** The port once this end has let go; 0 before. */
    @GuardedBy("this")
    private int last;

    /** Keeps the port from others: a socket, or {@link #held}, a number; null and 0 if this end does not. */
    @GuardedBy("this")
    private @Nullable SocketChannel holder;

    @GuardedBy("this")
    private int held;

    /** @param host of the connecting end, as both ends show it */
    ClientPort(Words words, boolean isA, InetAddress host, int serverPort) {
        this.words = words;
        this.isA = isA;
        this.host = host;
        this.serverPort = serverPort;
    }

    InetSocketAddress address() {
        InetSocketAddress known = address;
        return known != null ? known : find();
    }

    private synchronized InetSocketAddress find() {
        if (address == null) {
            address = new InetSocketAddress(host, last != 0 ? last : agreed());
        }
        return address;
    }

    @GuardedBy("this")
    private int agreed() {
        int port = word();
        if (port == 0 && !isA) {
            port = keepNumber();
        }
        if (port == 0) {
            port = keepSocket();
        }
        return port != 0 ? port : agree(ClientPorts.INSTANCE.any(isA, serverPort));
    }

    /** {@return the port that both ends report from now on; 0 if there is no number left} */
    @GuardedBy("this")
    private int keepNumber() {
        int number = ClientPorts.INSTANCE.take(serverPort);
        if (number == 0) {
            return 0;
        }
        int port = agree(number);
        if (port == number) {
            held = number;
        } else {
            ClientPorts.INSTANCE.giveBack(number);
        }
        return port;
    }

    /** {@return the port that both ends report from now on; 0 if there is none yet and no socket can be bound} */
    @GuardedBy("this")
    private int keepSocket() {
        SocketChannel bound = null;
        try {
            bound = JdkChannels.openSocketChannel(null);
            bound.bind(new InetSocketAddress(0));
            int own = bound.socket().getLocalPort();
            int agreed = agree(own);
            if (agreed == own) {
                holder = bound;
                bound = null;
            }
            return agreed;
        } catch (IOException e) {
            Log.debug("connection over soft: no port can be bound: " + e.getMessage());
            return 0;
        } finally {
            close(bound);
        }
    }

    /** This end is about to let go of the segment. */
    synchronized void end() {
        if (last != 0) {
            return;
        }
        last = address != null ? address.getPort() : word();
        if (last == 0) {
            last = agree(ClientPorts.INSTANCE.any(isA, serverPort));
        }
        ClientPorts.INSTANCE.giveBack(held);
        close(holder);
        held = 0;
        holder = null;
    }

    /** {@return {@code proposal}, or the port agreed on before} */
    private int agree(int proposal) {
        int before = words.intCompareAndExchange(SegmentDescriptor.PORT_OFFSET, 0, proposal) & MAX;
        return before == 0 ? proposal : before;
    }

    /** {@return the port; 0: none yet} */
    private int word() {
        return words.intAcquire(SegmentDescriptor.PORT_OFFSET) & MAX;
    }

    private static void close(@Nullable SocketChannel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            Log.debug("connection over soft: close of a port's holder failed: " + e.getMessage());
        }
    }
}
