package org.exsockets.nio;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.FileChannel;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import org.exsockets.jdk.JdkChannels;
import org.exsockets.progress.ConnectThreads;
import org.exsockets.rendezvous.Rendezvous;
import org.exsockets.socket.ExsConnection;
import org.exsockets.socket.InheritedOptions;
import org.exsockets.socket.Outcome;
import org.exsockets.socket.Wait;
import org.exsockets.verbs.Endpoint;

/**
 * A stream channel that is decided for EXS or TCP when it connects.
 *
 * <p>Until then, and for ever if the decision is TCP, everything is done by {@link #tcp}, a channel of the JDK. Over EXS
 * that channel remains as holder of the local port and of the socket options; an accepted EXS channel makes one when an
 * option is first asked for.
 *
 * <pre>
 *   state      trigger                                  next
 *   UNDECIDED  connect: EXS, blocking mode              EXS
 *   UNDECIDED  connect: EXS, non-blocking mode          EXS_PENDING
 *   UNDECIDED  connect that takes time, non-blocking    CONNECTING (a thread of its own tries)
 *   CONNECTING it was EXS                               EXS_PENDING
 *   CONNECTING TCP's own connect is pending             TCP
 *   CONNECTING TCP's own connect has ended at once      TCP_ENDED
 *   TCP_ENDED  finishConnect                            TCP, or closed with TCP's exception
 *   EXS_PENDING finishConnect                           EXS
 *   UNDECIDED  connect: TCP (pending or not)            TCP
 *   any        close                                    (AbstractInterruptibleChannel's open flag)
 * </pre>
 */
public final class ExsSocketChannel extends SocketChannel implements ExsChannel {
    private enum State {
        UNDECIDED,
        CONNECTING,
        EXS_PENDING,
        EXS,
        TCP_ENDED,
        TCP
    }

    /** JDK 17 hands a socket to sendfile without asking whether its output is shut down, and reports the kernel's error. */
    private static final boolean TRANSFERS_LOOK_AT_SHUTDOWN = Runtime.version().feature() > 17;

    /** Serialises connect and finishConnect; a blocking TCP connect holds it. Never taken by close. */
    private final ReentrantLock connectLock = new ReentrantLock();

    /** Protects the changes of {@link #state}, {@link #connection} and {@link #tcp} against close; never held long. */
    private final Object stateLock = new Object();

    private volatile State state;
    private volatile ExsConnection connection;
    private volatile SocketChannel tcp;

    /** The program has not bound {@link #tcp}, but connecting has: as over TCP, nobody sees that before it is finished. */
    private volatile boolean boundToConnect;

    /** Where CONNECTING leads. Null before it. */
    private volatile InetSocketAddress target;

    private volatile boolean inputShut;
    private volatile boolean outputShut;
    private final CopyOnWriteArrayList<ExsKey> keys = new CopyOnWriteArrayList<>();
    private volatile ExsSocketAdaptor adaptor;

    /** For {@link #tcp} if it is made late. Guarded by {@link #stateLock} after construction. */
    private InheritedOptions inherited;

    /** SO_OOBINLINE, as the program has set it. */
    private volatile boolean urgentInline;

    /** The program has set SO_LINGER at some time: what it is now, {@link #tcp} knows. */
    private volatile boolean lingers;

    private boolean closeDone;

    /** Counted down when CONNECTING is over. Null before it. */
    private volatile CountDownLatch decided;

    /** How TCP's connect has failed in TCP_ENDED; null if it has not. Written before the state. */
    private Exception tcpFailure;

    /** A channel to connect. */
    ExsSocketChannel(SelectorProvider provider, SocketChannel tcp) {
        super(provider);
        this.inherited = InheritedOptions.NONE;
        this.tcp = tcp;
        this.state = tcp.isConnected() ? State.TCP : State.UNDECIDED;
    }

    /** A channel that was accepted over EXS, with what it has from its listener. */
    ExsSocketChannel(SelectorProvider provider, Endpoint endpoint, InheritedOptions inherited) {
        super(provider);
        this.inherited = inherited;
        this.connection = new ExsConnection(endpoint);
        this.state = State.EXS;
    }

    // Connecting.

    @Override
    public SocketChannel bind(SocketAddress local) throws IOException {
        ensureOpen();
        switch (state) {
            // The reserved TCP socket is bound: it has the right exception for the other states.
            case EXS -> throw new AlreadyBoundException();
            case CONNECTING, EXS_PENDING, TCP_ENDED -> throw new ConnectionPendingException();
            default -> {}
        }
        tcp.bind(local);
        return this;
    }

