package org.exsockets.nio;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.List;
import java.util.Set;
import org.exsockets.config.Face;
import org.exsockets.connection.Close;
import org.exsockets.connection.ExsConnection;
import org.exsockets.jdk.Ipv6;
import org.exsockets.jdk.SecurityManagers;
import org.exsockets.nio.select.ChannelKeys;
import org.exsockets.nio.select.DescriptorSource;
import org.exsockets.nio.select.ExsChannel;
import org.exsockets.nio.select.ExsKey;
import org.exsockets.nio.select.KeySelector;
import org.exsockets.nio.select.KeySource;
import org.exsockets.nio.select.ListenerSource;
import org.exsockets.nio.transport.SupportedOptions;
import org.exsockets.rendezvous.Acceptor;
import org.exsockets.rendezvous.InheritedOptions;
import org.exsockets.rendezvous.Protocol;
import org.exsockets.rendezvous.Rendezvous;
import org.exsockets.verbs.DeviceListener;
import org.exsockets.verbs.Endpoint;
import org.exsockets.waiting.Outcome;
import org.exsockets.waiting.Wait;
import org.jspecify.annotations.Nullable;

/**
 * A listener on TCP and, once bound, on devices. If no device can serve it, the JDK's channel does everything.
 * Otherwise that channel is non-blocking, and {@link Acceptor} waits for TCP and devices.
 */
public final class ExsServerSocketChannel extends ServerSocketChannel implements ExsChannel {
    /** The JDK's channel: options, addresses, the TCP side. */
    final ServerSocketChannel tcp;

    private final boolean dualStack;
    private final Face face;

    /** Protects binding and closing. */
    private final Object stateLock = new Object();

    private volatile @Nullable Acceptor<SocketChannel> acceptor;
    private final ChannelKeys keys = new ChannelKeys();
    private volatile @Nullable ExsServerSocketAdaptor adaptor;

    /** What accepted connections get from this listener. Changes under {@link #stateLock}. */
    private volatile InheritedOptions inheritable = InheritedOptions.NONE;

    /** @param face that the program uses, also for accepted channels */
    ExsServerSocketChannel(SelectorProvider provider, ServerSocketChannel tcp, boolean anyFamily, Face face) {
        super(provider);
        this.tcp = tcp;
        this.face = face;
        this.dualStack = anyFamily && Ipv6.dualStack();
    }

    @Override
    public ServerSocketChannel bind(SocketAddress local, int backlog) throws IOException {
        synchronized (stateLock) {
            ensureOpen();
            Rendezvous.get().beforeListening(local, face);
            tcp.bind(local, backlog);
            if (!(tcp.getLocalAddress() instanceof InetSocketAddress bound)) {
                return this;
            }
            if (isPortShared()) {
                Rendezvous.get().sharedPort(bound);
                return this;
            }
            List<DeviceListener> opened = Rendezvous.get().tryListen(Protocol.STREAM, bound, dualStack, backlog, face);
            if (!opened.isEmpty()) {
                try {
                    acceptor = makeAcceptor(opened);
                } catch (IOException | RuntimeException | Error e) {
                    opened.forEach(DeviceListener::close);
                    throw e;
                }
            }
        }
        keys.signal();
        return this;
    }

    private Acceptor<SocketChannel> makeAcceptor(List<DeviceListener> opened) throws IOException {
        handDown(StandardSocketOptions.SO_REUSEADDR, tcp.getOption(StandardSocketOptions.SO_REUSEADDR));
        tcp.configureBlocking(false);
        Acceptor.TcpAccept<SocketChannel> tcpAccept = new Acceptor.TcpAccept<>() {
            @Override
            public SocketChannel tryAccept() throws IOException {
                return tcp.accept();
            }
        };
        return new Acceptor<>(opened, tcp, tcpAccept, false);
    }

    private boolean isPortShared() throws IOException {
        return tcp.supportedOptions().contains(StandardSocketOptions.SO_REUSEPORT)
                && tcp.getOption(StandardSocketOptions.SO_REUSEPORT);
    }

    @Override
    public @Nullable SocketChannel accept() throws IOException {
        if (!isOpen() && isBlocking()) {
            SupportedOptions.closedListener().accept(); // It throws another exception than in non-blocking mode.
        }
        return accept(isBlocking() ? Wait.INTERRUPTIBLE : Wait.NONE);
    }

    private static void checkAccept(Endpoint endpoint) {
        try {
            SecurityManagers.checkAccept(endpoint.remoteAddress());
        } catch (SecurityException refused) {
            new ExsConnection(endpoint).close(Close.ORDERLY);
            throw refused;
        }
    }

