package org.exsockets.nio;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;
import java.util.Set;
import org.exsockets.config.Face;
import org.exsockets.connection.Close;
import org.exsockets.connection.ExsConnection;
import org.exsockets.nio.select.ChannelKeys;
import org.exsockets.nio.select.DescriptorSource;
import org.exsockets.nio.select.ExsChannel;
import org.exsockets.nio.select.ExsKey;
import org.exsockets.nio.select.KeySelector;
import org.exsockets.nio.select.KeySource;
import org.exsockets.nio.transport.ChannelConnector;
import org.exsockets.nio.transport.ChannelTcp;
import org.exsockets.nio.transport.ConnectingSource;
import org.exsockets.nio.transport.TransportDecision;
import org.exsockets.observe.Flight;
import org.exsockets.rendezvous.InheritedOptions;
import org.exsockets.waiting.Outcome;
import org.exsockets.waiting.Turn;
import org.exsockets.waiting.Wait;
import org.jspecify.annotations.Nullable;

/**
 * A stream channel that uses EXS or TCP, as decided when it connects.
 *
 * <p>Until then, and for ever if the decision is TCP, a channel of the JDK, {@link ChannelTcp}, does everything; it is
 * made when first needed. Over EXS it holds the socket options that a program asks for. {@link ChannelConnector}
 * connects, which decides; this class transfers data and closes.
 *
 * <p>Any thread. Readers exclude each other, and so do writers, in {@link ExsConnection} or the JDK's channel.
 */
public final class ExsSocketChannel extends SocketChannel implements ExsChannel {
    /** Before JDK 22 (JDK-8310902) the JDK calls sendfile even on a shut output, and reports the kernel's error. */
    private static final boolean TRANSFERS_LOOK_AT_SHUTDOWN = Runtime.version().feature() >= 22;

    private final ChannelKeys keys = new ChannelKeys();
    private final ChannelTcp tcp;
    private final Turn turn = new ChannelTurn();
    private final TransportDecision decision;
    private final ChannelConnector connector;

    /** A named class: a lambda would be a class for each constructor, and calls would have two targets. */
    private final class ChannelTurn implements Turn {
        @Override
        public Wait begin() throws IOException {
            return waitNow();
        }
    }

    private volatile boolean inputShut;
    private volatile boolean outputShut;

    /** Made once, under {@link #adaptorLock}. */
    private @Nullable ExsSocketAdaptor adaptor;

    private final Object adaptorLock = new Object();

    /** @param family of its addresses; null: any */
    ExsSocketChannel(SelectorProvider provider, @Nullable ProtocolFamily family, Face face) {
        super(provider);
        tcp = new ChannelTcp(this, family);
        decision = new TransportDecision(this, tcp);
        connector = new ChannelConnector(this, face, tcp, keys, decision);
    }

    /** A channel that was accepted over TCP. */
    ExsSocketChannel(SelectorProvider provider, SocketChannel accepted, Face face) {
        this(provider, (ProtocolFamily) null, face);
        decision.startWith(accepted);
    }

    /** A channel that was accepted over EXS, with the options from its listener. */
    ExsSocketChannel(SelectorProvider provider, ExsConnection accepted, InheritedOptions inherited, Face face) {
        this(provider, (ProtocolFamily) null, face);
        tcp.inherit(inherited);
        decision.startWith(accepted);
    }

    /** {@return whether this is a connection over EXS, open or closed; any thread} */
    public boolean isOverExs() {
        return decision.exs() != null;
    }

    // Connecting.

    @Override
    public SocketChannel bind(SocketAddress local) throws IOException {
        connector.bind(local);
        return this;
    }

    @Override
    public boolean connect(SocketAddress remote) throws IOException {
        return connector.connect(remote);
    }

    @Override
    public boolean finishConnect() throws IOException {
        return connector.finishConnect();
    }

    @Override
    public boolean isConnected() {
        return isOpen() && decision.isConnected();
    }

    @Override
    public boolean isConnectionPending() {
        return isOpen() && decision.isPending();
    }

    // Transfer.

    @Override
    public int read(ByteBuffer target) throws IOException {
        Objects.requireNonNull(target);
        ExsConnection exs = connected();
        if (exs == null) {
            try {
                return tcp.get().read(target);
            } catch (IOException e) {
                throw tcp.closedWith(e);
            }
        }
        if (target.isReadOnly()) {
            return refuse(exs, target);
        }
        int n = Flight.recorder == null
                ? exs.read(target, turn)
                : (int) Recorded.run(true, exs, () -> exs.read(target, turn));
        return n >= Outcome.END_OF_STREAM ? n : (int) outcome(n);
    }