    @Override
    public boolean connect(SocketAddress remote) throws IOException {
        connectLock.lock();
        try {
            ensureOpen();
            switch (state) {
                case EXS -> throw new AlreadyConnectedException();
                case CONNECTING, EXS_PENDING, TCP_ENDED -> throw new ConnectionPendingException();
                default -> {
                    return connectUndecided(remote);
                }
            }
        } finally {
            connectLock.unlock();
        }
    }

    private boolean connectUndecided(SocketAddress remote) throws IOException {
        if (state == State.UNDECIDED && remote instanceof InetSocketAddress inet && !inet.isUnresolved()) {
            if (!isBlocking() && Rendezvous.get().takesTime(inet)) {
                return connectInBackground(inet);
            }
            Endpoint endpoint = tryExs(inet, 0);
            if (endpoint != null) {
                return established(endpoint);
            }
        }
        return connectTcp(remote);
    }

    private boolean connectInBackground(InetSocketAddress remote) throws IOException {
        try {
            bindTcp();
        } catch (IOException e) {
            return connectTcp(remote); // It has the right exception.
        }
        decided = new CountDownLatch(1);
        target = remote;
        synchronized (stateLock) {
            ensureOpen();
            state = State.CONNECTING;
        }
        signalKeys();
        if (!ConnectThreads.trySubmit(() -> decide(remote))) {
            Rendezvous.get().tooManyConnects(remote);
            connectTcpInstead(remote);
            decided.countDown();
            signalKeys();
        }
        return false;
    }

    /** In the background, in state CONNECTING: nobody else changes the state but close. */
    private void decide(InetSocketAddress remote) {
        try {
            Endpoint endpoint = Rendezvous.get().tryConnect(remote, 0, this::bindTcp);
            if (endpoint != null) {
                establish(endpoint, State.EXS_PENDING);
            } else {
                connectTcpInstead(remote);
            }
        } catch (IOException | RuntimeException | Error e) {
            tcpHasFailed(e instanceof Exception failure ? failure : new IOException(e));
        } finally {
            decided.countDown();
            signalKeys();
        }
    }

    /** In state CONNECTING. */
    private void connectTcpInstead(InetSocketAddress remote) {
        try {
            decideForTcp(tcp.connect(remote) ? State.TCP_ENDED : State.TCP);
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
            if (isOpen()) {
                state = next;
            }
        }
    }

    /** {@return where a connect leads that goes on in the background or has just ended there; null if there is none} */
    InetSocketAddress pendingTarget() {
        State now = state;
        return now == State.CONNECTING || now == State.TCP_ENDED ? target : null;
    }

    /** {@return whether it is decided how {@link #finishConnect} ends, TCP's own pending connects apart; any thread} */
    boolean canFinishConnect() {
        return state == State.EXS_PENDING || state == State.TCP_ENDED;
    }

    /**
     * For the adaptor, which leaves TCP with its time-outs to the JDK: the EXS half of {@link #connect}.
     *
     * @param timeoutMs of the whole connect; 0: none
     * @return whether the channel is connected now
     */
    boolean connectExs(SocketAddress remote, int timeoutMs) throws IOException {
        connectLock.lock();
        try {
            if (isOpen() && (state == State.CONNECTING || canFinishConnect())) {
                throw new ConnectionPendingException();
            }
            if (state != State.UNDECIDED
                    || !isOpen()
                    || !isBlocking()
                    || !(remote instanceof InetSocketAddress inet)
                    || inet.isUnresolved()) {
                return state == State.EXS && connectAgain();
            }
            Endpoint endpoint = tryExs(inet, timeoutMs);
            return endpoint != null && established(endpoint);
        } finally {
            connectLock.unlock();
        }
    }

    private static boolean connectAgain() throws SocketException {
        if (Runtime.version().feature() < 24) {
            throw new AlreadyConnectedException();
        }
        throw new SocketException("Already connected");
    }

    private Endpoint tryExs(InetSocketAddress remote, int timeoutMs) throws IOException {
        return Thread.currentThread().isInterrupted()
                ? null
                : Rendezvous.get().tryConnect(remote, timeoutMs, this::bindTcp);
    }

    /** For the adaptor: the JDK's channel was connected. */
    void connectedTcp() {
        state = State.TCP;
        countTcp();
    }

