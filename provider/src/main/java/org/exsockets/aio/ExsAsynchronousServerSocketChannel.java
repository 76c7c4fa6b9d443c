package org.exsockets.aio;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.AcceptPendingException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.CompletionHandler;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.ShutdownChannelGroupException;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.exsockets.observe.Log;
import org.jspecify.annotations.Nullable;

/** An asynchronous listener that drives a non-blocking one of ours, on TCP and on devices. Thread-safe. */
final class ExsAsynchronousServerSocketChannel extends AsynchronousServerSocketChannel {
    private final ServerSocketChannel channel;
    private final ChannelRegistration registration;
    private final Direction accepting;

    private ExsAsynchronousServerSocketChannel(
            AsynchronousChannelProvider provider, ExsChannelGroup group, ServerSocketChannel channel) {
        super(provider);
        this.channel = channel;
        Direction[] directions = new Direction[1];
        this.registration = new ChannelRegistration(group, this, channel, directions);
        this.accepting = new Direction(
                SelectionKey.OP_ACCEPT,
                registration,
                new Accepting(),
                AcceptPendingException::new,
                () -> new RuntimeException("Accept not allowed due cancellation"));
        directions[0] = accepting;
    }

    /** {@return a listener around {@code channel}, which is closed if that fails} */
    static ExsAsynchronousServerSocketChannel open(
            AsynchronousChannelProvider provider, ExsChannelGroup group, ServerSocketChannel channel)
            throws IOException {
        try {
            channel.configureBlocking(false);
            ExsAsynchronousServerSocketChannel opened =
                    new ExsAsynchronousServerSocketChannel(provider, group, channel);
            group.attach(opened);
            return opened;
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public AsynchronousServerSocketChannel bind(@Nullable SocketAddress local, int backlog) throws IOException {
        if (local != null) {
            ExsAsynchronousSocketChannel.check(local); // The JDK's other channels first look at their state.
        }
        channel.bind(local, backlog);
        return this;
    }

    @Override
    public <A> void accept(@Nullable A attachment, CompletionHandler<AsynchronousSocketChannel, ? super A> handler) {
        start(attachment, Objects.requireNonNull(handler, "'handler' is null"));
    }

    @Override
    @SuppressWarnings("NullAway") // Without a handler there is a future.
    public Future<AsynchronousSocketChannel> accept() {
        return start(null, null);
    }

    private <A> @Nullable Future<AsynchronousSocketChannel> start(
            @Nullable A attachment, @Nullable CompletionHandler<AsynchronousSocketChannel, ? super A> handler) {
        if (!isOpen()) {
            return accepting.done(null, new ClosedChannelException(), attachment, handler);
        }
        try {
            if (channel.getLocalAddress() == null) {
                throw new NotYetBoundException();
            }
        } catch (IOException closedMeanwhile) {
            return accepting.done(null, new AsynchronousCloseException(), attachment, handler);
        }
        return accepting.start(null, null, 0, TimeUnit.NANOSECONDS, attachment, handler);
    }

    /** Tries an accept. */
    private final class Accepting implements Direction.Attempt {
        @Override
        public Object run(@Nullable ByteBuffer buffer, ByteBuffer @Nullable [] buffers, boolean waited)
                throws IOException {
            SocketChannel accepted;
            try {
                accepted = channel.accept();
            } catch (ClosedChannelException e) {
                throw new AsynchronousCloseException();
            }
            if (accepted == null) {
                return Direction.WAIT;
            }
            try {
                return ExsAsynchronousSocketChannel.open(provider(), registration.group, accepted, true);
            } catch (ShutdownChannelGroupException e) {
                throw new IOException(e);
            }
        }

        /** As in the JDK: accepts for a cancelled accept and closes the connection, so that the peer does not wait. */
        @Override
        public void onReadyInVain() {
            try {
                SocketChannel unwanted = channel.accept();
                if (unwanted != null) {
                    unwanted.close();
                }
            } catch (IOException | SecurityException e) {
                Log.debug("accept for one that was cancelled: " + e);
            }
        }
    }

    @Override
    public @Nullable SocketAddress getLocalAddress() throws IOException {
        return channel.getLocalAddress();
    }

    @Override
    public <T> AsynchronousServerSocketChannel setOption(SocketOption<T> name, @Nullable T value) throws IOException {
        AsynchronousOptions.set(channel, name, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        return AsynchronousOptions.get(channel, name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return AsynchronousOptions.of(channel);
    }

    @Override
    public boolean isOpen() {
        return registration.isOpen();
    }

    @Override
    public void close() throws IOException {
        registration.close();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(getClass().getName()).append('[');
        try {
            SocketAddress local = isOpen() ? getLocalAddress() : null;
            text.append(!isOpen() ? "closed" : local == null ? "unbound" : local.toString());
        } catch (IOException closedMeanwhile) {
            text.append("closed");
        }
        return text.append(']').toString();
    }
}
