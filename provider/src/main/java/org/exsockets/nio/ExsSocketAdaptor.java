package org.exsockets.nio;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SocketChannel;
import java.security.PrivilegedAction;
import java.util.Set;
import org.exsockets.connection.ConnectionInputStream;
import org.exsockets.connection.ConnectionOutputStream;
import org.exsockets.connection.ExsConnection;
import org.exsockets.connection.PlainStreams;
import org.exsockets.jdk.NanoClock;
import org.exsockets.jdk.SecurityManagers;
import org.exsockets.nio.transport.ChannelConnector;
import org.exsockets.nio.transport.ChannelTcp;
import org.exsockets.nio.transport.SupportedOptions;
import org.exsockets.nio.transport.TransportDecision;
import org.jspecify.annotations.Nullable;

/**
 * A channel as a socket. Everything that EXS does not change (options, binding, the TCP case) is left to the adaptor of
 * the JDK's channel underneath. Thread-safe.
 */
final class ExsSocketAdaptor extends Socket {
    private final ExsSocketChannel channel;
    private final TransportDecision decision;
    private final ChannelConnector connector;
    private final ChannelTcp tcp;
    private final AdaptorStreams streams;
    private volatile int timeoutMs;

    /** {@return an adaptor of {@code channel}} As in the JDK, the program needs no permission to give it an impl. */
    static ExsSocketAdaptor of(
            ExsSocketChannel channel, ChannelTcp tcp, TransportDecision decision, ChannelConnector connector) {
        return SecurityManagers.privileged(new PrivilegedAction<>() {
            @Override
            public ExsSocketAdaptor run() {
                try {
                    return new ExsSocketAdaptor(channel, tcp, decision, connector);
                } catch (SocketException neverThrown) {
                    throw new IllegalStateException(neverThrown);
                }
            }
        });
    }

    private ExsSocketAdaptor(
            ExsSocketChannel channel, ChannelTcp tcp, TransportDecision decision, ChannelConnector connector)
            throws SocketException {
        super(new UnusedSocketImpl()); // Without one, ServerSocket.implAccept would give it one, and a connection.
        this.channel = channel;
        this.tcp = tcp;
        this.decision = decision;
        this.connector = connector;
        this.streams = new AdaptorStreams(channel, tcp);
    }

    private Socket jdk() throws SocketException {
        try {
            return tcp.get().socket();
        } catch (IOException e) {
            throw channel.isOpen() ? new SocketException(e.getMessage()) : closed();
        }
    }

    /** {@return the JDK's adaptor, if there is a channel of the JDK} */
    private @Nullable Socket jdkOrNull() {
        SocketChannel known = tcp.orNull();
        return known == null ? null : known.socket();
    }

    private static SocketException closed() {
        return new SocketException("Socket is closed");
    }

    @Override
    public void connect(SocketAddress remote, int timeout) throws IOException {
        if (timeout >= 0 && !channel.isBlocking() && remote instanceof InetSocketAddress inet && !inet.isUnresolved()) {
            throw new IllegalBlockingModeException(); // Before any other error than these two, as over TCP.
        }
        if (!channel.isOpen()) {
            SupportedOptions.ownClosedChannel().socket().connect(remote, timeout); // It throws the right exception.
        }
        long startNs = System.nanoTime();
        if (isRefused(remote) || timeout < 0 || !connector.connectExs(remote, timeout)) {
            try {
                jdk().connect(remote, timeout < 0 ? timeout : NanoClock.remainingMs(timeout, startNs));
            } catch (IOException e) {
                throw tcp.closedWith(e);
            }
            connector.connectedTcp();
        }
    }

    /** The JDK checks this first; that it is unresolved, from JDK 24 on, after the check for an existing connection. */
    private boolean isRefused(SocketAddress remote) throws SocketException {
        if (!(remote instanceof InetSocketAddress inet)) {
            return true;
        }
        if (!inet.isUnresolved()) {
            return false;
        }
        if (channel.isConnected() && ChannelConnector.TELLS_OF_CONNECTION_FIRST) {
            throw new SocketException("Already connected");
        }
        return true;
    }

    @Override
    public void bind(SocketAddress local) throws IOException {
        connector.besideNoConnect(() -> bindAlone(local));
    }

    private void bindAlone(SocketAddress local) throws IOException {
        if (channel.isConnectionPending()) {
            throw new ConnectionPendingException();
        }
        if (decision.connection() != null && connector.awaitTurn()) {
            throw ChannelConnector.because("Already bound", new AlreadyBoundException());
        }
        jdk().bind(local);
    }

