package org.exsockets.nio.transport;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import org.exsockets.connection.Close;
import org.exsockets.connection.ExsConnection;
import org.exsockets.verbs.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * Whether a channel uses EXS or TCP. {@link ChannelConnector} takes the steps.
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
public final class TransportDecision {
    enum State {
        UNDECIDED,
        CONNECTING,
        EXS_PENDING,
        EXS,
        TCP_ENDED,
        TCP
    }

    private final SocketChannel channel;

    /** Has a channel in states TCP and TCP_ENDED. */
    private final ChannelTcp tcp;

    /** Protects the changes of {@link #state} and {@link #connection} against close; never held long. */
    private final Object stateLock = new Object();

    volatile State state = State.UNDECIDED;

    /** Written before the state says EXS or EXS_PENDING; never in TCP. */
    private volatile @Nullable ExsConnection connection;

    /** Destination of CONNECTING. Null before it. */
    private volatile @Nullable InetSocketAddress target;

    /**
     * Whether the peer's program may know of a connection in CONNECTING: TCP's connect is being called, or the peer has
     * answered the device. Written by the thread that decides, or one of the device, before that.
     */
    private volatile boolean answered;

    /** The failure of TCP's connect in TCP_ENDED; null if it succeeded. Written before the state. */
    @Nullable
    Exception tcpFailure;

    public TransportDecision(SocketChannel channel, ChannelTcp tcp) {
        this.channel = channel;
        this.tcp = tcp;
    }

    /** For a new channel around one that the JDK has accepted. */
    public void startWith(SocketChannel accepted) {
        tcp.set(accepted);
        state = State.TCP;
    }

    /** For a new channel that was accepted over EXS. */
    public void startWith(ExsConnection exs) {
        tcp.chosen.applyTo(exs);
        connection = exs;
        state = State.EXS;
    }

    /** {@return the connection, finished or not; null if this is TCP or undecided} */
    public @Nullable ExsConnection connection() {
        return connection;
    }

    /** {@return the connection if it is EXS and finished, or null} */
    public @Nullable ExsConnection exs() {
        return state == State.EXS ? connection : null;
    }

    /** {@return whether the channel, if it is open, is connected} */
    @SuppressWarnings("NullAway") // In state TCP there is a channel.
    public boolean isConnected() {
        State now = state;
        return now == State.EXS || now == State.TCP && tcp.orNull().isConnected();
    }

    /** {@return whether a connect of the channel, if it is open, waits to be finished} */
    @SuppressWarnings("NullAway") // In state TCP there is a channel.
    public boolean isPending() {
        State now = state;
        return now == State.CONNECTING
                || now == State.EXS_PENDING
                || now == State.TCP_ENDED
                || now == State.TCP && tcp.orNull().isConnectionPending();
    }

    /** {@return the local address; null if there is none yet} */
    public @Nullable SocketAddress localAddress() throws IOException {
        ExsConnection exs = connection;
        if (exs != null) {
            return exs.localAddress();
        }
        SocketChannel overTcp = tcp.orNull();
        return overTcp == null ? null : overTcp.getLocalAddress();
    }

    /** {@return the remote address, also of a connect in the background; null if there is none} */
    public @Nullable SocketAddress remoteAddress() throws IOException {
        ExsConnection exs = connection;
        if (exs != null) {
            return exs.remoteAddress();
        }
        SocketChannel overTcp = tcp.orNull();
        SocketAddress remote = overTcp == null ? null : overTcp.getRemoteAddress();
        return remote != null ? remote : target;
    }

    /** {@return the destination of a connect in the background that is not finished; null if there is none} */
    public @Nullable InetSocketAddress pendingTarget() {
        State now = state;
        return now == State.CONNECTING || now == State.TCP_ENDED ? target : null;
    }

    /** {@return whether it is decided how a finishConnect ends; false for TCP's own pending connects} */
    boolean canFinishConnect() {
        awaitAnswered();
        State now = state;
        return now == State.EXS_PENDING || now == State.TCP_ENDED;
    }

    /** {@return whether a finishConnect will throw; false for TCP's own pending connects} */
    boolean hasFailed() {
        return state == State.TCP_ENDED && tcpFailure != null;
    }

    // Changes.

    /** A connect begins in the background. */
    void begin(InetSocketAddress remote) throws ClosedChannelException {
        target = remote;
        change(State.CONNECTING);
    }

    /** EXS has connected. {@return false if the channel has been closed meanwhile; the connection is closed then} */
    boolean establish(Endpoint endpoint, State next) {
        ExsConnection established = new ExsConnection(endpoint);
        synchronized (stateLock) {
            if (channel.isOpen()) {
                connection = established;
                state = next;
                tcp.chosen.applyTo(established);
                return true;
            }
        }
        established.close(Close.ORDERLY);
        return false;
    }

    /** In state CONNECTING: the peer's program may know of the connection from now on. */
    void onAnswer() {
        answered = true;
    }

    /**
     * Waits until it is decided, if that takes microseconds: what the peer has accepted, no call of this side may miss.
     */
    void awaitAnswered() {
        while (answered && state == State.CONNECTING && channel.isOpen()) {
            Thread.yield();
        }
    }

    /** In state UNDECIDED or TCP: TCP connects, or has connected. */
    void becomeTcp() {
        state = State.TCP;
    }

    /** In state CONNECTING: TCP connects, or has connected at once. Nothing changes on a closed channel. */
    void decideForTcp(State next) {
        synchronized (stateLock) {
            if (channel.isOpen()) {
                state = next;
            }
        }
    }

    /** In state CONNECTING: TCP's connect has failed. */
    void tcpHasFailed(Exception failure) {
        tcpFailure = failure;
        decideForTcp(State.TCP_ENDED);
    }

    /** Changes the state of an open channel. */
    void change(State next) throws ClosedChannelException {
        synchronized (stateLock) {
            if (!channel.isOpen()) {
                throw new ClosedChannelException();
            }
            state = next;
        }
    }

    /** The channel has been closed: no connection is made from now on. {@return the one to close, or null} */
    @Nullable
    ExsConnection onClose() {
        synchronized (stateLock) {
            return connection;
        }
    }
}
