package org.exsockets.nio.transport;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import org.exsockets.config.Face;
import org.exsockets.connection.ExsConnection;
import org.exsockets.jdk.Threads;
import org.exsockets.jdk.Wildcards;
import org.exsockets.nio.select.ChannelKeys;
import org.exsockets.nio.transport.TransportDecision.State;
import org.exsockets.rendezvous.LocalBinding;
import org.exsockets.rendezvous.Rendezvous;
import org.exsockets.verbs.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * Binds and connects a channel: tries EXS, then TCP, at once or in the background, and has {@link TransportDecision}
 * change. Any thread.
 */
public final class ChannelConnector {
    /** What an adaptor throws when it is connected again depends on the JDK. */
    public static final boolean TELLS_OF_CONNECTION_FIRST = Runtime.version().feature() >= 24;

    private final SocketChannel channel;
    private final Face face;
    private final ChannelTcp tcp;
    private final ChannelKeys keys;
    private final TransportDecision decision;

    private final LocalBinding binding = new Binding();

    /** Serialises connect and finishConnect; a blocking TCP connect holds it. Never taken by close. */
    private final ReentrantLock connectLock = new ReentrantLock();

    /** The program has not bound {@link #tcp}: as over TCP, the local address is hidden until connected. */
    private volatile boolean boundToConnect;

    /** Counted down when CONNECTING is over, or the channel is closed. Null before it. */
    private volatile @Nullable CountDownLatch decided;

    /** @param keys that are told of each change of {@code decision} */
    public ChannelConnector(
            SocketChannel channel, Face face, ChannelTcp tcp, ChannelKeys keys, TransportDecision decision) {
        this.channel = channel;
        this.face = face;
        this.tcp = tcp;
        this.keys = keys;
        this.decision = decision;
    }

    /** {@return whether to hide the local address, which the program has not bound; for ever after a close} */
    public boolean hidesLocalAddress() {
        return boundToConnect && decision.isPending();
    }

    /** The channel has been closed: no connection is made from now on. {@return the one to close, or null} */
    public @Nullable ExsConnection onClose() {
        ExsConnection exs = decision.onClose();
        CountDownLatch connecting = decided;
        if (connecting != null) {
            connecting.countDown();
        }
        return exs;
    }

    /** In blocking mode it throws another exception than in non-blocking mode. */
    private void ensureOpenToConnect() throws IOException {
        if (!channel.isOpen()) {
            if (channel.isBlocking()) {
                SupportedOptions.closedChannel().finishConnect();
            }
            throw new ClosedChannelException();
        }
    }

    /** The JDK's calls that may block begin so, even if they do not block; TCP's own connects do it themselves. */
    private void ensureNotInterrupted() throws IOException {
        if (channel.isBlocking() && Thread.currentThread().isInterrupted()) {
            channel.close();
            throw new ClosedByInterruptException();
        }
    }

    private void ensureOpen() throws ClosedChannelException {
        if (!channel.isOpen()) {
            throw new ClosedChannelException();
        }
    }

    // Binding.

    /** Binds the TCP socket, or refuses to. */
    @FunctionalInterface
    public interface Bind {
        void run() throws IOException;
    }

    public void bind(SocketAddress local) throws IOException {
        besideNoConnect(() -> bindAlone(local));
    }

    /** As in the JDK, a bind waits for a connect of another thread, and then finds the channel bound. */
    public void besideNoConnect(Bind bind) throws IOException {
        connectLock.lock();
        try {
            bind.run();
        } finally {
            connectLock.unlock();
        }
    }

    private void bindAlone(SocketAddress local) throws IOException {
        ensureOpen();
        switch (decision.state) {
            // In the other states the TCP socket binds, or throws the right exception.
            case EXS -> {
                awaitTurn();
                ensureOpen();
                throw new AlreadyBoundException();
            }
            case CONNECTING, EXS_PENDING, TCP_ENDED -> throw new ConnectionPendingException();
            default -> {}
        }
        tcp.get().bind(local);
    }

    /**
     * In state EXS: as in the JDK, a call for the whole channel waits for the reader and the writer.
     *
     * @return whether the channel is still open; if one of them was interrupted, and is about to close it, it is not
     */
    @SuppressWarnings("NullAway") // In this state there is a connection.
    public boolean awaitTurn() throws IOException {
        if (!decision.connection().awaitReaderAndWriter()) {
            channel.close();
        }
        return channel.isOpen();
    }

