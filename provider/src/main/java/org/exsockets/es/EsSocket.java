package org.exsockets.es;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import org.exsockets.api.Event;
import org.exsockets.api.EventQueue;
import org.exsockets.api.ExsSocket;
import org.exsockets.api.ExsUnavailableException;
import org.exsockets.api.SocketType;
import org.exsockets.es.queue.Attachment;
import org.exsockets.es.queue.Operation;
import org.exsockets.es.queue.Operations;
import org.exsockets.es.queue.PolledEventQueue;
import org.exsockets.es.queue.Polling;
import org.exsockets.jdk.JdkChannels;
import org.exsockets.jdk.Wildcards;
import org.exsockets.observe.Log;
import org.exsockets.rendezvous.LocalBinding;
import org.exsockets.rendezvous.Protocol;
import org.exsockets.rendezvous.Rendezvous;
import org.exsockets.verbs.ConnectFailure;
import org.exsockets.verbs.Endpoint;
import org.exsockets.waiting.ProgressThread;
import org.jspecify.annotations.Nullable;

/**
 * What sockets of both types have in common: one connects or was accepted, then has an established connection with
 * receives and sends under way, until the connection is lost or the socket is closed.
 *
 * <p>It connects over EXS, or over TCP if that is allowed and EXS is unavailable. A TCP socket that holds the port
 * stays open, over EXS, too. A connect that takes time runs without the lock in a thread of its own.
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

    private final LocalBinding binding = new Binding();

    /** The holder of the port; null until first needed, and when a connection over TCP owns it. */
    @GuardedBy("lock")
    private @Nullable SocketChannel tcp;

    /** The connect under way. */
    @GuardedBy("lock")
    private @Nullable Operation pending;

    /** Whether there has been a connect. */
    @GuardedBy("lock")
    private boolean started;

    @GuardedBy("lock")
    final ArrayDeque<Operation> receives = new ArrayDeque<>();

    @GuardedBy("lock")
    final ArrayDeque<Operation> sends = new ArrayDeque<>();

    /** Null until connected. Written under the lock, or by a constructor; any thread reads it. */
    volatile @Nullable C established;

    /** Why the connection is lost; null until then. */
    @GuardedBy("lock")
    @Nullable
    IOException broken;

    /** Takes over what was connected: the one that is not null. */
    @GuardedBy("lock")
    abstract C connected(@Nullable Endpoint endpoint, @Nullable SocketChannel channel) throws IOException;

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

    @Override
    public final ExsSocket bind(InetSocketAddress local) throws IOException {
        lock.lock();
        try {
            ensureOpen();
            ensureNotStarted();
            open().bind(local);
            return this;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private SocketChannel open() throws IOException {
        if (tcp == null) {
            tcp = JdkChannels.openSocketChannel(null);
        }
        return tcp;
    }

    @GuardedBy("lock")
    private void ensureNotStarted() {
        if (pending != null) {
            throw new ConnectionPendingException();
        }
        if (started || established != null) {
            throw new AlreadyConnectedException();
        }
    }

    // Connecting.

    @Override
    public final long connect(InetSocketAddress remote, int flags, EventQueue queue, @Nullable Object context)
            throws IOException {
        Operations.checkFlags(flags, EXS_ONLY);
        lock.lock();
        try {
            ensureOpen();
            if (remote.isUnresolved()) {
                throw new IllegalArgumentException("connect: not resolved: " + remote);
            }
            ensureNotStarted();
            attach(Operations.queue(queue));
            pending = operations.begin(Event.Type.CONNECT, queue, context);
            long id = pending.id;
            started = true;
            InetSocketAddress to = Wildcards.ofChannel(remote);
            if (!Rendezvous.get().takesTime(to, null)) {
                attempt(to, flags);
            } else {
                Rendezvous.get().inTurn(to, () -> attempt(to, flags), () -> refuse(to));
            }
            return id;
        } finally {
            lock.unlock();
        }
    }

    private void refuse(InetSocketAddress to) {
        lock.lock();
        try {
            failConnect(new ConnectException(
                    "connect: too many connects under way, or those before it had no answer: remote=" + to));
        } finally {
            lock.unlock();
        }
    }

    /** In a thread of its own, or under the lock. */
    private void attempt(InetSocketAddress to, int flags) {
        boolean packets = type() == SocketType.SEQPACKET;
        Endpoint endpoint = null;
        IOException failure = null;
        try {
            endpoint = packets || flags == EXS_ONLY
                    ? Rendezvous.get().connect(packets ? Protocol.PACKETS : Protocol.STREAM, to, binding)
                    : Rendezvous.get().tryConnectStream(to, binding);
        } catch (ConnectFailure e) {
            failure = new ExsUnavailableException(e.getMessage(), e);
        } catch (RuntimeException | Error e) {
            Log.warn("connect to " + to + ": " + e, e);
            failure = new IOException("connect: " + e, e);
        }
        lock.lock();
        try {
            if (pending == null) {
                if (endpoint != null) {
                    endpoint.discard();
                }
            } else if (failure != null) {
                failConnect(failure);
            } else if (endpoint != null) {
                succeed(endpoint, null);
            } else {
                connectTcp(to);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The local address of a connection over EXS. */
    private final class Binding implements LocalBinding {
        @Override
        public @Nullable InetSocketAddress bound() throws IOException {
            lock.lock();
            try {
                return tcp == null ? null : (InetSocketAddress) tcp.getLocalAddress();
            } finally {
                lock.unlock();
            }
        }

        @Override
        @SuppressWarnings("NullAway") // Bound by then.
        public InetSocketAddress bind() throws IOException {
            lock.lock();
            try {
                if (pending == null) {
                    throw new ClosedChannelException();
                }
                if (bound() == null) {
                    open().bind(null);
                }
                return bound();
            } finally {
                lock.unlock();
            }
        }
    }

    @GuardedBy("lock")
    private void connectTcp(InetSocketAddress to) {
        try {
            SocketChannel channel = open();
            channel.configureBlocking(false);
            if (channel.connect(to)) {
                tcpConnected(channel);
            } else {
                heatCold();
            }
        } catch (IOException | RuntimeException e) {
            failConnect(e instanceof IOException io ? io : new IOException("connect: " + e, e));
        }
    }

    /** Continues a connect over TCP. */
    @GuardedBy("lock")
    final void continueConnect() {
        SocketChannel channel = tcp;
        if (channel != null && channel.isConnectionPending()) {
            try {
                if (channel.finishConnect()) {
                    tcpConnected(channel);
                }
            } catch (IOException e) {
                failConnect(e);
            }
        }
    }

    @GuardedBy("lock")
    private void tcpConnected(SocketChannel channel) throws IOException {
        Rendezvous.get().connectedTcp(channel.getRemoteAddress());
        if (succeed(null, channel)) {
            tcp = null; // The connection owns it now.
        }
    }

    /** {@return whether the one that is not null was taken; if not, the operation has failed} */
    @GuardedBy("lock")
    private boolean succeed(@Nullable Endpoint endpoint, @Nullable SocketChannel channel) {
        try {
            established = connected(endpoint, channel);
        } catch (IOException | RuntimeException e) {
            failConnect(e instanceof IOException io ? io : new IOException("connect: " + e, e));
            return false;
        }
        endConnect(Event.Status.DONE, null);
        // The queues must wait for another channel now.
        attachments.forEach(Attachment::run);
        return true;
    }

    @GuardedBy("lock")
    private void failConnect(IOException cause) {
        endConnect(Event.Status.FAILED, cause);
    }

    @GuardedBy("lock")
    private void endConnect(Event.Status status, @Nullable IOException failure) {
        Operation ended = pending;
        pending = null;
        if (ended != null) {
            operations.complete(ended, status, failure);
        }
    }

    /** The channel of a connect over TCP, as {@link #channels}. */
    @GuardedBy("lock")
    final void connectChannel(Channels visitor) {
        if (tcp != null && tcp.isConnectionPending()) {
            visitor.accept(tcp, SelectionKey.OP_CONNECT);
        }
    }

    /** A connect of this queue ends without an event. */
    @GuardedBy("lock")
    final void abandonConnect(PolledEventQueue queue) {
        if (pending != null && pending.queue == queue) {
            operations.drop(pending);
            pending = null;
        }
    }

    /** Ends a connect, and closes the holder of the port. */
    @GuardedBy("lock")
    final void closeConnect() {
        endConnect(Event.Status.CLOSED, null);
        if (tcp != null) {
            try {
                tcp.close();
            } catch (IOException e) {
                Log.debug("close of a TCP socket: " + e);
            }
            ProgressThread.flushClosed(tcp);
        }
    }

    // What is known of it.

    @Override
    public final @Nullable InetSocketAddress localAddress() {
        C now = established;
        try {
            return now != null ? now.localAddress() : binding.bound();
        } catch (IOException closed) {
            return null;
        }
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
