package org.exsockets.net;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.exsockets.config.Face;
import org.exsockets.connection.PlainStreams;
import org.exsockets.jdk.Ipv6;
import org.exsockets.observe.Log;
import org.exsockets.rendezvous.Acceptor;
import org.exsockets.rendezvous.InheritedOptions;
import org.exsockets.rendezvous.Protocol;
import org.exsockets.rendezvous.Rendezvous;
import org.exsockets.verbs.DeviceListener;
import org.exsockets.waiting.Outcome;
import org.exsockets.waiting.Wait;
import org.jspecify.annotations.Nullable;

/**
 * The listening part of a socket implementation: a plain listener of the JDK, which has the address and the options,
 * and, from {@link #listen} on, the listeners of devices. Any thread; {@code ServerSocket} calls {@link #bind} and
 * {@link #listen} once each, in this order.
 */
final class ListeningSide {
    private final PlainSockets.PlainListener listener;

    /** Kept for {@link #listen}: ServerSocket binds and listens in two steps, plain sockets in one. */
    private volatile @Nullable InetSocketAddress bindAddress;

    /** Null as long as there is only the plain listener. */
    private volatile @Nullable Acceptor<Socket> acceptor;

    /**
     * {@link #listen} and {@link #close} exclude each other: the devices' names go with the port, not after it, when they
     * may be another listener's.
     */
    private final ReentrantLock listening = new ReentrantLock();

    @GuardedBy("listening")
    private boolean closed;

    /** What accepted connections get from this listener. Changes under this object's monitor. */
    private volatile InheritedOptions inheritable = InheritedOptions.NONE;

    ListeningSide(PlainSockets.PlainListener listener) {
        this.listener = listener;
    }

    /** {@return the plain listener: address and options} */
    ServerSocket socket() {
        return listener.socket();
    }

    InheritedOptions inheritable() {
        return inheritable;
    }

    void bind(InetSocketAddress local) {
        bindAddress = local;
    }

    /** @throws SocketException if this is closed */
    void listen(int backlog) throws IOException {
        listening.lock();
        try {
            if (closed) {
                throw new SocketException("Socket closed");
            }
            listenNow(backlog);
        } finally {
            listening.unlock();
        }
    }

    private void listenNow(int backlog) throws IOException {
        Rendezvous.get().beforeListening(bindAddress, Face.NET);
        socket().bind(bindAddress, backlog);
        InetSocketAddress bound = (InetSocketAddress) socket().getLocalSocketAddress();
        handDown(StandardSocketOptions.SO_REUSEADDR, socket().getOption(StandardSocketOptions.SO_REUSEADDR));
        if (isPortShared()) {
            Rendezvous.get().sharedPort(bound);
            return;
        }
        List<DeviceListener> devices =
                Rendezvous.get().tryListen(Protocol.STREAM, bound, Ipv6.dualStack(), backlog, Face.NET);
        if (devices.isEmpty()) {
            return;
        }
        try {
            acceptor = new Acceptor<>(devices, listener.selectable(), listener, true);
        } catch (IOException | RuntimeException e) {
            devices.forEach(DeviceListener::close);
            Log.warn("listen " + bound + ": tcp only: " + e.getMessage());
        } catch (Error e) {
            devices.forEach(DeviceListener::close);
            throw e;
        }
    }

    private boolean isPortShared() throws IOException {
        return socket().supportedOptions().contains(StandardSocketOptions.SO_REUSEPORT)
                && socket().getOption(StandardSocketOptions.SO_REUSEPORT);
    }

    /** Waits for a connection over EXS or TCP; without devices, with the plain listener's time-out. */
    Acceptor.Accepted<Socket> accept(Wait wait) throws IOException {
        Acceptor<Socket> both = acceptor;
        if (both != null) {
            return both.acceptInTime(wait);
        }
        Socket plainly;
        try {
            plainly = socket().accept();
        } catch (SocketException e) {
            if (PlainStreams.isByInterrupt(e)) {
                // The program's server socket closes itself on this.
                return new Acceptor.Accepted<>(null, null, Outcome.INTERRUPTED);
            }
            throw e;
        }
        Rendezvous.get().acceptedTcp(plainly, false);
        return new Acceptor.Accepted<>(null, plainly, Outcome.WOULD_BLOCK);
    }

    /** {@return the port; before {@link #listen} the one wanted; 0 if there is none} */
    int localPort() {
        if (socket().isBound()) {
            return socket().getLocalPort();
        }
        InetSocketAddress wanted = bindAddress;
        return wanted == null ? 0 : wanted.getPort();
    }

    <T> void setOption(SocketOption<T> name, T value) throws IOException {
        socket().setOption(name, value);
        handDown(name, value);
    }

    void setOption(int id, Object value) throws IOException {
        NumberedOptions.set(socket(), id, value);
        SocketOption<?> name = NumberedOptions.standard(id);
        if (name != null) {
            handDown(name, value);
        }
    }

    private synchronized void handDown(SocketOption<?> name, Object value) {
        inheritable = inheritable.with(name, value);
    }

    void close() throws IOException {
        listening.lock();
        try {
            closed = true;
            Acceptor<Socket> both = acceptor;
            if (both != null) {
                // Frees the devices' names before the port, whose next owner may need the same names.
                both.close();
            }
            socket().close();
        } finally {
            listening.unlock();
        }
    }
}
