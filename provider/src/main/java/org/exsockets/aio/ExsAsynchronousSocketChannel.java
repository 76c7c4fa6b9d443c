package org.exsockets.aio;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.CompletionHandler;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.ReadPendingException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.nio.channels.WritePendingException;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.exsockets.jdk.FailedConnects;
import org.exsockets.jdk.SecurityManagers;
import org.exsockets.jdk.Wildcards;
import org.jspecify.annotations.Nullable;

/**
 * An asynchronous stream channel that drives a non-blocking one of ours, which is EXS or TCP from its connect on.
 * Refusals, their exceptions, and what handlers get are as in the JDK. Thread-safe.
 */
final class ExsAsynchronousSocketChannel extends AsynchronousSocketChannel {
    private enum Connecting {
        NO,
        PENDING,
        DONE
    }

    private final SocketChannel channel;
    private final ChannelRegistration registration;
    private final Direction connecting;
    private final Direction reading;
    private final Reading input;
    private final Direction writing;

    /** Serialises the decision to connect. */
    private final Object connectLock = new Object();

    private volatile Connecting state;

    /** As the program has given it, not as it is connected; null if accepted. Written before {@link #state}. */
    private @Nullable SocketAddress remote;

    private volatile boolean outputShut;

    private ExsAsynchronousSocketChannel(
            AsynchronousChannelProvider provider, ExsChannelGroup group, SocketChannel channel, boolean connected) {
        super(provider);
        this.channel = channel;
        this.state = connected ? Connecting.DONE : Connecting.NO;
        Direction[] directions = new Direction[3];
        this.registration = new ChannelRegistration(group, this, channel, directions);
        this.connecting = new Direction(
                SelectionKey.OP_CONNECT,
                registration,
                (buffer, buffers, waited) -> finishConnect(),
                ConnectionPendingException::new,
                ConnectionPendingException::new);
        this.input = new Reading(channel);
        this.reading = new Direction(
                SelectionKey.OP_READ,
                registration,
                input,
                ReadPendingException::new,
                () -> new IllegalStateException("Reading not allowed due to timeout or cancellation"));
        this.writing = new Direction(
                SelectionKey.OP_WRITE,
                registration,
                this::tryWrite,
                WritePendingException::new,
                () -> new IllegalStateException("Writing not allowed due to timeout or cancellation"));
        directions[0] = writing; // Before the reading, as in the JDK: a reset is reported once, by the write.
        directions[1] = reading;
        directions[2] = connecting;
    }