    @Override
    public @Nullable InetAddress getInetAddress() {
        ExsConnection exs = decision.connection();
        if (exs != null) {
            return exs.remoteHost();
        }
        InetSocketAddress remote = destination();
        return remote == null ? null : remote.getAddress();
    }

    @Override
    public InetAddress getLocalAddress() {
        ExsConnection exs = decision.connection();
        if (exs != null && channel.isOpen() && !connector.hidesLocalAddress()) {
            return exs.localHost();
        }
        InetSocketAddress local = channel.isOpen() ? getLocalSocketAddress() : null;
        return local != null ? local.getAddress() : new InetSocketAddress(0).getAddress();
    }

    @Override
    public int getPort() {
        InetSocketAddress remote = destination();
        return remote == null ? 0 : remote.getPort();
    }

    @Override
    public int getLocalPort() {
        InetSocketAddress local = getLocalSocketAddress();
        return local == null ? -1 : local.getPort();
    }

    /** Also of an unfinished connect: as in the JDK's adaptors, only host and port show that. */
    private @Nullable InetSocketAddress destination() {
        InetSocketAddress pending = decision.pendingTarget();
        Socket jdk = pending == null && decision.connection() == null ? jdkOrNull() : null;
        if (jdk == null || jdk.getInetAddress() == null) {
            return pending == null ? getRemoteSocketAddress() : pending;
        }
        return new InetSocketAddress(jdk.getInetAddress(), jdk.getPort());
    }

    @Override
    public @Nullable InetSocketAddress getRemoteSocketAddress() {
        ExsConnection exs = decision.connection();
        if (exs != null) {
            return exs.remoteAddress();
        }
        Socket jdk = jdkOrNull();
        return jdk == null ? null : (InetSocketAddress) jdk.getRemoteSocketAddress();
    }

    /** Closed channels still have it, as in the JDK. */
    @Override
    public @Nullable InetSocketAddress getLocalSocketAddress() {
        if (connector.hidesLocalAddress()) {
            return null;
        }
        ExsConnection exs = decision.connection();
        if (exs != null) {
            return exs.localAddress();
        }
        Socket jdk = jdkOrNull();
        return jdk == null ? null : (InetSocketAddress) jdk.getLocalSocketAddress();
    }

    @Override
    public SocketChannel getChannel() {
        return channel;
    }

    // Streams.

    @Override
    public InputStream getInputStream() throws IOException {
        ExsConnection exs = usable(channel.isInputShut(), "Socket input is shutdown");
        return exs != null ? new ConnectionInputStream(exs, streams) : PlainStreams.input(jdk(), streams);
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        ExsConnection exs = usable(channel.isOutputShut(), "Socket output is shutdown");
        return exs != null ? new ConnectionOutputStream(exs, streams) : PlainStreams.output(jdk(), streams);
    }

    private @Nullable ExsConnection usable(boolean shut, String shutMessage) throws SocketException {
        if (!channel.isOpen()) {
            throw closed();
        }
        if (!channel.isConnected()) {
            throw new SocketException("Socket is not connected");
        }
        ExsConnection exs = decision.connection();
        if (exs != null && shut) {
            throw new SocketException(shutMessage);
        }
        return exs;
    }

    @Override
    public void sendUrgentData(int data) throws IOException {
        channel.sendUrgentData(data);
    }

    // State.

    @Override
    public void shutdownInput() throws IOException {
        ensureConnected();
        channel.shutdownInput();
    }

    @Override
    public void shutdownOutput() throws IOException {
        ensureConnected();
        channel.shutdownOutput();
    }

    private void ensureConnected() throws IOException {
        if (!channel.isOpen()) {
            throw new ClosedChannelException();
        }
        if (!channel.isConnected()) {
            throw ChannelConnector.because("Socket is not connected", new NotYetConnectedException());
        }
    }

    @Override
    public boolean isInputShutdown() {
        Socket jdk = decision.connection() == null ? jdkOrNull() : null;
        return jdk != null ? jdk.isInputShutdown() : channel.isInputShut();
    }

    @Override
    public boolean isOutputShutdown() {
        Socket jdk = decision.connection() == null ? jdkOrNull() : null;
        return jdk != null ? tcp.isOutputShut(jdk) : channel.isOutputShut();
    }

