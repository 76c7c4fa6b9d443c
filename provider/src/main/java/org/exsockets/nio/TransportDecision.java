package org.exsockets.nio;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
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
import org.exsockets.jdk.Threads;
import org.exsockets.jdk.Wildcards;
import org.exsockets.progress.ConnectThreads;
import org.exsockets.rendezvous.InheritedOptions;
import org.exsockets.rendezvous.Rendezvous;
import org.exsockets.socket.ChosenBuffers;
import org.exsockets.socket.Close;
import org.exsockets.socket.ExsConnection;
import org.exsockets.verbs.Endpoint;

/**
 * Whether a channel uses EXS or TCP, and the connect that decides it.
 *
 * <pre>
 *   state      trigger                                  next
 *   UNDECIDED  connect: EXS, blocking mode              EXS
 *   UNDECIDED  connect: EXS, non-blocking mode          EXS_PENDING
 *   UNDECIDED  connect that takes time, non-blocking    CONNECTING (a thread of its own tries)
 *   CONNECTING EXS has connected                        EXS_PENDING
 *   CONNECTING TCP's own connect is pending             TCP
 *   CONNECTING TCP's own connect has ended at once      TCP_ENDED
 *   TCP_ENDED  finishConnect                            TCP, or closed with TCP's exception
 *   EXS_PENDING finishConnect                           EXS
 *   UNDECIDED  connect: TCP (pending or not)            TCP
 *   any        close                                    (AbstractInterruptibleChannel's open flag)
 * </pre>
 *
 * <p>Any thread. The states EXS and TCP are final.
 */
final class TransportDecision {
    private enum State {
        UNDECIDED,
        CONNECTING,
        EXS_PENDING,
        EXS,
        TCP_ENDED,
        TCP
    }

    /** What an adaptor throws when it is connected again depends on the JDK. */
    static final boolean TELLS_OF_CONNECTION_FIRST = Runtime.version().feature() >= 24;

    private final ExsSocketChannel channel;

    /** Has a channel in states TCP and TCP_ENDED. */
    private final ChannelTcp tcp;

    private final ChannelKeys keys;
    private final Face face;

    private final Rendezvous.LocalBinding binding = new Binding();

    /** Serialises connect and finishConnect; a blocking TCP connect holds it. Never taken by close. */
    private final ReentrantLock connectLock = new ReentrantLock();

    /** Protects the changes of {@link #state} and {@link #connection} against close; never held long. */
    private final Object stateLock = new Object();

    private volatile State state = State.UNDECIDED;

    /** Written before the state says EXS or EXS_PENDING; never in TCP. */
    private volatile ExsConnection connection;

    /** The program has not bound {@link #tcp}: as over TCP, the local address is hidden until connected. */
    private volatile boolean boundToConnect;

    /** Destination of CONNECTING. Null before it. */
    private volatile InetSocketAddress target;

    /** Counted down when CONNECTING is over, or the channel is closed. Null before it. */
    private volatile CountDownLatch decided;

    /** The failure of TCP's connect in TCP_ENDED; null if it succeeded. Written before the state. */
    private Exception tcpFailure;

    /** SO_OOBINLINE, as the program has set it. */
    private volatile boolean urgentInline;

    private final ChosenBuffers buffers = new ChosenBuffers();

    TransportDecision(ExsSocketChannel channel, ChannelTcp tcp, ChannelKeys keys, Face face) {
        this.channel = channel;
        this.tcp = tcp;
        this.keys = keys;
        this.face = face;
    }

    /** For a new channel around one that the JDK has accepted. */
    void startWith(SocketChannel accepted) {
        tcp.set(accepted);
        state = State.TCP;
    }

    /**
     * For a new channel that was accepted over EXS.
     *
     * @param inherited the options from its listener
     */
    void startWith(Endpoint accepted, InheritedOptions inherited) {
        ExsConnection exs = new ExsConnection(accepted);
        buffers.inherit(inherited);
        buffers.applyTo(exs);
        connection = exs;
        state = State.EXS;
    }

    /** {@return the connection, finished or not; null if this is TCP or undecided} */
    ExsConnection connection() {
        return connection;
    }

    /** {@return the connection if it is EXS and finished, or null} */
    ExsConnection exs() {
        return state == State.EXS ? connection : null;
    }

    /** {@return whether the channel, if it is open, is connected} */
    boolean isConnected() {
        State now = state;
        return now == State.EXS || now == State.TCP && tcp.orNull().isConnected();
    }

    /** {@return whether a connect of the channel, if it is open, waits to be finished} */
    boolean isPending() {
        State now = state;
        return now == State.CONNECTING
                || now == State.EXS_PENDING
                || now == State.TCP_ENDED
                || now == State.TCP && tcp.orNull().isConnectionPending();
    }

    /** {@return whether to hide the local address, which the program has not bound; for ever after a close} */
    boolean hidesLocalAddress() {
        return boundToConnect && isPending();
    }

