package org.exsockets.net;

import java.io.FileDescriptor;
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
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.exsockets.config.Face;
import org.exsockets.jdk.Threads;
import org.exsockets.jdk.Wildcards;
import org.exsockets.progress.Outcome;
import org.exsockets.rendezvous.Acceptor;
import org.exsockets.rendezvous.InheritedOptions;
import org.exsockets.rendezvous.Rendezvous;
import org.exsockets.rendezvous.TcpSide;
import org.exsockets.socket.ChosenBuffers;
import org.exsockets.socket.Close;
import org.exsockets.socket.ExsConnection;
import org.exsockets.verbs.Endpoint;

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

    /**
     * The options of all clients, written by any of them. Null until one is created. Kept because a closed client
     * cannot find them out, nor can its implementation be used again (JDK 25).
     */
    private static volatile Set<SocketOption<?>> clientOptions;

    private final PlainSockets plainSockets;
    private final boolean server;

    /** The platform's implementation behind this one, for {@link #tcp} or {@link #listening}; null: none. */
    private SocketImpl platform;

    /** The TCP side of a client; made when first needed. */
    private final TcpSide<Socket> tcp = new Plain();

    /** Of a server, once it is created. */
    private volatile ListeningSide listening;

    /** Whether it is a UDP socket, as possible before JDK 25; set before the program has it. */
    private boolean datagrams;

    private volatile ExsConnection connection;

    /** Null as long as only the TCP side is open, which the platform closes if the program loses it. */
    private volatile Holding holding;

    private final ImplStreams streams = new ImplStreams(this);

    private final Rendezvous.LocalBinding binding = new Binding();

    /** SO_OOBINLINE, as the program has set it. */
    private volatile boolean urgentInline;

    private final ChosenBuffers buffers = new ChosenBuffers();

    /** The program has set SO_LINGER at least once; {@link #tcp} has its value. Never reset. */
    private volatile boolean lingers;

    private volatile boolean inputShut;

    /** Serialises connects: a socket is connected once. Held while a connect waits; never taken by close. */
    private final ReentrantLock connectLock = new ReentrantLock();

    /** Protects the decision for EXS against closing; never held long. */
    private final Object stateLock = new Object();

    private volatile boolean closed;

    private ExsSocketImpl(PlainSockets plainSockets, SocketImpl platform, boolean server) {
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
        } else if (clientOptions == null) {
            clientOptions = plain().supportedOptions();
        }
    }

    private final class Plain extends TcpSide<Socket> {
        @Override
        protected boolean isOpen() {
            return !closed;
        }

        @Override
        protected Socket make(InheritedOptions options) throws IOException {
            Socket made = plainSockets.socket(platform);
            options.applyTo(new InheritedOptions.Target() {
                @Override
                public void set(SocketOption<Object> name, Object value) throws IOException {
                    made.setOption(name, value);
                }
            });
            if (streams.timeoutMs() != 0) {
                made.setSoTimeout(streams.timeoutMs());
            }
            Holding held = holding;
            if (held != null) {
                held.alsoHolds(made);
            }
            return made;
        }

        @Override
        protected Socket closed() throws SocketException {
            throw new SocketException("Socket closed");
        }
    }

    /** {@return the TCP side of a client; made now if there is none} */
    private Socket plain() throws IOException {
        return tcp.get();
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
            Endpoint endpoint = host == null ? null : Rendezvous.get().tryConnect(host, timeout, binding, Face.NET);
            if (endpoint != null) {
                established(endpoint);
                return;
            }
        }
        try {
            plain().connect(remote, Rendezvous.remainingMs(timeout, startNs));
        } catch (IOException e) {
            if (isOfAnInterrupt(e)) {
                close();
                throw streams.interrupted();
            }
            // JDK 17 leaves a socket open if its connect has not even begun; later JDKs do not.
            if (!(e instanceof UnknownHostException) || plain().isClosed()) {
                close();
            }
            throw e;
        }
        Rendezvous.get().connectedTcp(remote);
    }

    /**
     * {@return whether the plain socket has closed itself because its virtual thread was interrupted} The program's
     * socket must, too; from JDK 24 on it does so after any failure.
     */
    private boolean isOfAnInterrupt(IOException failure) throws IOException {
        return CLOSES_FOR_AN_INTERRUPT_ALONE
                && Threads.currentIsVirtual()
                && Thread.currentThread().isInterrupted()
                && plain().isClosed()
                && failure instanceof SocketException;
    }

    /** The local address of connections over EXS. */
    private final class Binding implements Rendezvous.LocalBinding {
        @Override
        public InetSocketAddress bound() {
            Socket plain = tcp.orNull();
            return plain == null ? null : (InetSocketAddress) plain.getLocalSocketAddress();
        }

        @Override
        public InetSocketAddress bind() throws IOException {
            if (bound() == null) {
                plain().bind(null);
            }
            return bound();
        }
    }

    private void established(Endpoint endpoint) throws IOException {
        ExsConnection made = new ExsConnection(endpoint);
        synchronized (stateLock) {
            if (!closed) {
                connection = made;
                holding = Holding.of(this, made, tcp.orNull());
                if (urgentInline) {
                    made.setUrgentInline(true);
                }
                buffers.applyTo(made);
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
            plain().bind(new InetSocketAddress(host, port));
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
                holding = Holding.of(this, listening);
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
        Acceptor.Accepted<Socket> result;
        try {
            result = listening.accept(streams.readWaitNow());
        } finally {
            // Keeps the listener reachable: the program may never use it again after this accept.
            Reference.reachabilityFence(this);
        }
        if (result.endpoint() != null) {
            accepted.tcp.inherit(listening.inheritable());
            accepted.buffers.inherit(listening.inheritable());
            accepted.established(result.endpoint());
        } else if (result.tcp() != null) {
            accepted.acceptedTcp(result.tcp());
        } else {
            throw acceptFailed(result.outcome());
        }
    }

    private IOException acceptFailed(int outcome) throws IOException {
        return switch (outcome) {
            case Outcome.TIMED_OUT -> new SocketTimeoutException("Accept timed out");
            case Outcome.INTERRUPTED -> streams.interrupted();
            default -> new SocketException("Socket closed");
        };
    }

    private void acceptedTcp(Socket accepted) {
        platform = null;
        tcp.set(accepted);
    }

    // Transfer.

    @Override
    protected InputStream getInputStream() throws IOException {
        ExsConnection exs = connection;
        return exs != null ? streams.input(exs) : streams.input(plain());
    }

    @Override
    protected OutputStream getOutputStream() throws IOException {
        ExsConnection exs = connection;
        return exs != null ? streams.output(exs) : streams.output(plain());
    }

    @Override
    protected int available() throws IOException {
        ensureOpen();
        ExsConnection exs = connection;
        return exs != null
                ? exs.available()
                : inputShut ? 0 : plain().getInputStream().available();
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
            plain().sendUrgentData(data);
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
            plain().shutdownInput();
        }
    }

    @Override
    protected void shutdownOutput() throws IOException {
        ensureOpen();
        if (connection != null) {
            connection.shutdownOutput();
        } else {
            plain().shutdownOutput();
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
                int lingerSeconds = lingers && plain != null && !plain.isClosed() ? plain.getSoLinger() : -1;
                // As in the JDK, the peer gets the end of the stream even if a reset is to follow.
                exs.close(lingerSeconds == 0 ? Close.ABORT : Close.OUTPUT_FIRST);
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
    protected FileDescriptor getFileDescriptor() {
        return null;
    }

    @Override
    protected InetAddress getInetAddress() {
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
        return server ? listening.socket().getInetAddress() : plain().getLocalAddress();
    }

    // Options.

    @Override
    protected Set<SocketOption<?>> supportedOptions() {
        if (server) {
            return listening.socket().supportedOptions();
        }
        Set<SocketOption<?>> known = clientOptions;
        if (known != null) {
            return known;
        }
        try {
            return closed ? ofAnother() : plain().supportedOptions();
        } catch (IOException noDescriptors) {
            return Set.of();
        }
    }

    /** {@return the options for a closed socket that was accepted over EXS, if no client was ever created} */
    private Set<SocketOption<?>> ofAnother() throws IOException {
        try (Socket open = plainSockets.socket(platform)) {
            return open.supportedOptions();
        }
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
        ensureOpenFor(name);
        if (server) {
            listening.setOption(name, value);
            return;
        }
        if (!tcp.keep(before -> before.keeping(name, value))) {
            plain().setOption(name, value);
            lingers |= name.equals(StandardSocketOptions.SO_LINGER);
        }
        takeBuffer(name, value);
    }

    @Override
    protected <T> T getOption(SocketOption<T> name) throws IOException {
        ensureOpenFor(name);
        if (server) {
            return listening.socket().getOption(name);
        }
        @SuppressWarnings("unchecked")
        T known = (T) tcp.known(name);
        return known != null ? known : plain().getOption(name);
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
                return;
            }
            boolean kept = tcp.keep(before -> NumberedOptions.keeping(before, id, value));
            if (!kept && (id != SO_TIMEOUT || tcp.orNull() != null)) {
                NumberedOptions.set(plain(), id, value);
                lingers |= id == SO_LINGER;
            }
            if (id == SO_OOBINLINE) {
                takeUrgentInline((Boolean) value);
            } else if (id == SO_RCVBUF) {
                takeBuffer(StandardSocketOptions.SO_RCVBUF, value);
            } else if (id == SO_SNDBUF) {
                takeBuffer(StandardSocketOptions.SO_SNDBUF, value);
            }
        } catch (SocketException e) {
            throw e;
        } catch (IOException e) {
            throw new SocketException(e.getMessage());
        }
    }

    /** The flag is written first: a connection that is just being made reads it, or is found here. */
    private void takeUrgentInline(boolean inline) {
        urgentInline = inline;
        ExsConnection exs = connection;
        if (exs != null) {
            exs.setUrgentInline(inline);
        }
    }

    /** As {@link #takeUrgentInline}, for SO_RCVBUF and SO_SNDBUF; other options are ignored. */
    private void takeBuffer(SocketOption<?> name, Object value) {
        if (buffers.choose(name, value)) {
            buffers.applyTo(connection);
        }
    }

    private Object numbered(int id) throws IOException {
        SocketOption<?> name = NumberedOptions.keepable(id);
        Object known = name == null ? null : tcp.known(name);
        return known != null ? known : NumberedOptions.get(plain(), id);
    }

    @Override
    public Object getOption(int id) throws SocketException {
        ensureOpen();
        try {
            return switch (id) {
                case SO_TIMEOUT -> streams.timeoutMs();
                case SO_BINDADDR -> localHost();
                default -> server ? NumberedOptions.get(listening.socket(), id) : numbered(id);
            };
        } catch (SocketException e) {
            throw e;
        } catch (IOException e) {
            throw new SocketException(e.getMessage());
        }
    }
}
