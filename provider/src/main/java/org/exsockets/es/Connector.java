package org.exsockets.es;

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
import org.exsockets.jdk.JdkChannels;
import org.exsockets.jdk.Wildcards;
import org.exsockets.observe.Log;
import org.exsockets.progress.ConnectThreads;
import org.exsockets.progress.ProgressThread;
import org.exsockets.rendezvous.Protocol;
import org.exsockets.rendezvous.Rendezvous;
import org.exsockets.verbs.ConnectFailure;
import org.exsockets.verbs.Endpoint;

/**
 * Connects a socket over EXS, or over TCP if that is allowed and EXS is unavailable. A TCP socket that holds the port
 * stays open, over EXS, too. Guarded by the socket's lock; a connect that takes time runs without it in a thread of its
 * own.
 */
final class Connector {
    /** An established connection: one of the two. */
    record Result(Endpoint endpoint, SocketChannel tcp) {}

    /** Takes over an established connection, under the socket's lock. */
    @FunctionalInterface
    interface Connected {
        void accept(Result result) throws IOException;
    }

    private final EsSource socket;
    private final Protocol protocol;
    private final Connected connected;
    private final Rendezvous.LocalBinding binding = new Binding();

    /** Opened when first needed; the holder of the port. */
    private SocketChannel tcp;

    private Operation pending;
    private boolean started;
    private boolean tcpPending;
    private InetSocketAddress remote;

    Connector(EsSource socket, boolean packets, Connected connected) {
        this.socket = socket;
        this.protocol = packets ? Protocol.PACKETS : Protocol.STREAM;
        this.connected = connected;
    }

    /** {@return the connector} @throws AlreadyConnectedException if the socket was accepted and has none */
    static Connector require(Connector connector) {
        if (connector == null) {
            throw new AlreadyConnectedException();
        }
        return connector;
    }

    void bind(InetSocketAddress local) throws IOException {
        ensureNotStarted();
        open().bind(local);
    }

    private SocketChannel open() throws IOException {
        if (tcp == null) {
            tcp = JdkChannels.openSocketChannel(null);
        }
        return tcp;
    }

    private void ensureNotStarted() {
        if (started) {
            if (pending != null) {
                throw new ConnectionPendingException();
            }
            throw new AlreadyConnectedException();
        }
    }

    /** {@return the operation's number} */
    long start(InetSocketAddress destination, boolean exsOnly, EventQueue queue, Object context) throws IOException {
        if (destination.isUnresolved()) {
            throw new IllegalArgumentException("connect: not resolved: " + destination);
        }
        ensureNotStarted();
        socket.attach(Operations.queue(queue));
        pending = socket.operations.begin(Event.Type.CONNECT, queue, context);
        long id = pending.id;
        started = true;
        remote = Wildcards.ofChannel(destination);
        boolean withoutTcp = exsOnly || protocol == Protocol.PACKETS;
        if (!Rendezvous.get().takesTime(remote, null)) {
            attempt(withoutTcp);
        } else if (!ConnectThreads.trySubmit(() -> attempt(withoutTcp))) {
            fail(new ConnectException("connect: too many connects under way: remote=" + destination));
        }
        return id;
    }

    /** In a thread of its own, or under the lock. */
    private void attempt(boolean withoutTcp) {
        Endpoint endpoint = null;
        IOException failure = null;
        try {
            endpoint = withoutTcp
                    ? Rendezvous.get().connect(protocol, remote, binding)
                    : Rendezvous.get().tryConnectStream(remote, binding);
        } catch (ConnectFailure e) {
            failure = new ExsUnavailableException(e.getMessage(), e);
        } catch (RuntimeException | Error e) {
            Log.warn("connect to " + remote + ": " + e, e);
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
                succeed(new Result(endpoint, null));
            } else {
                connectTcp();
            }
        } finally {
            socket.lock.unlock();
        }
    }

    /** The local address of a connection over EXS. */
    private final class Binding implements Rendezvous.LocalBinding {
        @Override
        public InetSocketAddress bound() throws IOException {
            socket.lock.lock();
            try {
                return tcp == null ? null : (InetSocketAddress) tcp.getLocalAddress();
            } finally {
                socket.lock.unlock();
            }
        }

        @Override
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

    private void connectTcp() {
        try {
            open().configureBlocking(false);
            if (tcp.connect(remote)) {
                tcpConnected();
            } else {
                tcpPending = true;
                socket.heatCold();
            }
        } catch (IOException | RuntimeException e) {
            fail(e instanceof IOException io ? io : new IOException("connect: " + e, e));
        }
    }

    /** Under the lock: continues a connect over TCP. */
    void work() {
        if (tcpPending) {
            try {
                if (tcp.finishConnect()) {
                    tcpPending = false;
                    tcpConnected();
                }
            } catch (IOException e) {
                tcpPending = false;
                fail(e);
            }
        }
    }

    private void tcpConnected() throws IOException {
        SocketChannel channel = tcp;
        Rendezvous.get().connectedTcp(channel.getRemoteAddress());
        succeed(new Result(null, channel));
        tcp = null; // The connection owns it now.
    }

    private void succeed(Result result) {
        try {
            connected.accept(result);
        } catch (IOException | RuntimeException e) {
            fail(e instanceof IOException io ? io : new IOException("connect: " + e, e));
            return;
        }
        end(Event.Status.DONE, null);
        // The queues must wait for another channel now.
        socket.attachments().forEach(Attachment::run);
    }

    private void fail(IOException cause) {
        end(Event.Status.FAILED, cause);
    }

    private void end(Event.Status status, IOException failure) {
        Operation ended = pending;
        pending = null;
        if (ended != null) {
            socket.operations.complete(ended, status, failure);
        }
    }

    void channels(Pollable.Channels visitor) {
        if (tcpPending) {
            visitor.accept(tcp, SelectionKey.OP_CONNECT);
        }
    }

    void abandon(PolledEventQueue queue) {
        if (pending != null && pending.queue == queue) {
            socket.operations.drop(pending);
            pending = null;
        }
    }

    InetSocketAddress localAddress() {
        socket.lock.lock();
        try {
            return tcp == null || !tcp.isOpen() ? null : (InetSocketAddress) tcp.getLocalAddress();
        } catch (IOException e) {
            return null;
        } finally {
            socket.lock.unlock();
        }
    }

    /** Under the lock. */
    void close() {
        end(Event.Status.CLOSED, null);
        tcpPending = false;
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