    /** {@return null if nothing came in time} */
    @Nullable
    SocketChannel accept(Wait wait) throws IOException {
        ensureOpen();
        if (wait.interruptible() && tcp.getLocalAddress() == null) {
            ensureNotInterrupted();
        }
        Acceptor<SocketChannel> both = acceptorOfBound();
        if (both == null) {
            return acceptTcp();
        }
        Acceptor.Accepted<SocketChannel> accepted = both.accept(wait);
        if (accepted.endpoint() != null) {
            checkAccept(accepted.endpoint());
            return new ExsSocketChannel(provider(), new ExsConnection(accepted.endpoint()), inheritable, face);
        }
        if (accepted.tcp() != null) {
            return new ExsSocketChannel(provider(), accepted.tcp(), face);
        }
        switch (accepted.outcome()) {
            case Outcome.WOULD_BLOCK, Outcome.TIMED_OUT -> {
                return null;
            }
            case Outcome.INTERRUPTED -> {
                close();
                throw new ClosedByInterruptException();
            }
            case Outcome.CLOSED_BEFORE -> {
                // Closed while this call waited for another accept. The exception depends on the JDK.
                if (wait.timeoutNs() == 0) {
                    throw new ClosedChannelException();
                }
                return SupportedOptions.closedListener().accept();
            }
            default -> throw new AsynchronousCloseException();
        }
    }

    /** The JDK's accept begins with this if it may block; if the channel is bound, when it is its turn. */
    void ensureNotInterrupted() throws IOException {
        if (Thread.currentThread().isInterrupted()) {
            close();
            throw new ClosedByInterruptException();
        }
    }

    private @Nullable SocketChannel acceptTcp() throws IOException {
        try {
            SocketChannel accepted = tcp.accept();
            return accepted == null ? null : wrapAccepted(accepted);
        } catch (IOException e) {
            throw closedWith(e);
        }
    }

    /** {@return {@code e}, for the caller to throw} Closes this if the JDK's channel has closed itself, interrupted. */
    IOException closedWith(IOException e) throws IOException {
        if (!tcp.isOpen() && isOpen()) {
            close();
        }
        return e;
    }

    /** {@return our channel around one that the JDK's channel has accepted} */
    SocketChannel wrapAccepted(SocketChannel accepted) {
        Rendezvous.get().acceptedTcp(accepted, false);
        return new ExsSocketChannel(provider(), accepted, face);
    }

    /** {@return whether this, which is bound, accepts EXS connections, too} */
    boolean hasDevice() throws IOException {
        return acceptorOfBound() != null;
    }

    /**
     * {@return what accepts; null: the JDK's channel alone} A thread may find the address of a bind that is under way: it
     * waits here, as a blocking accept by the JDK's channel would keep the bind from ending.
     */
    private @Nullable Acceptor<SocketChannel> acceptorOfBound() throws IOException {
        if (acceptor == null) {
            if (tcp.getLocalAddress() == null) {
                throw new NotYetBoundException();
            }
            synchronized (stateLock) {
                return acceptor;
            }
        }
        return acceptor;
    }

    private void ensureOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    @Override
    public ServerSocket socket() {
        synchronized (stateLock) {
            if (adaptor == null) {
                adaptor = ExsServerSocketAdaptor.of(this);
            }
            return adaptor;
        }
    }

    @Override
    public @Nullable SocketAddress getLocalAddress() throws IOException {
        ensureOpen();
        return tcp.getLocalAddress();
    }

    @Override
    public <T> ServerSocketChannel setOption(SocketOption<T> name, T value) throws IOException {
        tcp.setOption(name, value);
        handDown(name, value);
        return this;
    }

    /** An option was set: connections accepted from now on have it. */
    void handDown(SocketOption<?> name, Object value) {
        synchronized (stateLock) {
            inheritable = inheritable.with(name, value);
        }
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        return tcp.getOption(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return tcp.supportedOptions();
    }

    @Override
    public KeySource source(KeySelector selector, ExsKey key, @Nullable KeySource present) {
        Acceptor<SocketChannel> both = acceptor;
        if (both != null) {
            return present instanceof ListenerSource ? present : new ListenerSource(both, selector, key);
        }
        return present != null ? present : new DescriptorSource(tcp, false);
    }

    @Override
    public ChannelKeys keys() {
        return keys;
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        synchronized (stateLock) {
            if (acceptor != null) {
                // Frees the devices' names before the port, whose next owner may need the same names.
                acceptor.close();
            }
            tcp.close();
        }
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
        keys.cancelInnerOfCancelled();
        try {
            Acceptor<SocketChannel> both;
            synchronized (stateLock) {
                both = acceptor;
                if (both == null && tcp.getLocalAddress() == null) {
                    tcp.configureBlocking(block); // Not beside a bind. No accept runs.
                    return;
                }
            }
            // Both wait for a running accept, which keeps its mode. So this holds no lock that a close needs.
            if (both == null) {
                tcp.configureBlocking(block);
            } else if (!both.awaitAccept()) {
                throw new ClosedChannelException();
            }
        } catch (ClosedChannelException e) {
            close(); // An interrupted accept is about to do so. The next caller must find the channel closed.
            throw e;
        }
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(ServerSocketChannel.class.getName()).append('[');
        try {
            SocketAddress local = isOpen() ? tcp.getLocalAddress() : null;
            text.append(!isOpen() ? "closed" : local == null ? "unbound" : local.toString());
        } catch (IOException closedMeanwhile) {
            text.append("closed");
        }
        return text.append(']').toString();
    }
}