    @Override
    public boolean isConnected() {
        return channel.isConnected();
    }

    @Override
    public boolean isBound() {
        Socket jdk = jdkOrNull();
        return !connector.hidesLocalAddress() && (decision.connection() != null || jdk != null && jdk.isBound());
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    @Override
    public String toString() {
        return isConnected()
                ? "Socket[addr=" + getInetAddress() + ",port=" + getPort() + ",localport=" + getLocalPort() + "]"
                : "Socket[unconnected]";
    }

    // Options.

    @Override
    public void setSoTimeout(int timeout) throws SocketException {
        if (!channel.isOpen()) {
            throw closed();
        }
        if (timeout < 0) {
            throw new IllegalArgumentException("timeout < 0");
        }
        timeoutMs = timeout;
        streams.setTimeout(timeout);
        if (decision.connection() == null) {
            jdk().setSoTimeout(timeout);
        }
    }

    @Override
    public int getSoTimeout() throws SocketException {
        if (!channel.isOpen()) {
            throw closed();
        }
        return timeoutMs;
    }

    @Override
    public <T> Socket setOption(SocketOption<T> name, T value) throws IOException {
        channel.setOption(name, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        T known = tcp.known(name);
        return known != null ? known : jdk().getOption(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return channel.supportedOptions();
    }

    @Override
    public void setTcpNoDelay(boolean on) throws SocketException {
        if (!tcp.keep(StandardSocketOptions.TCP_NODELAY, on)) {
            jdk().setTcpNoDelay(on);
        }
    }

    @Override
    public boolean getTcpNoDelay() throws SocketException {
        Boolean known = tcp.known(StandardSocketOptions.TCP_NODELAY);
        return known != null ? known : jdk().getTcpNoDelay();
    }

    @Override
    public void setSoLinger(boolean on, int linger) throws SocketException {
        jdk().setSoLinger(on, linger);
        tcp.chosen.choose(StandardSocketOptions.SO_LINGER, on ? linger : -1);
    }

    @Override
    public int getSoLinger() throws SocketException {
        return jdk().getSoLinger();
    }

    @Override
    public void setOOBInline(boolean on) throws SocketException {
        jdk().setOOBInline(on);
        tcp.chosen.chooseUrgentInline(on);
    }

    @Override
    public boolean getOOBInline() throws SocketException {
        return jdk().getOOBInline();
    }

    @Override
    public void setSendBufferSize(int size) throws SocketException {
        if (!tcp.keep(StandardSocketOptions.SO_SNDBUF, size)) {
            jdk().setSendBufferSize(size);
        }
        tcp.chosen.choose(StandardSocketOptions.SO_SNDBUF, size);
    }

    @Override
    public int getSendBufferSize() throws SocketException {
        Integer known = tcp.known(StandardSocketOptions.SO_SNDBUF);
        return known != null ? known : jdk().getSendBufferSize();
    }

    @Override
    public void setReceiveBufferSize(int size) throws SocketException {
        if (!tcp.keep(StandardSocketOptions.SO_RCVBUF, size)) {
            jdk().setReceiveBufferSize(size);
        }
        tcp.chosen.choose(StandardSocketOptions.SO_RCVBUF, size);
    }

    @Override
    public int getReceiveBufferSize() throws SocketException {
        Integer known = tcp.known(StandardSocketOptions.SO_RCVBUF);
        return known != null ? known : jdk().getReceiveBufferSize();
    }

    @Override
    public void setKeepAlive(boolean on) throws SocketException {
        if (!tcp.keep(StandardSocketOptions.SO_KEEPALIVE, on)) {
            jdk().setKeepAlive(on);
        }
        tcp.chosen.choose(StandardSocketOptions.SO_KEEPALIVE, on);
    }

    @Override
    public boolean getKeepAlive() throws SocketException {
        Boolean known = tcp.known(StandardSocketOptions.SO_KEEPALIVE);
        return known != null ? known : jdk().getKeepAlive();
    }

    @Override
    public void setTrafficClass(int trafficClass) throws SocketException {
        jdk().setTrafficClass(trafficClass);
    }

    @Override
    public int getTrafficClass() throws SocketException {
        return jdk().getTrafficClass();
    }

    @Override
    public void setReuseAddress(boolean on) throws SocketException {
        jdk().setReuseAddress(on);
    }

    @Override
    public boolean getReuseAddress() throws SocketException {
        return jdk().getReuseAddress();
    }
}
