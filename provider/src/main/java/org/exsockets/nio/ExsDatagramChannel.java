package org.exsockets.nio;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.MembershipKey;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;

/**
 * A datagram channel of the JDK that can be registered with our selector without the agent. Thread-safe.
 *
 * <p>Restrictions: {@link #socket()} is no {@code MulticastSocket}, as the JDK's happens to be; membership keys are the
 * JDK's, so their {@code channel()} is the channel inside this one.
 */
final class ExsDatagramChannel extends DatagramChannel implements ExsChannel {
    private final WrappedChannel<DatagramChannel> wrapped;
    private final DatagramSocket adaptor;

    ExsDatagramChannel(SelectorProvider provider, DatagramChannel inner) {
        super(provider);
        this.wrapped = new WrappedChannel<>(this, inner);
        this.adaptor = new ExsDatagramSocketAdaptor(this, inner.socket());
    }

    private DatagramChannel inner() {
        return wrapped.inner();
    }

    /** {@return {@code e}} Closes this channel if the one inside is closed. */
    IOException closedWith(IOException e) throws IOException {
        return wrapped.closedWith(e);
    }

    // Addresses and options.

    @Override
    public DatagramChannel bind(SocketAddress local) throws IOException {
        try {
            inner().bind(local);
            return this;
        } catch (IOException e) {
            throw closedWith(e);
        }
    }

    @Override
    public DatagramChannel connect(SocketAddress remote) throws IOException {
        try {
            inner().connect(remote);
            return this;
        } catch (IOException e) {
            throw closedWith(e);
        }
    }

    @Override
    public DatagramChannel disconnect() throws IOException {
        try {
            inner().disconnect();
            return this;
        } catch (IOException e) {
            throw closedWith(e);
        }
    }

    @Override
    public boolean isConnected() {
        return inner().isConnected();
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
        return inner().getLocalAddress();
    }

    @Override
    public SocketAddress getRemoteAddress() throws IOException {
        return inner().getRemoteAddress();
    }

    @Override
    public DatagramSocket socket() {
        return adaptor;
    }

    @Override
    public <T> DatagramChannel setOption(SocketOption<T> name, T value) throws IOException {
        inner().setOption(name, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        return inner().getOption(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return inner().supportedOptions();
    }

    @Override
    public MembershipKey join(InetAddress group, NetworkInterface nif) throws IOException {
        return inner().join(group, nif);
    }

    @Override
    public MembershipKey join(InetAddress group, NetworkInterface nif, InetAddress source) throws IOException {
        return inner().join(group, nif, source);
    }

    // Transfer.

    @Override
    public SocketAddress receive(ByteBuffer target) throws IOException {
        try {
            return inner().receive(target);
        } catch (IOException e) {
            throw closedWith(e);
        }
    }

    @Override
    public int send(ByteBuffer source, SocketAddress target) throws IOException {
        try {
            return inner().send(source, target);
        } catch (IOException e) {
            throw closedWith(e);
        }
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        try {
            return inner().read(target);
        } catch (IOException e) {
            throw closedWith(e);
        }
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        try {
            return inner().read(targets, offset, length);
        } catch (IOException e) {
            throw closedWith(e);
        }
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        try {
            return inner().write(source);
        } catch (IOException e) {
            throw closedWith(e);
        }
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        try {
            return inner().write(sources, offset, length);
        } catch (IOException e) {
            throw closedWith(e);
        }
    }

    // Selecting and closing.

    @Override
    public KeySource source(ExsSelector selector, ExsKey key) {
        return wrapped.source(key);
    }

    @Override
    public ChannelKeys keys() {
        return wrapped.keys();
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        wrapped.close();
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
        wrapped.configureBlocking(block);
    }

    @Override
    public String toString() {
        return inner().toString();
    }
}
