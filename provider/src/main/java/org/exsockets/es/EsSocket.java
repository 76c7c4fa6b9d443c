package org.exsockets.es;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import org.exsockets.api.EventQueue;
import org.exsockets.api.ExsSocket;
import org.exsockets.es.queue.Operation;
import org.exsockets.es.queue.Operations;
import org.exsockets.es.queue.Polling;
import org.exsockets.verbs.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * What sockets of both types have in common: one connects or was accepted, then has an established connection with
 * receives and sends under way, until the connection is lost or the socket is closed.
 *
 * @param <C> the established connection
 */
abstract class EsSocket<C extends EsSocket.Established> extends EsSource implements ExsSocket {
    /** An established connection; addresses and transport stay valid after the close. */
    interface Established extends Polling {
        InetSocketAddress localAddress();

        InetSocketAddress remoteAddress();

        String transport();
    }

    private static final Polling NOTHING = new Polling() {};

    /** Null for a socket that was accepted. */
    final @Nullable Connector connector;

    @GuardedBy("lock")
    final ArrayDeque<Operation> receives = new ArrayDeque<>();

    @GuardedBy("lock")
    final ArrayDeque<Operation> sends = new ArrayDeque<>();

    /** Null until connected. Written under the lock. */
    private volatile @Nullable C established;

    /** Why the connection is lost; null until then. */
    @GuardedBy("lock")
    @Nullable
    IOException broken;

    /** To connect. */
    EsSocket(boolean packets) {
        this.connector = new Connector(this, packets);
    }

    /** Accepted; {@link #establish} follows. */
    EsSocket() {
        this.connector = null;
    }

    /** In a constructor. */
    final void establish(C accepted) {
        established = accepted;
    }

    /** Takes over what the connector has established, over EXS or TCP. */
    @GuardedBy("lock")
    final void onConnected(@Nullable Endpoint endpoint, @Nullable SocketChannel tcp) throws IOException {
        established = connected(endpoint, tcp);
    }

    @GuardedBy("lock")
    abstract C connected(@Nullable Endpoint endpoint, @Nullable SocketChannel tcp) throws IOException;

    /** {@return the connection, or null; any thread} */
    final @Nullable C established() {
        return established;
    }

    /** {@return the connection, of which the caller knows that it is there} */
    @SuppressWarnings("NullAway") // Once there is a connection, it stays.
    final C connection() {
        return established;
    }

    /** {@return the connection, never null} */
    @GuardedBy("lock")
    final C ensureConnected() throws IOException {
        ensureOpen();
        C now = established;
        if (now == null) {
            throw new NotYetConnectedException();
        }
        return now;
    }

    /** {@return whether a connect may end over TCP if {@code flags} do not forbid it} */
    abstract boolean fallsBack();

    @Override
    public final ExsSocket bind(InetSocketAddress local) throws IOException {
        lock.lock();
        try {
            ensureOpen();
            Connector.require(connector).bind(local);
            return this;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public final long connect(InetSocketAddress remote, int flags, EventQueue queue, @Nullable Object context)
            throws IOException {
        Operations.checkFlags(flags, EXS_ONLY);
        lock.lock();
        try {
            ensureOpen();
            return Connector.require(connector).start(remote, flags == EXS_ONLY || !fallsBack(), queue, context);
        } finally {
            lock.unlock();
        }
    }

    @Override
    @SuppressWarnings("NullAway") // A socket without a connector was accepted, and is connected.
    public final @Nullable InetSocketAddress localAddress() {
        C now = established;
        return now != null ? now.localAddress() : connector.localAddress();
    }

    @Override
    public final @Nullable InetSocketAddress remoteAddress() {
        C now = established;
        return now == null ? null : now.remoteAddress();
    }

    @Override
    public final @Nullable String transport() {
        C now = established;
        return now == null ? null : now.transport();
    }

    // For queues.

    @Override
    public final Polling polling() {
        C now = established;
        return now == null || isClosed() ? NOTHING : now;
    }

    @Override
    public final String toString() {
        C now = established;
        return "ExsSocket[" + type() + ", "
                + (isClosed()
                        ? "closed"
                        : now == null
                                ? "not connected"
                                : now.localAddress() + " to " + now.remoteAddress() + " over " + now.transport())
                + "]";
    }
}