    /** The local address of connections over EXS. */
    private final class Binding implements LocalBinding {
        @Override
        public @Nullable InetSocketAddress bound() throws IOException {
            SocketChannel jdk = tcp.orNull();
            InetSocketAddress local = jdk == null ? null : (InetSocketAddress) jdk.getLocalAddress();
            if (local == null) {
                boundToConnect = true;
            }
            return local;
        }

        @Override
        public InetSocketAddress bind() throws IOException {
            if (bound() == null) {
                tcp.get().bind(null);
            }
            return (InetSocketAddress) tcp.get().getLocalAddress();
        }

        @Override
        public boolean isWanted() {
            return channel.isOpen();
        }

        @Override
        public int trafficClass() throws IOException {
            SocketChannel jdk = tcp.orNull();
            return jdk == null ? 0 : jdk.getOption(StandardSocketOptions.IP_TOS);
        }

        @Override
        public void onAnswer() {
            decision.onAnswer();
        }
    }

    // Connecting.

    public boolean connect(SocketAddress remote) throws IOException {
        if (!(Objects.requireNonNull(remote) instanceof InetSocketAddress inet)) {
            throw new UnsupportedAddressTypeException();
        }
        if (inet.isUnresolved()) {
            throw new UnresolvedAddressException();
        }
        if (!tcp.permits(inet)) {
            throw new UnsupportedAddressTypeException();
        }
        connectLock.lock();
        try {
            ensureOpenToConnect();
            State before = decision.state;
            if (before != State.UNDECIDED && before != State.TCP) {
                ensureNotInterrupted();
            }
            switch (decision.state) {
                case EXS -> {
                    awaitTurn();
                    ensureOpenToConnect();
                    throw new AlreadyConnectedException();
                }
                case CONNECTING, EXS_PENDING, TCP_ENDED -> throw new ConnectionPendingException();
                default -> {
                    return connectUndecided(Wildcards.ofChannel(inet));
                }
            }
        } finally {
            connectLock.unlock();
        }
    }

    private boolean connectUndecided(InetSocketAddress remote) throws IOException {
        if (decision.state == State.UNDECIDED) {
            if (!channel.isBlocking() && Rendezvous.get().takesTime(remote, face)) {
                return connectInBackground(remote);
            }
            Endpoint endpoint = tryExs(remote, 0);
            if (endpoint != null) {
                return established(endpoint);
            }
        }
        return connectTcp(remote);
    }

    /**
     * The EXS half of a blocking {@link #connect}; the rest is left to the caller.
     *
     * @param timeoutMs of the whole connect; 0: none
     * @return whether the channel is connected now
     */
    public boolean connectExs(SocketAddress remote, int timeoutMs) throws IOException {
        connectLock.lock();
        try {
            State before = decision.state;
            if (channel.isOpen() && before != State.UNDECIDED && before != State.TCP) {
                ensureNotInterrupted();
            }
            if (channel.isOpen() && (decision.state == State.CONNECTING || decision.canFinishConnect())) {
                throw new ConnectionPendingException();
            }
            if (decision.state != State.UNDECIDED
                    || !channel.isOpen()
                    || !channel.isBlocking()
                    || !(remote instanceof InetSocketAddress inet)
                    || inet.isUnresolved()
                    || !tcp.permits(inet)) {
                return decision.state == State.EXS && awaitTurn() && connectAgain();
            }
            Endpoint endpoint = tryExs(Wildcards.ofChannel(inet), timeoutMs);
            return endpoint != null && established(endpoint);
        } finally {
            connectLock.unlock();
        }
    }

    private static boolean connectAgain() throws SocketException {
        if (!TELLS_OF_CONNECTION_FIRST) {
            throw new AlreadyConnectedException();
        }
        throw because("Already connected", new AlreadyConnectedException());
    }

    /** {@return what the JDK's adaptors throw for an exception of the channel} */
    public static SocketException because(String message, RuntimeException cause) {
        SocketException translated = new SocketException(message);
        translated.initCause(cause);
        return translated;
    }

    private @Nullable Endpoint tryExs(InetSocketAddress remote, int timeoutMs) throws IOException {
        return Thread.currentThread().isInterrupted()
                ? null
                : Rendezvous.get().tryConnect(remote, timeoutMs, binding, face);
    }

    private boolean established(Endpoint endpoint) throws IOException {
        boolean pending = !channel.isBlocking();
        if (!decision.establish(endpoint, pending ? State.EXS_PENDING : State.EXS)) {
            throw new AsynchronousCloseException();
        }
        keys.signal();
        return !pending;
    }

