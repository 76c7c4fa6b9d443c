package org.exsockets.nio;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;

/** A Unix-domain channel of the JDK that can be registered with our selector without the agent. Thread-safe. */
final class ExsUnixSocketChannel extends SocketChannel implements ExsChannel {
    private final WrappedChannel<SocketChannel> wrapped;

    ExsUnixSocketChannel(SelectorProvider provider, SocketChannel inner) {
        super(provider);
        this.wrapped = new WrappedChannel<>(this, inner);
    }

    private SocketChannel inner() {
        return wrapped.inner();
    }

    // Connecting, addresses, options.

    @Override
    public SocketChannel bind(SocketAddress local) throws IOException {
        inner().bind(local);
        return this;
    }

    @Override
    public boolean connect(SocketAddress remote) throws IOException {
        try {
            return inner().connect(remote);
        } catch (IOException e) {
            throw wrapped.closedWith(e);
        }
    }

    @Override
    public boolean finishConnect() throws IOException {
        try {
            return inner().finishConnect();
        } catch (IOException e) {
            throw wrapped.closedWith(e);
        }
    }

    @Override
    public boolean isConnected() {
        return inner().isConnected();
    }

    @Override
    public boolean isConnectionPending() {
        return inner().isConnectionPending();
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
        return inner().getLocalAddress();
    }

    @Override
    public SocketAddress getRemoteAddress() throws IOException {
        return inner().getRemoteAddress();
    }

    /** @throws UnsupportedOperationException always: there are no sockets of this family */
    @Override
    public Socket socket() {
        return inner().socket();
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> name, T value) throws IOException {
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

    // Transfer.

    @Override
    public int read(ByteBuffer target) throws IOException {
        try {
            return inner().read(target);
        } catch (IOException e) {
            throw wrapped.closedWith(e);
        }
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        try {
            return inner().read(targets, offset, length);
        } catch (IOException e) {
            throw wrapped.closedWith(e);
        }
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        try {
            return inner().write(source);
        } catch (IOException e) {
            throw wrapped.closedWith(e);
        }
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        try {
            return inner().write(sources, offset, length);
        } catch (IOException e) {
            throw wrapped.closedWith(e);
        }
    }

    @Override
    public SocketChannel shutdownInput() throws IOException {
        inner().shutdownInput();
        return this;
    }

    @Override
    public SocketChannel shutdownOutput() throws IOException {
        inner().shutdownOutput();
        return this;
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