    private void countTcp() {
        Rendezvous.get().connectedTcp(tcp.socket().getRemoteSocketAddress());
    }

    /** {@return the JDK's adaptor, if there is a channel of the JDK} */
    Socket tcpSocket() {
        SocketChannel known = tcp;
        return known == null ? null : known.socket();
    }

    private InetSocketAddress bindTcp() throws IOException {
        if (tcp.getLocalAddress() == null) {
            boundToConnect = true;
            tcp.bind(null);
        }
        return (InetSocketAddress) tcp.getLocalAddress();
    }

    private boolean established(Endpoint endpoint) throws IOException {
        boolean pending = !isBlocking();
        if (!establish(endpoint, pending ? State.EXS_PENDING : State.EXS)) {
            throw new AsynchronousCloseException();
        }
        signalKeys();
        return !pending;
    }

    /** {@return false if the channel has been closed in the meantime; the connection is closed then, too} */
    private boolean establish(Endpoint endpoint, State next) {
        ExsConnection established = new ExsConnection(endpoint);
        synchronized (stateLock) {
            if (isOpen()) {
                connection = established;
                state = next;
                if (urgentInline) {
                    established.setUrgentInline(true);
                }
                return true;
            }
        }
        established.close(ExsConnection.Close.ORDERLY);
        return false;
    }

    private boolean connectTcp(SocketAddress remote) throws IOException {
        try {
            boolean connected = tcp.connect(remote);
            state = State.TCP;
            if (connected) {
                countTcp();
            }
            return connected;
        } catch (IOException e) {
            throw closedWithTcp(e);
        }
    }

    /** A JDK channel that fails to connect, or whose thread is interrupted, closes itself; so do we. */
    private IOException closedWithTcp(IOException e) throws IOException {
        if (!tcp.isOpen() && isOpen()) {
            close();
        }
        return e;
    }

    @Override
    public boolean finishConnect() throws IOException {
        connectLock.lock();
        try {
            ensureOpen();
            if (state == State.CONNECTING) {
                if (!isBlocking()) {
                    return false;
                }
                awaitDecision();
                if (!isOpen()) {
                    throw new AsynchronousCloseException();
                }
            }
            if (state == State.TCP_ENDED) {
                return finishEndedTcp();
            }
            if (state == State.EXS_PENDING) {
                synchronized (stateLock) {
                    ensureOpen();
                    state = State.EXS;
                }
                signalKeys();
                return true;
            }
            if (state == State.EXS) {
                return true;
            }
            if (state == State.UNDECIDED) {
                throw new NoConnectionPendingException();
            }
            return finishTcp();
        } finally {
            connectLock.unlock();
        }
    }

    private void awaitDecision() throws IOException {
        try {
            decided.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            close();
            throw new ClosedByInterruptException();
        }
    }