    private boolean connectTcp(SocketAddress remote) throws IOException {
        try {
            boolean connected = open().connect(remote);
            decision.becomeTcp();
            if (connected) {
                countTcp();
            }
            return connected;
        } catch (IOException e) {
            throw tcp.closedWith(e);
        }
    }

    /** Without a descriptor a connect closes the channel, as a failed connect over TCP does. */
    private SocketChannel open() throws IOException {
        try {
            return tcp.get();
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** In state UNDECIDED: the adaptor has connected the JDK's channel. */
    public void connectedTcp() throws IOException {
        decision.becomeTcp();
        countTcp();
    }

    private void countTcp() throws IOException {
        Rendezvous.get().connectedTcp(tcp.get().socket().getRemoteSocketAddress());
    }

    // Connecting in the background.

    private boolean connectInBackground(InetSocketAddress remote) throws IOException {
        try {
            binding.bind();
        } catch (IOException e) {
            return connectTcp(remote); // It throws the right exception.
        }
        decided = new CountDownLatch(1);
        decision.begin(remote);
        keys.signal();
        Rendezvous.get().inTurn(remote, () -> decide(remote, true), () -> decide(remote, false));
        return false;
    }

    /** In state CONNECTING: no other thread changes the state. */
    @SuppressWarnings("NullAway") // The latch is there.
    private void decide(InetSocketAddress remote, boolean itsTurn) {
        try {
            Endpoint endpoint = Rendezvous.get().tryConnectInTurn(remote, itsTurn, binding, face);
            if (endpoint != null) {
                decision.establish(endpoint, State.EXS_PENDING);
            } else {
                connectTcpInstead(remote);
            }
        } catch (RuntimeException | Error e) {
            decision.tcpHasFailed(e instanceof Exception failure ? failure : new IOException(e));
        } finally {
            decided.countDown();
            keys.signal();
        }
    }

    /** In state CONNECTING. */
    private void connectTcpInstead(InetSocketAddress remote) {
        try {
            decision.onAnswer(); // TCP may connect before the call returns.
            decision.decideForTcp(tcp.get().connect(remote) ? State.TCP_ENDED : State.TCP);
        } catch (IOException | RuntimeException e) {
            decision.tcpHasFailed(e);
        }
    }

    // Finishing.

    public boolean finishConnect() throws IOException {
        connectLock.lock();
        try {
            ensureOpenToConnect();
            State before = decision.state;
            if (before != State.EXS && before != State.TCP) {
                ensureNotInterrupted();
            }
            if (!channel.isBlocking()) {
                decision.awaitAnswered();
            }
            if (decision.state == State.CONNECTING) {
                if (!channel.isBlocking()) {
                    ensureOpenToConnect();
                    return false;
                }
                awaitDecision();
                if (!channel.isOpen()) {
                    throw new AsynchronousCloseException();
                }
            }
            return switch (decision.state) {
                case TCP_ENDED -> finishEndedTcp();
                case EXS_PENDING -> finishExs();
                case EXS -> {
                    awaitTurn();
                    ensureOpenToConnect();
                    yield true;
                }
                case UNDECIDED -> throw new NoConnectionPendingException();
                default -> finishTcp();
            };
        } finally {
            connectLock.unlock();
        }
    }

    @SuppressWarnings("NullAway") // In state CONNECTING.
    private void awaitDecision() throws IOException {
        try {
            decided.await();
        } catch (InterruptedException e) {
            Threads.restoreInterrupt();
            channel.close();
            throw new ClosedByInterruptException();
        }
    }

    @SuppressWarnings("NullAway") // In this state there is a connection.
    private boolean finishExs() throws IOException {
        try {
            decision.connection().ensureNotReset();
        } catch (SocketException e) {
            channel.close();
            throw e;
        }
        return finishTo(State.EXS);
    }

    private boolean finishTo(State next) throws IOException {
        decision.change(next);
        if (next == State.TCP) {
            countTcp();
        }
        keys.signal();
        return true;
    }

    private boolean finishEndedTcp() throws IOException {
        Exception failure = decision.tcpFailure;
        if (failure == null) {
            return finishTo(State.TCP);
        }
        channel.close();
        if (failure instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        throw (IOException) failure;
    }

    private boolean finishTcp() throws IOException {
        SocketChannel jdk = tcp.get();
        boolean before = jdk.isConnected();
        try {
            boolean connected = jdk.finishConnect();
            if (connected && !before) {
                countTcp();
            }
            return connected;
        } catch (IOException e) {
            throw tcp.closedWith(e);
        }
    }
}