    /** {@return the destination of the connect in the background; null if there was none} */
    InetSocketAddress target() {
        return target;
    }

    /** {@return the destination of a connect in the background that is not finished; null if there is none} */
    InetSocketAddress pendingTarget() {
        State now = state;
        return now == State.CONNECTING || now == State.TCP_ENDED ? target : null;
    }

    /** {@return whether it is decided how {@link #finishConnect} ends; false for TCP's own pending connects} */
    boolean canFinishConnect() {
        State now = state;
        return now == State.EXS_PENDING || now == State.TCP_ENDED;
    }

    /** {@return whether {@link #finishConnect} will throw; false for TCP's own pending connects} */
    boolean hasFailed() {
        return state == State.TCP_ENDED && tcpFailure != null;
    }

    /** The flag is written first: a connection that is just being made reads it, or is found here. */
    void takeUrgentInline(boolean inline) {
        urgentInline = inline;
        ExsConnection exs = connection;
        if (exs != null) {
            exs.setUrgentInline(inline);
        }
    }

    /** As {@link #takeUrgentInline}, for SO_RCVBUF and SO_SNDBUF; other options are ignored. */
    void takeBuffer(SocketOption<?> name, Object value) {
        if (buffers.choose(name, value)) {
            buffers.applyTo(connection);
        }
    }

    /** The channel has been closed: no connection is made from now on. {@return the one to close, or null} */
    ExsConnection onClose() {
        ExsConnection exs;
        synchronized (stateLock) {
            exs = connection;
        }
        CountDownLatch connecting = decided;
        if (connecting != null) {
            connecting.countDown();
        }
        return exs;
    }

    private void ensureOpenToConnect() throws IOException {
        if (!channel.isOpen()) {
            throwClosedToConnect();
        }
    }

    /** The JDK's calls that may block begin so, even if they do not block; TCP's own connects do it themselves. */
    private void ensureNotInterrupted() throws IOException {
        if (channel.isBlocking() && Thread.currentThread().isInterrupted()) {
            channel.close();
            throw new ClosedByInterruptException();
        }
    }

    /** Always throws; in blocking mode another exception than in non-blocking mode. */
    private void throwClosedToConnect() throws IOException {
        if (channel.isBlocking()) {
            SupportedOptions.closedChannel().finishConnect();
        }
        throw new ClosedChannelException();
    }

    private void ensureOpen() throws ClosedChannelException {
        if (!channel.isOpen()) {
            throw new ClosedChannelException();
        }
    }

    // Binding.

    /** Binds the TCP socket, or refuses to. */
    @FunctionalInterface
    interface Bind {
        void run() throws IOException;
    }

    /** As {@link SocketChannel#bind}. */
    void bind(SocketAddress local) throws IOException {
        besideNoConnect(() -> bindAlone(local));
    }

    /** As in the JDK, a bind waits for a connect of another thread, and then finds the channel bound. */
    void besideNoConnect(Bind bind) throws IOException {
        connectLock.lock();
        try {
            bind.run();
        } finally {
            connectLock.unlock();
        }
    }

