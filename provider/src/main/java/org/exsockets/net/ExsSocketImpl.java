package org.exsockets.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ref.Reference;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.exsockets.config.Face;
import org.exsockets.connection.Close;
import org.exsockets.connection.ConnectionInputStream;
import org.exsockets.connection.ConnectionOutputStream;
import org.exsockets.connection.ExsConnection;
import org.exsockets.connection.PlainStreams;
import org.exsockets.jdk.NanoClock;
import org.exsockets.jdk.Threads;
import org.exsockets.jdk.Wildcards;
import org.exsockets.rendezvous.Acceptor;
import org.exsockets.rendezvous.Rendezvous;
import org.exsockets.verbs.Endpoint;
import org.exsockets.waiting.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The implementation behind a {@code Socket} or {@code ServerSocket}. EXS or TCP is decided when it connects or
 * accepts. A plain socket of the JDK does options, binding and everything over TCP; it is made when first needed.
 *
 * <p>Thread-safe as {@code java.net.Socket}: any method from any thread; {@link #close} never waits for another call.
 */
public final class ExsSocketImpl extends SocketImpl {
    /** Before JDK 24 a failed {@link java.net.Socket#connect} closes the socket only if interrupted (JDK-8343791). */
    private static final boolean CLOSES_FOR_AN_INTERRUPT_ALONE =
            Runtime.version().feature() < 24;

    private final PlainSockets plainSockets;
    private final boolean server;

    /** The platform's implementation behind this one, for {@link #tcp} or {@link #listening}; null: none. */
    private @Nullable SocketImpl platform;

    private final ImplStreams streams = new ImplStreams(this);

    /** The TCP side of a client; also binds for connections over EXS. */
    private final ImplTcp tcp = new ImplTcp(this, streams);

    /** Of a server, once it is created. */
    @SuppressWarnings("NullAway.Init")
    private volatile ListeningSide listening;

    /** Whether it is a UDP socket, as possible before JDK 25; set before the program has it. */
    private boolean datagrams;

    private volatile @Nullable ExsConnection connection;

    /** Null as long as only the TCP side is open, which the platform closes if the program loses it. */
    private volatile @Nullable Holding holding;

    private volatile boolean inputShut;

    /** Serialises connects: a socket is connected once. Held while a connect waits; never taken by close. */
    private final ReentrantLock connectLock = new ReentrantLock();

    /** Protects the decision for EXS against closing; never held long. */
    private final Object stateLock = new Object();

    private volatile boolean closed;

    private ExsSocketImpl(PlainSockets plainSockets, @Nullable SocketImpl platform, boolean server) {
        this.plainSockets = plainSockets;
        this.platform = platform;
        this.server = server;
    }

    /** {@return an implementation in front of one the platform has just created} */
    public static ExsSocketImpl before(SocketImpl platform, boolean server) {
        return new ExsSocketImpl(PlainSockets.PLATFORM, platform, server);
    }

    /** {@return an implementation for a factory, where there is no agent} */
    public static ExsSocketImpl forFactory(boolean server) {
        return new ExsSocketImpl(PlainSockets.CHANNELS, null, server);
    }

    @Override
    protected void create(boolean stream) throws IOException {
        if (!stream) {
            datagrams = true;
        } else if (server) {
            listening = new ListeningSide(plainSockets.listener(platform));
        } else {
            tcp.create();
        }
    }

    /** {@return a new socket for the TCP side, over the platform's implementation if there is one} */
    Socket newPlain() throws IOException {
        return plainSockets.socket(platform);
    }

    /** The TCP side has been made. */
    void alsoHolds(Socket plain) {
        Holding held = holding;
        if (held != null) {
            held.alsoHolds(plain);
        }
    }

    /** {@return false from the first close on} */
    boolean isOpen() {
        return !closed;
    }

    void ensureOpen() throws SocketException {
        if (closed) {
            throw new SocketException("Socket closed");
        }
    }

    // Connecting.

    @Override
    protected void connect(String host, int port) throws IOException {
        connect(new InetSocketAddress(host, port), 0);
    }

    @Override
    protected void connect(InetAddress host, int port) throws IOException {
        connect(new InetSocketAddress(host, port), 0);
    }

    @Override
    protected void connect(SocketAddress remote, int timeout) throws IOException {
        if (closed && remote instanceof InetSocketAddress inet && inet.isUnresolved()) {
            throw new UnknownHostException(inet.getHostName());
        }
        connectLock.lock();
        try {
            connectAlone(remote, timeout);
        } finally {
            connectLock.unlock();
        }
    }

    private void connectAlone(SocketAddress remote, int timeout) throws IOException {
        ensureOpen();
        Socket before = tcp.orNull();
        if (connection != null || before != null && before.isConnected()) {
            close(); // As in the JDK. Its Socket has checked this before, so another thread has connected meanwhile.
            throw new SocketException("Already connected");
        }
        if (datagrams) {
            tcp.set(plainSockets.datagrams((InetSocketAddress) remote));
            return;
        }
        long startNs = System.nanoTime();
        if (remote instanceof InetSocketAddress inet && !inet.isUnresolved()) {
            InetSocketAddress host = Wildcards.ofSocket(inet);
            Endpoint endpoint = host == null ? null : Rendezvous.get().tryConnect(host, timeout, tcp, Face.NET);
            if (endpoint != null) {
                established(endpoint);
                if (timeout == 0
                        && Threads.currentIsVirtual()
                        && Thread.currentThread().isInterrupted()) {
                    close();
                    throw CLOSES_FOR_AN_INTERRUPT_ALONE
                            ? streams.interrupted()
                            : new SocketException("Closed by interrupt");
                }
                return;
            }
        }
        try {
            tcp.get().connect(remote, NanoClock.remainingMs(timeout, startNs));
        } catch (IOException e) {
            if (isOfAnInterrupt(e)) {
                close();
                throw streams.interrupted();
            }
            // JDK 17 leaves a socket open if its connect has not even begun; later JDKs do not.
            if (!(e instanceof UnknownHostException) || tcp.get().isClosed()) {
                close();
            }
            throw e;
        }
        fd = plainSockets.descriptor(tcp.get());
        Rendezvous.get().connectedTcp(remote);
    }

    /** {@return whether an interrupt of its virtual thread has closed the plain socket} The program's must be, too. */
    private boolean isOfAnInterrupt(IOException failure) throws IOException {
        return CLOSES_FOR_AN_INTERRUPT_ALONE
                && Threads.currentIsVirtual()
                && Thread.currentThread().isInterrupted()
                && tcp.get().isClosed()
                && failure instanceof SocketException;
    }

    private void established(Endpoint endpoint) throws IOException {
        ExsConnection made = new ExsConnection(endpoint);
        synchronized (stateLock) {
            if (!closed) {
                connection = made;
                holding = new Holding(this, made, null, tcp.orNull());
                tcp.chosen.applyTo(made);
                return;
            }
        }
        made.close(Close.ORDERLY);
        throw new SocketException("Socket closed");
    }

    @Override
    protected void bind(InetAddress host, int port) throws IOException {
        ensureOpen();
        if (!server) {
            tcp.get().bind(new InetSocketAddress(host, port));
        } else {
            listening.bind(new InetSocketAddress(host, port));
        }
    }

    @Override
    protected void listen(int backlog) throws IOException {
        ensureOpen();
        listening.listen(backlog);
        synchronized (stateLock) {
            if (!closed) {
                holding = new Holding(this, null, listening, null);
            }
        }
    }

    // Accepting.

    @Override
    protected void accept(SocketImpl target) throws IOException {
        ensureOpen();
        if (!(target instanceof ExsSocketImpl accepted)) {
            throw new SocketException("accept: not a socket implementation of this provider: " + target.getClass());
        }
        if (listening == null) {
            throw new SocketException("Socket not created");
        }
        Acceptor.Accepted<Socket> result;
        try {
            result = listening.accept(streams.readWaitNow());
        } finally {
            // Keeps the listener reachable: the program may never use it again after this accept.
            Reference.reachabilityFence(this);
        }
        if (result.endpoint() != null) {
            accepted.tcp.inherit(listening.inheritable());
            accepted.established(result.endpoint());
        } else if (result.tcp() != null) {
            accepted.acceptedTcp(result.tcp());
        } else {
            throw switch (result.outcome()) {
                case Outcome.TIMED_OUT -> new SocketTimeoutException("Accept timed out");
                case Outcome.INTERRUPTED -> streams.interrupted();
                default -> streams.closedMeanwhile();
            };
        }
    }

    private void acceptedTcp(Socket accepted) {
        platform = null;
        tcp.set(accepted);
        fd = plainSockets.descriptor(accepted);
    }

    // Transfer.

    @Override
    protected InputStream getInputStream() throws IOException {
        ExsConnection exs = connection;
        return exs != null ? new ConnectionInputStream(exs, streams) : PlainStreams.input(tcp.get(), streams);
    }

    @Override
    protected OutputStream getOutputStream() throws IOException {
        ExsConnection exs = connection;
        return exs != null ? new ConnectionOutputStream(exs, streams) : PlainStreams.output(tcp.get(), streams);
    }

    @Override
    protected int available() throws IOException {
        ensureOpen();
        ExsConnection exs = connection;
        return exs != null
                ? exs.available()
                : inputShut ? 0 : tcp.get().getInputStream().available();
    }

    @Override
    protected boolean supportsUrgentData() {
        return true;
    }

    @Override
    protected void sendUrgentData(int data) throws IOException {
        ensureOpen();
        ExsConnection exs = connection;
        if (exs == null) {
            tcp.get().sendUrgentData(data);
            return;
        }
        switch (exs.writeUrgent((byte) data, streams.writeWait())) {
            case Outcome.INTERRUPTED -> throw streams.interrupted();
            case Outcome.CLOSED -> throw streams.closedMeanwhile();
            case Outcome.OUTPUT_SHUT -> throw exs.cannotSend(); // The JDK leaves this to the kernel.
            default -> {}
        }
    }

    // Ending.

    @Override
    protected void shutdownInput() throws IOException {
        ensureOpen();
        inputShut = true;
        if (connection != null) {
            connection.shutdownInput();
        } else {
            tcp.get().shutdownInput();
        }
    }

    @Override
    protected void shutdownOutput() throws IOException {
        ensureOpen();
        if (connection != null) {
            connection.shutdownOutput();
        } else {
            tcp.get().shutdownOutput();
        }
    }

    @Override
    public void close() throws IOException {
        synchronized (stateLock) {
            if (closed) {
                return;
            }
            closed = true;
        }
        if (listening != null) {
            listening.close();
        }
        closeConnection();
        Holding held = holding;
        if (held != null) {
            held.end();
        }
    }

    private void closeConnection() throws IOException {
        ExsConnection exs = connection;
        Socket plain = tcp.onClose();
        try {
            if (exs != null) {
                // As in the JDK, the peer gets the end of the stream even if a reset is to follow.
                exs.close(Close.OUTPUT_FIRST);
                int lingerSeconds = tcp.chosen.lingerSeconds();
                if (lingerSeconds > 0) {
                    exs.awaitClosed(lingerSeconds * 1_000_000_000L);
                }
            }
        } finally {
            if (plain != null) {
                plain.close();
            }
        }
    }

    // Addresses.

    @Override
    protected @Nullable InetAddress getInetAddress() {
        if (connection != null) {
            return connection.remoteHost();
        }
        if (server) {
            return listening.socket().getInetAddress();
        }
        Socket plain = tcp.orNull();
        return plain == null ? null : plain.getInetAddress();
    }

    @Override
    protected int getPort() {
        if (connection != null) {
            return connection.remoteAddress().getPort();
        }
        Socket plain = tcp.orNull();
        return plain == null ? 0 : plain.getPort();
    }

    @Override
    protected int getLocalPort() {
        if (connection != null) {
            return connection.localAddress().getPort();
        }
        if (server) {
            return listening.localPort();
        }
        Socket plain = tcp.orNull();
        return plain == null ? 0 : Math.max(0, plain.getLocalPort());
    }

    InetAddress localHost() throws IOException {
        if (connection != null) {
            return connection.localHost();
        }
        return server ? listening.socket().getInetAddress() : tcp.get().getLocalAddress();
    }

    // Options.

    @Override
    protected Set<SocketOption<?>> supportedOptions() {
        return server ? listening.socket().supportedOptions() : tcp.supportedOptions();
    }

    /** An unsupported option is reported as such even if the socket is closed. */
    private void ensureOpenFor(SocketOption<?> name) throws SocketException {
        if (closed && !supportedOptions().contains(name)) {
            throw new UnsupportedOperationException("'" + name + "' not supported");
        }
        ensureOpen();
    }

    @Override
    protected <T> void setOption(SocketOption<T> name, T value) throws IOException {
        if (closed && supportedOptions().contains(name) && !name.type().isInstance(value)) {
            throw new IllegalArgumentException("Invalid value '" + value + "'"); // As in the JDK, before the state.
        }
        ensureOpenFor(name);
        if (server) {
            listening.setOption(name, value);
        } else {
            tcp.setOption(name, value);
        }
    }

    @Override
    protected <T> T getOption(SocketOption<T> name) throws IOException {
        ensureOpenFor(name);
        return server ? listening.socket().getOption(name) : tcp.getOption(name);
    }

    @Override
    public void setOption(int id, Object value) throws SocketException {
        ensureOpen();
        if (id == SO_TIMEOUT) {
            streams.setTimeout((Integer) value);
        }
        try {
            if (server) {
                listening.setOption(id, value);
            } else {
                tcp.setOption(id, value);
            }
        } catch (IOException e) {
            throw ImplStreams.asSocketException(e);
        }
    }

    @Override
    public Object getOption(int id) throws SocketException {
        ensureOpen();
        try {
            return switch (id) {
                case SO_TIMEOUT -> streams.timeoutMs();
                case SO_BINDADDR -> localHost();
                default -> server ? NumberedOptions.get(listening.socket(), id) : tcp.getOption(id);
            };
        } catch (IOException e) {
            throw ImplStreams.asSocketException(e);
        }
    }
}
