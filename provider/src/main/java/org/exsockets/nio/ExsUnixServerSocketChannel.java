package org.exsockets.nio;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;

/** A Unix-domain listener of the JDK that can be registered with our selector without the agent. Thread-safe. */
final class ExsUnixServerSocketChannel extends ServerSocketChannel implements ExsChannel {
    private final WrappedChannel<ServerSocketChannel> wrapped;

    ExsUnixServerSocketChannel(SelectorProvider provider, ServerSocketChannel inner) {
        super(provider);
        this.wrapped = new WrappedChannel<>(this, inner);
    }

    private ServerSocketChannel inner() {
        return wrapped.inner();
    }

    @Override
    public ServerSocketChannel bind(SocketAddress local, int backlog) throws IOException {
        inner().bind(local, backlog);
        return this;
    }

    /** {@return a wrapper, too, or null if nobody waits and this channel does not block} */
    @Override
    public SocketChannel accept() throws IOException {
        try {
            SocketChannel accepted = inner().accept();
            return accepted == null ? null : new ExsUnixSocketChannel(provider(), accepted);
        } catch (IOException e) {
            throw wrapped.closedWith(e);
        }
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
        return inner().getLocalAddress();
    }

    /** @throws UnsupportedOperationException always: there are no server sockets of this family */
    @Override
    public ServerSocket socket() {
        return inner().socket();
    }

    @Override
    public <T> ServerSocketChannel setOption(SocketOption<T> name, T value) throws IOException {
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