    private void bindAlone(SocketAddress local) throws IOException {
        ensureOpen();
        switch (state) {
            // In the other states the TCP socket binds, or throws the right exception.
            case EXS -> {
                if (!awaitTurn()) {
                    throw new ClosedChannelException();
                }
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
     * @return whether the channel is still open; false also if one of them was interrupted and is about to close it
     */
    private boolean awaitTurn() {
        return connection.awaitReaderAndWriter() && channel.isOpen();
    }

    /** The local address of connections over EXS. */
    private final class Binding implements Rendezvous.LocalBinding {
        @Override
        public InetSocketAddress bound() throws IOException {
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
    }

    // Connecting.

    /** As {@link SocketChannel#connect}. */
    boolean connect(SocketAddress remote) throws IOException {
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
            if (state != State.UNDECIDED && state != State.TCP) {
                ensureNotInterrupted();
            }
            switch (state) {
                case EXS -> {
                    if (!awaitTurn()) {
                        throwClosedToConnect();
                    }
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
        if (state == State.UNDECIDED) {
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
    boolean connectExs(SocketAddress remote, int timeoutMs) throws IOException {
        connectLock.lock();
        try {
            if (channel.isOpen() && state != State.UNDECIDED && state != State.TCP) {
                ensureNotInterrupted();
            }
            if (channel.isOpen() && (state == State.CONNECTING || canFinishConnect())) {
                throw new ConnectionPendingException();
            }
            if (state != State.UNDECIDED
                    || !channel.isOpen()
                    || !channel.isBlocking()
                    || !(remote instanceof InetSocketAddress inet)
                    || inet.isUnresolved()
                    || !tcp.permits(inet)) {
                return state == State.EXS && connectAgain();
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
        throw ExsSocketAdaptor.because("Already connected", new AlreadyConnectedException());
    }

    private Endpoint tryExs(InetSocketAddress remote, int timeoutMs) throws IOException {
        return Thread.currentThread().isInterrupted()
                ? null
                : Rendezvous.get().tryConnect(remote, timeoutMs, binding, face);
    }

    private boolean established(Endpoint endpoint) throws IOException {
        boolean pending = !channel.isBlocking();
        if (!establish(endpoint, pending ? State.EXS_PENDING : State.EXS)) {
            throw new AsynchronousCloseException();
        }
        keys.signal();
        return !pending;
    }

    /** {@return false if the channel has been closed in the meantime; the connection is closed then, too} */
    private boolean establish(Endpoint endpoint, State next) {
        ExsConnection established = new ExsConnection(endpoint);
        synchronized (stateLock) {
            if (channel.isOpen()) {
                connection = established;
                state = next;
                if (urgentInline) {
                    established.setUrgentInline(true);
                }
                buffers.applyTo(established);
                return true;
            }
        }
        established.close(Close.ORDERLY);
        return false;
    }

    private boolean connectTcp(SocketAddress remote) throws IOException {
        try {
            boolean connected = open().connect(remote);
            state = State.TCP;
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
    void connectedTcp() {
        state = State.TCP;
        countTcp();
    }

    private void countTcp() {
        Rendezvous.get().connectedTcp(tcp.orNull().socket().getRemoteSocketAddress());
    }

    // Connecting in the background.

    private boolean connectInBackground(InetSocketAddress remote) throws IOException {
        try {
            binding.bind();
        } catch (IOException e) {
            return connectTcp(remote); // It throws the right exception.
        }
        decided = new CountDownLatch(1);
        target = remote;
        synchronized (stateLock) {
            ensureOpen();
            state = State.CONNECTING;
        }
        keys.signal();
        if (!ConnectThreads.trySubmit(() -> decide(remote))) {
            Rendezvous.get().tooManyConnects(remote);
            connectTcpInstead(remote);
            decided.countDown();
            keys.signal();
        }
        return false;
    }

    /** In the background, in state CONNECTING: no other thread changes the state. */
    private void decide(InetSocketAddress remote) {
        try {
            Endpoint endpoint = Rendezvous.get().tryConnect(remote, 0, binding, face);
            if (endpoint != null) {
                establish(endpoint, State.EXS_PENDING);
            } else {
                connectTcpInstead(remote);
            }
        } catch (RuntimeException | Error e) {
            tcpHasFailed(e instanceof Exception failure ? failure : new IOException(e));
        } finally {
            decided.countDown();
            keys.signal();
        }
    }

    /** In state CONNECTING. */
    private void connectTcpInstead(InetSocketAddress remote) {
        try {
            decideForTcp(tcp.get().connect(remote) ? State.TCP_ENDED : State.TCP);
        } catch (IOException | RuntimeException e) {
            tcpHasFailed(e);
        }
    }

    private void tcpHasFailed(Exception failure) {
        tcpFailure = failure;
        decideForTcp(State.TCP_ENDED);
    }

    private void decideForTcp(State next) {
        synchronized (stateLock) {
            if (channel.isOpen()) {
                state = next;
            }
        }
    }

    // Finishing.

    /** As {@link SocketChannel#finishConnect}. */
    boolean finishConnect() throws IOException {
        connectLock.lock();
        try {
            ensureOpenToConnect();
            if (state != State.EXS && state != State.TCP) {
                ensureNotInterrupted();
            }
            if (state == State.CONNECTING) {
                if (!channel.isBlocking()) {
                    return false;
                }
                awaitDecision();
                if (!channel.isOpen()) {
                    throw new AsynchronousCloseException();
                }
            }
            return switch (state) {
                case TCP_ENDED -> finishEndedTcp();
                case EXS_PENDING -> finishExs();
                case EXS -> {
                    if (!awaitTurn()) {
                        throwClosedToConnect();
                    }
                    yield true;
                }
                case UNDECIDED -> throw new NoConnectionPendingException();
                default -> finishTcp();
            };
        } finally {
            connectLock.unlock();
        }
    }

    private void awaitDecision() throws IOException {
        try {
            decided.await();
        } catch (InterruptedException e) {
            Threads.restoreInterrupt();
            channel.close();
            throw new ClosedByInterruptException();
        }
    }

    private boolean finishExs() throws IOException {
        try {
            connection.ensureNotReset();
        } catch (SocketException e) {
            channel.close();
            throw e;
        }
        return finishTo(State.EXS);
    }

    private boolean finishTo(State next) throws IOException {
        synchronized (stateLock) {
            ensureOpen();
            state = next;
        }
        if (next == State.TCP) {
            countTcp();
        }
        keys.signal();
        return true;
    }

    private boolean finishEndedTcp() throws IOException {
        Exception failure = tcpFailure;
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
        SocketChannel jdk = tcp.orNull();
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