    /**
     * As {@link #read(ByteBuffer)} in non-blocking mode, for a read that stays pending until it returns something: over
     * EXS the buffer may be advertised to the peer meanwhile.
     *
     * @param target the same buffer until the read returns something, or {@link #takeBack}
     * @return 0: pending; the channel is ready for reading when the call is worth repeating
     */
    public int readLater(ByteBuffer target) throws IOException {
        ExsConnection exs = connected();
        if (exs == null) {
            return read(target);
        }
        int n = exs.readLater(target);
        return n >= Outcome.END_OF_STREAM ? n : (int) outcome(n);
    }

    /**
     * Ends a pending read, also on a closed channel. Afterwards the buffer belongs to the program.
     *
     * @return bytes that the read has got until now
     */
    public int takeBack(ByteBuffer target) {
        ExsConnection exs = decision.connection();
        return exs == null ? 0 : exs.takeBack(target);
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, targets.length);
        ExsConnection exs = connected();
        if (exs == null) {
            try {
                return tcp.get().read(targets, offset, length);
            } catch (IOException e) {
                throw tcp.closedWith(e);
            }
        }
        for (int i = offset; i < offset + length; i++) {
            if (targets[i] == null || targets[i].isReadOnly()) {
                return refuse(exs, targets[i]);
            }
        }
        long n = Flight.recorder == null
                ? exs.read(targets, offset, length, turn)
                : Recorded.run(true, exs, () -> exs.read(targets, offset, length, turn));
        return n >= Outcome.END_OF_STREAM ? n : outcome((int) n);
    }

    /** As in the JDK, the buffer is refused at this call's turn, unless there is an end of stream to report. */
    private int refuse(ExsConnection exs, @Nullable ByteBuffer target) throws IOException {
        int n = exs.readNothing(turn);
        if (n == 0) {
            Objects.requireNonNull(target);
            throw new IllegalArgumentException("Read-only buffer");
        }
        return n == Outcome.END_OF_STREAM ? n : (int) outcome(n);
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        Objects.requireNonNull(source);
        ExsConnection exs = connected();
        if (exs == null) {
            try {
                return tcp.get().write(source);
            } catch (IOException e) {
                throw tcp.closedWith(e);
            }
        }
        ensureOutputOpen(exs, source.hasRemaining());
        int n = Flight.recorder == null
                ? exs.write(source, turn)
                : (int) Recorded.run(false, exs, () -> exs.write(source, turn));
        return n >= 0 ? n : (int) outcome(n);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, sources.length);
        ExsConnection exs = connected();
        if (exs == null) {
            try {
                return tcp.get().write(sources, offset, length);
            } catch (IOException e) {
                throw tcp.closedWith(e);
            }
        }
        ensureOutputOpen(exs, true);
        long n = Flight.recorder == null
                ? exs.write(sources, offset, length, turn)
                : Recorded.run(false, exs, () -> exs.write(sources, offset, length, turn));
        return n >= 0 ? n : outcome((int) n);
    }

    /**
     * For {@link FileChannel#transferTo}, which has checked that both channels were open a moment ago, and that the
     * file has the bytes. Over TCP the JDK's channel is the target, for its sendfile.
     */
    public long sendFile(FileChannel file, long position, long count) throws IOException {
        ExsConnection exs = decision.exs();
        if (exs == null) {
            return tcp.sendFile(file, position, count);
        }
        if (outputShut && !TRANSFERS_LOOK_AT_SHUTDOWN) {
            if (count == 0) {
                return 0;
            }
            throw new IOException("Broken pipe");
        }
        ensureOutputOpen(exs, false);
        long n = exs.write(file, position, count, isBlocking());
        return n >= 0 ? n : outcome((int) n);
    }

    /** {@return how a call waits} @throws ClosedByInterruptException if its thread is interrupted in blocking mode */
    private Wait waitNow() throws IOException {
        if (!isBlocking()) {
            return Wait.NONE;
        }
        if (Thread.currentThread().isInterrupted()) {
            outcome(Outcome.INTERRUPTED);
        }
        return Wait.INTERRUPTIBLE;
    }

    /** The JDK reports a shut down output as if it had been shut down during the call. */
    private void ensureOutputOpen(ExsConnection exs, boolean bytes) throws IOException {
        if (outputShut) {
            waitNow();
            if (bytes && !isBlocking()) { // In blocking mode the JDK does not try.
                exs.swallowReset();
            }
            throw new AsynchronousCloseException();
        }
    }

    /** Reports an {@link Outcome} of a call that began on an open channel. */
    private long outcome(int code) throws IOException {
        switch (code) {
            case Outcome.WOULD_BLOCK -> {
                return 0;
            }
            case Outcome.INTERRUPTED -> {
                close();
                throw new ClosedByInterruptException();
            }
            case Outcome.CLOSED_BEFORE -> throw new ClosedChannelException();
            default -> throw new AsynchronousCloseException();
        }
    }

    /** One byte of urgent data, for the adaptor. */
    void sendUrgentData(int data) throws IOException {
        ExsConnection exs = connected();
        if (exs == null) {
            tcp.sendUrgentData(data);
            return;
        }
        int n = exs.writeUrgent((byte) data, turn);
        if (n == Outcome.WOULD_BLOCK) {
            throw new IOException("Socket buffer full");
        }
        if (n < 0) {
            outcome(n);
        }
    }

    /** {@return the connection; null if this channel is connected over TCP} Fails if it is not connected. */
    private @Nullable ExsConnection connected() throws IOException {
        ensureOpen();
        ExsConnection exs = decision.exs();
        if (exs != null) {
            return exs;
        }
        if (!isConnected()) {
            SocketChannel inner = tcp.orNull();
            if (inner != null && !inner.isOpen()) {
                close(); // Another thread was interrupted inside the JDK's channel, and is about to close, too.
            }
            ensureOpen();
            throw new NotYetConnectedException();
        }
        return decision.exs();
    }

    private void ensureOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    @Override
    public SocketChannel shutdownInput() throws IOException {
        ExsConnection exs = connected();
        if (exs == null) {
            tcp.get().shutdownInput();
        } else {
            inputShut = true;
            exs.shutdownInput();
        }
        return this;
    }

    @Override
    public SocketChannel shutdownOutput() throws IOException {
        ExsConnection exs = connected();
        if (exs == null) {
            tcp.get().shutdownOutput();
        } else {
            outputShut = true;
            exs.shutdownOutput();
        }
        return this;
    }

    boolean isInputShut() {
        return inputShut;
    }

    boolean isOutputShut() {
        return outputShut;
    }

    // Addresses and options.

    @Override
    public Socket socket() {
        synchronized (adaptorLock) {
            if (adaptor == null) {
                adaptor = ExsSocketAdaptor.of(this, tcp, decision, connector);
            }
            return adaptor;
        }
    }

    @Override
    public @Nullable SocketAddress getLocalAddress() throws IOException {
        ensureOpen();
        return connector.hidesLocalAddress() ? null : decision.localAddress();
    }

    @Override
    public @Nullable SocketAddress getRemoteAddress() throws IOException {
        ensureOpen();
        return decision.remoteAddress();
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> name, T value) throws IOException {
        tcp.setOption(name, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        return tcp.getOption(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return tcp.supportedOptions();
    }

    // Selecting.

    @Override
    public @Nullable KeySource source(KeySelector selector, ExsKey key, @Nullable KeySource present) {
        ExsConnection exs = decision.connection();
        if (exs != null) {
            return present instanceof ConnectionSource ? present : ConnectionSource.of(this, exs, selector, key);
        }
        if (decision.pendingTarget() != null) {
            return present instanceof ConnectingSource ? present : new ConnectingSource(decision, keys);
        }
        return present instanceof DescriptorSource ? present : tcp.source(key);
    }

    @Override
    public ChannelKeys keys() {
        return keys;
    }

    // Closing and blocking mode, called by the JDK's base class.

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        ExsConnection exs = connector.onClose();
        SocketChannel inner = tcp.onClose();
        if (exs != null) {
            // The JDK ends the output of a registered channel at once, and closes it when no selector has it.
            boolean unregistered = isBlocking() || keys.areNone();
            exs.close(unregistered ? Close.ORDERLY : Close.OUTPUT_FIRST);
            int lingerSeconds = tcp.chosen.lingerSeconds();
            if (lingerSeconds > 0 && unregistered) {
                exs.awaitClosed(lingerSeconds * 1_000_000_000L);
            }
        }
        if (inner != null) {
            if (exs == null && !keys.areNone() && !inner.isRegistered() && inner.isConnected()) {
                tcp.endOutput(inner);
            }
            inner.close();
        }
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
        ExsConnection exs = decision.connection();
        if (exs == null) {
            keys.cancelInnerOfCancelled();
            try {
                tcp.configureBlocking(block);
            } catch (ClosedChannelException e) {
                close(); // An interrupted reader is about to do so. The next caller must find the channel closed.
                throw e;
            }
        } else if (!exs.awaitReaderAndWriter()) { // Both keep the mode in which they began.
            close(); // An interrupted one is about to do so. The next caller must find the channel closed.
            throw new ClosedChannelException();
        }
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(SocketChannel.class.getName()).append('[');
        if (!isOpen()) {
            return text.append("closed]").toString();
        }
        try {
            text.append(isConnected() ? "connected" : isConnectionPending() ? "connection-pending" : "unconnected");
            SocketChannel overTcp = decision.connection() == null ? tcp.orNull() : null;
            if (overTcp == null ? inputShut : overTcp.socket().isInputShutdown()) {
                text.append(" ishut");
            }
            if (overTcp == null ? outputShut : overTcp.socket().isOutputShutdown()) {
                text.append(" oshut");
            }
            SocketAddress local = getLocalAddress();
            if (local != null) {
                text.append(" local=").append(local);
            }
            SocketAddress remote = getRemoteAddress();
            if (remote != null) {
                text.append(" remote=").append(remote);
            }
        } catch (IOException closedMeanwhile) {
            text.append("closed");
        }
        return text.append(']').toString();
    }
}