    private boolean finishEndedTcp() throws IOException {
        Exception failure = tcpFailure;
        if (failure != null) {
            close();
            if (failure instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            throw (IOException) failure;
        }
        synchronized (stateLock) {
            ensureOpen();
            state = State.TCP;
        }
        countTcp();
        signalKeys();
        return true;
    }

    private boolean finishTcp() throws IOException {
        boolean before = tcp.isConnected();
        try {
            boolean connected = tcp.finishConnect();
            if (connected && !before) {
                countTcp();
            }
            return connected;
        } catch (IOException e) {
            throw closedWithTcp(e);
        }
    }

    @Override
    public boolean isConnected() {
        return isOpen() && (state == State.EXS || state == State.TCP && tcp.isConnected());
    }

    @Override
    public boolean isConnectionPending() {
        State now = state;
        return isOpen()
                && (now == State.CONNECTING
                        || now == State.EXS_PENDING
                        || now == State.TCP_ENDED
                        || now == State.TCP && tcp.isConnectionPending());
    }

    // Transfer.

    @Override
    public int read(ByteBuffer target) throws IOException {
        Objects.requireNonNull(target);
        ensureConnected();
        if (state == State.TCP) {
            try {
                return tcp.read(target);
            } catch (IOException e) {
                throw closedWithTcp(e);
            }
        }
        if (target.isReadOnly()) {
            throw new IllegalArgumentException("Read-only buffer");
        }
        int n = connection.read(target, waitNow());
        return n >= Outcome.END_OF_STREAM ? n : (int) outcome(n);
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, targets.length);
        ensureConnected();
        if (state == State.TCP) {
            try {
                return tcp.read(targets, offset, length);
            } catch (IOException e) {
                throw closedWithTcp(e);
            }
        }
        for (int i = offset; i < offset + length; i++) {
            if (targets[i].isReadOnly()) {
                throw new IllegalArgumentException("Read-only buffer");
            }
        }
        long n = connection.read(targets, offset, length, waitNow());
        return n >= Outcome.END_OF_STREAM ? n : outcome((int) n);
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        Objects.requireNonNull(source);
        ensureConnected();
        if (state == State.TCP) {
            try {
                return tcp.write(source);
            } catch (IOException e) {
                throw closedWithTcp(e);
            }
        }
        ensureOutputOpen();
        int n = connection.write(source, waitNow());
        return n >= 0 ? n : (int) outcome(n);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, sources.length);
        ensureConnected();
        if (state == State.TCP) {
            try {
                return tcp.write(sources, offset, length);
            } catch (IOException e) {
                throw closedWithTcp(e);
            }
        }
        ensureOutputOpen();
        long n = connection.write(sources, offset, length, waitNow());
        return n >= 0 ? n : outcome((int) n);
    }

    /** The part of {@link FileChannel#transferTo} that differs: over TCP the JDK's channel gets it, for its sendfile. */
    long sendFile(FileChannel file, long position, long count) throws IOException {
        if (state != State.EXS) {
            try {
                return file.transferTo(position, count, tcp);
            } catch (IOException e) {
                throw closedWithTcp(e);
            }
        }
        if (outputShut && !TRANSFERS_LOOK_AT_SHUTDOWN) {
            if (count == 0) {
                return 0;
            }
            throw new IOException("Broken pipe");
        }
        ensureOutputOpen();
        long n = connection.write(file, position, count, isBlocking());
        return n >= 0 ? n : outcome((int) n);
    }

    /** How a call waits now. @throws ClosedByInterruptException if the thread of a blocking call is interrupted already */
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
    private void ensureOutputOpen() throws AsynchronousCloseException {
        if (outputShut) {
            throw new AsynchronousCloseException();
        }
    }

    /** What a call that began on an open channel reports. */
    private long outcome(int code) throws IOException {
        switch (code) {
            case Outcome.WOULD_BLOCK -> {
                return 0;
            }
            case Outcome.INTERRUPTED -> {
                close();
                throw new ClosedByInterruptException();
            }
            default -> throw new AsynchronousCloseException();
        }
    }

    /** {@return the EXS connection, or null if this is TCP or undecided} */
    ExsConnection connection() {
        return state == State.TCP ? null : connection;
    }

    /**
     * {@return the JDK's channel behind this one; made now if this channel was accepted over EXS; a closed one if this
     * channel is closed}
     */
    SocketChannel tcp() throws IOException {
        if (tcp == null) {
            synchronized (stateLock) {
                if (tcp == null) {
                    tcp = isOpen() ? openTcp() : SupportedOptions.closedChannel();
                }
            }
        }
        return tcp;
    }

    private SocketChannel openTcp() throws IOException {
        SocketChannel made = JdkChannels.openSocketChannel(null);
        inherited.applyTo(made::setOption);
        return made;
    }

    /** One byte of urgent data, for the adaptor. */
    void sendUrgentData(int data) throws IOException {
        ensureConnected();
        if (state == State.TCP) {
            try {
                tcp.socket().sendUrgentData(data);
            } catch (IOException e) {
                throw closedWithTcp(e);
            }
            return;
        }
        int n = connection.writeUrgent((byte) data, waitNow());
        if (n == Outcome.WOULD_BLOCK) {
            throw new IOException("Socket buffer full");
        }
        if (n < 0) {
            outcome(n);
        }
    }

    /** SO_LINGER has been set. */
    void setLingers() {
        lingers = true;
    }

    /** The flag is set first: a connection that is just being made takes it, or is found here. */
    void takeUrgentInline(boolean inline) {
        urgentInline = inline;
        ExsConnection exs = connection;
        if (exs != null) {
            exs.setUrgentInline(inline);
        }
    }

    private void ensureConnected() throws IOException {
        ensureOpen();
        if (state != State.EXS && !isConnected()) {
            SocketChannel inner = tcp;
            if (inner != null && !inner.isOpen()) {
                close(); // Another thread was interrupted inside the JDK's channel, and is about to do the same.
            }
            ensureOpen();
            throw new NotYetConnectedException();
        }
    }

    private void ensureOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    @Override
    public SocketChannel shutdownInput() throws IOException {
        ensureConnected();
        if (state == State.TCP) {
            tcp.shutdownInput();
        } else {
            inputShut = true;
            connection.shutdownInput();
        }
        return this;
    }

    @Override
    public SocketChannel shutdownOutput() throws IOException {
        ensureConnected();
        if (state == State.TCP) {
            tcp.shutdownOutput();
        } else {
            outputShut = true;
            connection.shutdownOutput();
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
        synchronized (stateLock) {
            if (adaptor == null) {
                adaptor = ExsSocketAdaptor.of(this);
            }
            return adaptor;
        }
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
        ensureOpen();
        if (boundToConnect && isConnectionPending()) {
            return null;
        }
        ExsConnection exs = connection;
        return exs != null ? exs.localAddress() : tcp.getLocalAddress();
    }

    @Override
    public SocketAddress getRemoteAddress() throws IOException {
        ensureOpen();
        ExsConnection exs = connection;
        if (exs != null) {
            return exs.remoteAddress();
        }
        SocketAddress remote = tcp.getRemoteAddress();
        return remote != null ? remote : target;
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> name, T value) throws IOException {
        Objects.requireNonNull(name);
        if (keepOption(name, value)) {
            return this;
        }
        tcp().setOption(name, value); // Closed with this channel: it has the right exception for everything.
        if (name.equals(StandardSocketOptions.SO_LINGER)) {
            setLingers();
        }
        if (value instanceof Boolean inline && name.name().equals("SO_OOBINLINE")) {
            takeUrgentInline(inline);
        }
        return this;
    }

    /** {@return whether an option that is set now can wait for {@link #tcp()}, and does} */
    boolean keepOption(SocketOption<?> name, Object value) {
        if (tcp != null) {
            return false;
        }
        synchronized (stateLock) {
            InheritedOptions more = tcp == null && isOpen() ? inherited.keeping(name, value) : null;
            inherited = more != null ? more : inherited;
            return more != null;
        }
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        Objects.requireNonNull(name);
        return tcp().getOption(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        SocketChannel known = tcp;
        return known != null ? known.supportedOptions() : SupportedOptions.SOCKET;
    }

    // Selecting.

    @Override
    public KeySource source(ExsSelector selector, ExsKey key) {
        ExsConnection exs = connection;
        KeySource now = key.source;
        if (exs != null) {
            return now instanceof ConnectionSource ? now : ConnectionSource.of(this, exs, selector, key);
        }
        if (state == State.CONNECTING || state == State.TCP_ENDED) {
            return now instanceof ConnectingSource ? now : new ConnectingSource(this);
        }
        return now instanceof DescriptorSource ? now : new DescriptorSource(tcp, false);
    }

    @Override
    public void keyAdded(ExsKey key) {
        keys.add(key);
    }

    @Override
    public void keyRemoved(ExsKey key) {
        keys.remove(key);
    }

    private void signalKeys() {
        for (ExsKey key : keys) {
            ((ExsSelector) key.selector()).onSourceChanged(key);
        }
    }

    // Closing.

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        synchronized (stateLock) {
            if (closeDone) {
                return;
            }
            closeDone = true;
        }
        CountDownLatch connecting = decided;
        if (connecting != null) {
            connecting.countDown();
        }
        ExsConnection exs = connection;
        SocketChannel inner = tcp;
        if (exs != null) {
            int lingerSeconds = inner != null && lingers ? linger(inner) : -1;
            exs.close(lingerSeconds == 0 ? ExsConnection.Close.ABORT : ExsConnection.Close.ORDERLY);
            if (lingerSeconds > 0 && isBlocking()) {
                exs.awaitClosed(lingerSeconds * 1_000_000_000L);
            }
        }
        if (inner != null) {
            inner.close();
        }
    }

    private static int linger(SocketChannel inner) throws IOException {
        if (!inner.isOpen()) {
            return -1;
        }
        Integer seconds = inner.getOption(StandardSocketOptions.SO_LINGER);
        return seconds == null ? -1 : seconds;
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
        WrappedChannel.cancelInnerOfCancelled(keys);
        if (connection == null) {
            tcp.configureBlocking(block);
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
            if (state == State.EXS && inputShut) {
                text.append(" ishut");
            }
            if (state == State.EXS && outputShut) {
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
