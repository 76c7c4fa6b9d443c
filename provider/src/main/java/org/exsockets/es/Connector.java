package org.exsockets.es;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.exsockets.api.Event;
import org.exsockets.api.EventQueue;
import org.exsockets.api.ExsUnavailableException;
import org.exsockets.es.queue.Attachment;
import org.exsockets.es.queue.Operation;
import org.exsockets.es.queue.Operations;
import org.exsockets.es.queue.Pollable;
import org.exsockets.es.queue.PolledEventQueue;
import org.exsockets.jdk.JdkChannels;
import org.exsockets.jdk.Wildcards;
import org.exsockets.observe.Log;
import org.exsockets.rendezvous.LocalBinding;
import org.exsockets.rendezvous.Protocol;
import org.exsockets.rendezvous.Rendezvous;
import org.exsockets.verbs.ConnectFailure;
import org.exsockets.verbs.Endpoint;
import org.exsockets.waiting.ConnectThreads;
import org.exsockets.waiting.ProgressThread;
import org.jspecify.annotations.Nullable;

/**
 * Connects a socket over EXS, or over TCP if that is allowed and EXS is unavailable. A TCP socket that holds the port
 * stays open, over EXS, too. Used under the socket's lock; a connect that takes time runs without it in a thread of its
 * own.
 */
final class Connector {
    private final EsSocket<?> socket;
    private final Protocol protocol;
    private final LocalBinding binding = new Binding();

    /** The holder of the port; null until first needed, and when a connection over TCP owns it. */
    @GuardedBy("socket.lock")
    private @Nullable SocketChannel tcp;

    @GuardedBy("socket.lock")
    private @Nullable Operation pending;

    @GuardedBy("socket.lock")
    private boolean started;

    Connector(EsSocket<?> socket, boolean packets) {
        this.socket = socket;
        this.protocol = packets ? Protocol.PACKETS : Protocol.STREAM;
    }

    /** {@return the connector} @throws AlreadyConnectedException if the socket was accepted and has none */
    static Connector require(@Nullable Connector connector) {
        if (connector == null) {
            throw new AlreadyConnectedException();
        }
        return connector;
    }

    @SuppressWarnings("GuardedBy") // For the socket, under its lock.
    void bind(InetSocketAddress local) throws IOException {
        ensureNotStarted();
        open().bind(local);
    }

    @GuardedBy("socket.lock")
    private SocketChannel open() throws IOException {
        if (tcp == null) {
            tcp = JdkChannels.openSocketChannel(null);
        }
        return tcp;
    }

    @GuardedBy("socket.lock")
    private void ensureNotStarted() {
        if (started) {
            if (pending != null) {
                throw new ConnectionPendingException();
            }
            throw new AlreadyConnectedException();
        }
    }

    /** {@return the operation's number} */
    @SuppressWarnings("GuardedBy") // For the socket, under its lock.
    long start(InetSocketAddress destination, boolean exsOnly, EventQueue queue, @Nullable Object context)
            throws IOException {
        if (destination.isUnresolved()) {
            throw new IllegalArgumentException("connect: not resolved: " + destination);
        }
        ensureNotStarted();
        socket.attach(Operations.queue(queue));
        pending = socket.operations.begin(Event.Type.CONNECT, queue, context);
        long id = pending.id;
        started = true;
        InetSocketAddress to = Wildcards.ofChannel(destination);
        boolean withoutTcp = exsOnly || protocol == Protocol.PACKETS;
        if (!Rendezvous.get().takesTime(to, null)) {
            attempt(to, withoutTcp);
        } else if (!ConnectThreads.trySubmit(() -> attempt(to, withoutTcp))) {
            fail(new ConnectException("connect: too many connects under way: remote=" + destination));
        }
        return id;
    }

