package org.exsockets.nio;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.security.PrivilegedAction;
import java.util.Set;
import org.exsockets.jdk.SecurityManagers;
import org.exsockets.nio.transport.ChannelConnector;
import org.exsockets.nio.transport.SupportedOptions;
import org.exsockets.waiting.Wait;

/**
 * A listening channel as a server socket. What EXS does not change is left to the adaptor of the JDK's channel
 * underneath. Thread-safe.
 */
final class ExsServerSocketAdaptor extends ServerSocket {
    private final ExsServerSocketChannel channel;
    private final ServerSocket jdk;
    private volatile int timeoutMs;

    /** {@return an adaptor of {@code channel}} As in the JDK, the program needs no permission to give it an impl. */
    static ExsServerSocketAdaptor of(ExsServerSocketChannel channel) {
        return SecurityManagers.privileged(new PrivilegedAction<>() {
            @Override
            public ExsServerSocketAdaptor run() {
                return new ExsServerSocketAdaptor(channel);
            }
        });
    }

    private ExsServerSocketAdaptor(ExsServerSocketChannel channel) {
        super(new UnusedSocketImpl());
        this.channel = channel;
        this.jdk = channel.tcp.socket();
    }

    @Override
    public void bind(SocketAddress local) throws IOException {
        bind(local, 0);
    }

    @Override
    public void bind(SocketAddress local, int backlog) throws IOException {
        if (isClosed() || isBound()) {
            // The JDK's adaptor throws the right exception.
            jdk.bind(local, backlog);
            return;
        }
        try {
            channel.bind(local, backlog);
        } catch (UnresolvedAddressException e) {
            throw ChannelConnector.because("Unresolved address", e);
        } catch (UnsupportedAddressTypeException e) {
            throw ChannelConnector.because("Unsupported address type", e);
        }
    }

    @Override
    public Socket accept() throws IOException {
        boolean blocking = channel.isBlocking();
        if (!blocking && timeoutMs > 0) {
            throw new IllegalBlockingModeException();
        }
        if (isClosed()) {
            if (blocking) {
                SupportedOptions.closedListener().accept(); // Which exception that is depends on the JDK.
            }
            throw new ClosedChannelException();
        }
        if (!isBound()) {
            if (blocking) {
                channel.ensureNotInterrupted();
            }
            throw ChannelConnector.because("Socket is not bound yet", new NotYetBoundException());
        }
        SocketChannel accepted;
        if (channel.hasDevice()) {
            accepted = channel.accept(blocking ? Wait.ofTimeout(timeoutMs, true) : Wait.NONE);
        } else {
            try {
                accepted = channel.wrapAccepted(jdk.accept().getChannel());
            } catch (IOException e) {
                throw channel.closedWith(e);
            }
        }
        if (accepted == null && !blocking) {
            throw new IllegalBlockingModeException();
        }
        if (accepted == null) {
            throw new SocketTimeoutException("Accept timed out");
        }
        return accepted.socket();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    @Override
    public ServerSocketChannel getChannel() {
        return channel;
    }

    @Override
    public boolean isBound() {
        return jdk.isBound();
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }

    @Override
    public InetAddress getInetAddress() {
        return jdk.getInetAddress();
    }

    @Override
    public int getLocalPort() {
        return jdk.getLocalPort();
    }

    @Override
    public void setSoTimeout(int timeout) throws SocketException {
        jdk.setSoTimeout(timeout);
        timeoutMs = timeout;
    }

    @Override
    public int getSoTimeout() throws IOException {
        return jdk.getSoTimeout();
    }

    @Override
    public void setReuseAddress(boolean on) throws SocketException {
        jdk.setReuseAddress(on);
        channel.handDown(StandardSocketOptions.SO_REUSEADDR, on);
    }

    @Override
    public boolean getReuseAddress() throws SocketException {
        return jdk.getReuseAddress();
    }

    @Override
    public void setReceiveBufferSize(int size) throws SocketException {
        jdk.setReceiveBufferSize(size);
        channel.handDown(StandardSocketOptions.SO_RCVBUF, size);
    }

    @Override
    public int getReceiveBufferSize() throws SocketException {
        return jdk.getReceiveBufferSize();
    }

    @Override
    public <T> ServerSocket setOption(SocketOption<T> name, T value) throws IOException {
        jdk.setOption(name, value);
        channel.handDown(name, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        return jdk.getOption(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return channel.supportedOptions();
    }

    @Override
    public String toString() {
        return jdk.toString();
    }
}