    /** {@return a channel around {@code channel}, which is closed if that fails} @param connected it was accepted */
    static ExsAsynchronousSocketChannel open(
            AsynchronousChannelProvider provider, ExsChannelGroup group, SocketChannel channel, boolean connected)
            throws IOException {
        try {
            channel.configureBlocking(false);
            ExsAsynchronousSocketChannel opened = new ExsAsynchronousSocketChannel(provider, group, channel, connected);
            group.attach(opened);
            return opened;
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    // Connecting.

    @Override
    public <A> void connect(SocketAddress remote, @Nullable A attachment, CompletionHandler<Void, ? super A> handler) {
        start(remote, attachment, handlerOf(handler));
    }

    @Override
    @SuppressWarnings("NullAway") // Without a handler there is a future.
    public Future<Void> connect(SocketAddress remote) {
        return start(remote, null, null);
    }

    private <A> @Nullable Future<Void> start(
            SocketAddress remote, @Nullable A attachment, @Nullable CompletionHandler<Void, ? super A> handler) {
        if (!isOpen()) {
            return refuse(attachment, handler);
        }
        InetSocketAddress inet = check(remote);
        SecurityManagers.checkConnect(inet);
        synchronized (connectLock) {
            if (state == Connecting.DONE) {
                throw new AlreadyConnectedException();
            }
            if (state == Connecting.PENDING) {
                throw new ConnectionPendingException();
            }
            this.remote = remote;
            state = Connecting.PENDING;
        }
        try {
            channel.connect(Wildcards.ofAsynchronousChannel(inet, (InetSocketAddress) channel.getLocalAddress()));
        } catch (IOException | RuntimeException e) {
            connecting.closeChannel(); // As after a later failure, see Direction.
            return connecting.done(null, asTold(e), attachment, handler);
        }
        return connecting.start(null, null, 0, TimeUnit.NANOSECONDS, attachment, handler);
    }

    /** {@return an address that the JDK would take} */
    static InetSocketAddress check(SocketAddress address) {
        if (!(Objects.requireNonNull(address) instanceof InetSocketAddress inet)) {
            throw new UnsupportedAddressTypeException();
        }
        if (inet.isUnresolved()) {
            throw new UnresolvedAddressException();
        }
        return inet;
    }

    /** {@return {@link Direction#WAIT}, or null once it is connected} */
    private @Nullable Object finishConnect() throws IOException {
        try {
            if (!channel.finishConnect()) {
                return Direction.WAIT;
            }
        } catch (SocketException e) {
            throw FailedConnects.asynchronous(e);
        } catch (IOException | RuntimeException e) {
            throw asTold(e);
        }
        state = Connecting.DONE;
        return null;
    }

    private static IOException asTold(Exception failure) {
        if (failure instanceof ClosedChannelException) {
            return new AsynchronousCloseException();
        }
        return failure instanceof IOException told ? told : new IOException(failure);
    }

    private void ensureConnected() {
        if (state != Connecting.DONE) {
            throw new NotYetConnectedException();
        }
    }

    // Reading.

    @Override
    public <A> void read(
            ByteBuffer target,
            long timeout,
            TimeUnit unit,
            @Nullable A attachment,
            CompletionHandler<Integer, ? super A> handler) {
        handlerOf(handler);
        ensureWritable(target);
        start(reading, target, null, timeout, unit, attachment, handler);
    }

    @Override
    @SuppressWarnings("NullAway") // Without a handler there is a future.
    public Future<Integer> read(ByteBuffer target) {
        ensureWritable(target);
        return start(reading, target, null, 0, TimeUnit.NANOSECONDS, null, null);
    }

    @Override
    public <A> void read(
            ByteBuffer[] targets,
            int offset,
            int length,
            long timeout,
            TimeUnit unit,
            @Nullable A attachment,
            CompletionHandler<Long, ? super A> handler) {
        handlerOf(handler);
        Objects.checkFromIndexSize(offset, length, targets.length);
        ByteBuffer[] wanted = Arrays.copyOfRange(targets, offset, offset + length);
        for (ByteBuffer target : wanted) {
            ensureWritable(target);
        }
        start(reading, null, wanted, timeout, unit, attachment, handler);
    }

    private static void ensureWritable(ByteBuffer target) {
        if (target.isReadOnly()) {
            throw new IllegalArgumentException("Read-only buffer");
        }
    }

    // Writing.

    @Override
    public <A> void write(
            ByteBuffer source,
            long timeout,
            TimeUnit unit,
            @Nullable A attachment,
            CompletionHandler<Integer, ? super A> handler) {
        handlerOf(handler);
        Objects.requireNonNull(source);
        start(writing, source, null, timeout, unit, attachment, handler);
    }

    @Override
    @SuppressWarnings("NullAway") // Without a handler there is a future.
    public Future<Integer> write(ByteBuffer source) {
        Objects.requireNonNull(source);
        return start(writing, source, null, 0, TimeUnit.NANOSECONDS, null, null);
    }

    @Override
    public <A> void write(
            ByteBuffer[] sources,
            int offset,
            int length,
            long timeout,
            TimeUnit unit,
            @Nullable A attachment,
            CompletionHandler<Long, ? super A> handler) {
        handlerOf(handler);
        Objects.checkFromIndexSize(offset, length, sources.length);
        ByteBuffer[] wanted = Arrays.copyOfRange(sources, offset, offset + length); // The attempt refuses nulls.
        start(writing, null, wanted, timeout, unit, attachment, handler);
    }

    @SuppressWarnings("NullAway") // There is one of source and sources.
    private Object tryWrite(@Nullable ByteBuffer source, ByteBuffer @Nullable [] sources, boolean waited)
            throws IOException {
        if (outputShut) {
            throw waited ? new IOException("Broken pipe") : new ClosedChannelException();
        }
        if (sources == null ? !source.hasRemaining() : !Reading.anyRemaining(sources)) {
            return sources == null ? (Object) 0 : (Object) 0L;
        }
        try {
            long n = sources == null ? channel.write(source) : channel.write(sources);
            return n == 0 ? Direction.WAIT : sources == null ? (Object) (int) n : (Object) n;
        } catch (ClosedChannelException e) {
            // After a shutdown meanwhile, the channel is still open: over TCP the kernel refuses the write then.
            throw isOpen() && channel.isOpen() ? new IOException("Broken pipe") : new AsynchronousCloseException();
        }
    }

    // What reads and writes have in common.

    private static <H> H handlerOf(H handler) {
        return Objects.requireNonNull(handler, "'handler' is null");
    }

    private <V, A> @Nullable Future<V> start(
            Direction direction,
            @Nullable ByteBuffer buffer,
            ByteBuffer @Nullable [] buffers,
            long timeout,
            TimeUnit unit,
            @Nullable A attachment,
            @Nullable CompletionHandler<V, ? super A> handler) {
        Direction.ensureShareable(buffer, buffers);
        if (!isOpen()) {
            return refuse(attachment, handler);
        }
        ensureConnected();
        return direction.start(buffer, buffers, timeout, unit, attachment, handler);
    }

    private <V, A> @Nullable Future<V> refuse(
            @Nullable A attachment, @Nullable CompletionHandler<V, ? super A> handler) {
        return reading.done(null, new ClosedChannelException(), attachment, handler);
    }

    @Override
    public AsynchronousSocketChannel shutdownInput() throws IOException {
        ensureOpen();
        ensureConnected();
        input.shut();
        channel.shutdownInput();
        return this;
    }

    @Override
    public AsynchronousSocketChannel shutdownOutput() throws IOException {
        ensureOpen();
        ensureConnected();
        outputShut = true;
        channel.shutdownOutput();
        return this;
    }

    // Addresses and options.

    @Override
    public AsynchronousSocketChannel bind(@Nullable SocketAddress local) throws IOException {
        channel.bind(local);
        return this;
    }

    @Override
    public @Nullable SocketAddress getLocalAddress() throws IOException {
        return channel.getLocalAddress();
    }

    @Override
    public @Nullable SocketAddress getRemoteAddress() throws IOException {
        ensureOpen();
        if (state != Connecting.DONE) {
            return null;
        }
        return remote != null ? remote : channel.getRemoteAddress();
    }

    private void ensureOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    @Override
    public <T> AsynchronousSocketChannel setOption(SocketOption<T> name, @Nullable T value) throws IOException {
        AsynchronousOptions.ensureSupported(channel, name);
        if (outputShut && isOpen()) {
            throw new IOException(
                    "Connection has been shutdown for writing"); // As in the JDK, whose other channels do not refuse.
        }
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

    // Closing.

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
            Connecting now = state;
            if (!isOpen()) {
                return text.append("closed]").toString();
            }
            text.append(
                    now == Connecting.DONE
                            ? "connected"
                            : now == Connecting.PENDING ? "connection-pending" : "unconnected");
            text.append(input.isShut() ? " ishut" : "").append(outputShut ? " oshut" : "");
            SocketAddress local = getLocalAddress();
            text.append(local != null ? " local=" + local : "");
            SocketAddress remote = getRemoteAddress();
            text.append(remote != null ? " remote=" + remote : "");
        } catch (IOException closedMeanwhile) {
            text.append("closed");
        }
        return text.append(']').toString();
    }
}