    /** In a thread of its own, or under the lock. */
    private void attempt(InetSocketAddress to, boolean withoutTcp) {
        Endpoint endpoint = null;
        IOException failure = null;
        try {
            endpoint = withoutTcp
                    ? Rendezvous.get().connect(protocol, to, binding)
                    : Rendezvous.get().tryConnectStream(to, binding);
        } catch (ConnectFailure e) {
            failure = new ExsUnavailableException(e.getMessage(), e);
        } catch (RuntimeException | Error e) {
            Log.warn("connect to " + to + ": " + e, e);
            failure = new IOException("connect: " + e, e);
        }
        socket.lock.lock();
        try {
            if (pending == null) {
                if (endpoint != null) {
                    endpoint.discard();
                }
            } else if (failure != null) {
                fail(failure);
            } else if (endpoint != null) {
                succeed(endpoint, null);
            } else {
                connectTcp(to);
            }
        } finally {
            socket.lock.unlock();
        }
    }

    /** The local address of a connection over EXS. */
    private final class Binding implements LocalBinding {
        @Override
        public @Nullable InetSocketAddress bound() throws IOException {
            socket.lock.lock();
            try {
                return tcp == null ? null : (InetSocketAddress) tcp.getLocalAddress();
            } finally {
                socket.lock.unlock();
            }
        }

        @Override
        @SuppressWarnings("NullAway") // Bound by then.
        public InetSocketAddress bind() throws IOException {
            socket.lock.lock();
            try {
                if (pending == null) {
                    throw new ClosedChannelException();
                }
                if (bound() == null) {
                    open().bind(null);
                }
                return bound();
            } finally {
                socket.lock.unlock();
            }
        }
    }

    @GuardedBy("socket.lock")
    private void connectTcp(InetSocketAddress to) {
        try {
            SocketChannel channel = open();
            channel.configureBlocking(false);
            if (channel.connect(to)) {
                tcpConnected(channel);
            } else {
                socket.heatCold();
            }
        } catch (IOException | RuntimeException e) {
            fail(e instanceof IOException io ? io : new IOException("connect: " + e, e));
        }
    }

    /** Continues a connect over TCP. */
    @SuppressWarnings("GuardedBy") // For the socket, under its lock.
    void work() {
        SocketChannel channel = tcp;
        if (channel != null && channel.isConnectionPending()) {
            try {
                if (channel.finishConnect()) {
                    tcpConnected(channel);
                }
            } catch (IOException e) {
                fail(e);
            }
        }
    }

    @GuardedBy("socket.lock")
    private void tcpConnected(SocketChannel channel) throws IOException {
        Rendezvous.get().connectedTcp(channel.getRemoteAddress());
        if (succeed(null, channel)) {
            tcp = null; // The connection owns it now.
        }
    }

    /** {@return whether the one that is not null was taken; if not, the operation has failed} */
    @GuardedBy("socket.lock")
    private boolean succeed(@Nullable Endpoint endpoint, @Nullable SocketChannel channel) {
        try {
            socket.onConnected(endpoint, channel);
        } catch (IOException | RuntimeException e) {
            fail(e instanceof IOException io ? io : new IOException("connect: " + e, e));
            return false;
        }
        end(Event.Status.DONE, null);
        // The queues must wait for another channel now.
        socket.attachments().forEach(Attachment::run);
        return true;
    }

    @GuardedBy("socket.lock")
    private void fail(IOException cause) {
        end(Event.Status.FAILED, cause);
    }

    @GuardedBy("socket.lock")
    private void end(Event.Status status, @Nullable IOException failure) {
        Operation ended = pending;
        pending = null;
        if (ended != null) {
            socket.operations.complete(ended, status, failure);
        }
    }

    @SuppressWarnings("GuardedBy") // For the socket, under its lock.
    void channels(Pollable.Channels visitor) {
        if (tcp != null && tcp.isConnectionPending()) {
            visitor.accept(tcp, SelectionKey.OP_CONNECT);
        }
    }

    @SuppressWarnings("GuardedBy") // For the socket, under its lock.
    void abandon(PolledEventQueue queue) {
        if (pending != null && pending.queue == queue) {
            socket.operations.drop(pending);
            pending = null;
        }
    }

    @Nullable
    InetSocketAddress localAddress() {
        try {
            return binding.bound();
        } catch (IOException closed) {
            return null;
        }
    }

    @SuppressWarnings("GuardedBy") // For the socket, under its lock.
    void close() {
        end(Event.Status.CLOSED, null);
        if (tcp != null) {
            try {
                tcp.close();
            } catch (IOException e) {
                Log.debug("close of a TCP socket: " + e);
            }
            ProgressThread.flushClosed(tcp);
        }
    }
}
