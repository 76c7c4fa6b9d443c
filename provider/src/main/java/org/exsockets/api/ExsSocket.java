package org.exsockets.api;

import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * A connection, or one to be. Operations are started by a call that returns at once and end with one {@link Event} each,
 * in the queue that was named with them; any number may be under way. Thread-safe.
 *
 * <p>What a call can refuse it refuses by an exception, and there is no event then: {@link IndexOutOfBoundsException} for
 * ranges outside of memory, {@link IllegalArgumentException} for unknown flags and lengths that cannot be,
 * {@link java.nio.channels.NotYetConnectedException} and {@link java.nio.channels.ClosedChannelException},
 * {@link IllegalStateException} if the queue is full or closed or the memory is closed. Everything else is told by the event.
 */
public interface ExsSocket extends AutoCloseable {
    /** Flag of {@link #receive} on a STREAM socket: the event comes when all bytes asked for are there. */
    int MSG_WAITALL = 1;

    /** Flag of {@link #connect} on a STREAM socket: fail instead of falling back to TCP. */
    int EXS_ONLY = 2;

    /** Flag of {@link #write}: the peer's program is told, by an event of a receive of its. */
    int MSG_NOTIFY = 4;

    /** {@return a socket to {@link #connect}} */
    static ExsSocket open(SocketType type) {
        return Binding.provider().openSocket(type);
    }

    SocketType type();

    /**
     * Binds to a local address; without this, {@link #connect} does.
     *
     * @throws IOException as TCP's bind
     */
    ExsSocket bind(InetSocketAddress local) throws IOException;

    /**
     * Starts to connect ({@code exs_connect}). A STREAM socket whose peer has no EXS becomes TCP, unless {@link #EXS_ONLY}
     * is set; a SEQPACKET socket, or one with that flag, then fails with {@link ExsUnavailableException}, as does one whose
     * peer listens with the other type. After a failure the socket can only be closed.
     *
     * @param remote resolved
     * @param flags 0 or {@link #EXS_ONLY}
     * @param context comes back with the event; may be null
     * @return the operation's number, unique for this socket
     * @throws IOException if there are no descriptors left, or the socket is closed
     */
    long connect(InetSocketAddress remote, int flags, EventQueue queue, Object context) throws IOException;

    /**
     * Starts to send ({@code exs_send}). The event comes when the bytes have been taken out of {@code memory}, all of them.
     * On a SEQPACKET socket they are one packet, which may be empty; it leaves when the peer has a receive for it.
     *
     * @param flags 0
     * @return the operation's number, unique for this socket
     */
    long send(ExsMemory memory, int offset, int length, int flags, EventQueue queue, Object context) throws IOException;

    /**
     * Starts to receive ({@code exs_recv}). On a STREAM socket the event comes with the first bytes, or with all if
     * {@link #MSG_WAITALL} is set, or at the end of the stream with those before it. On a SEQPACKET socket it comes with
     * one packet.
     *
     * @param length ≥ 1 on a STREAM socket; on a SEQPACKET socket ≥ 0, and what of it the peer cannot write to where it lies
     *     is at most 128 KiB
     * @param flags 0 or {@link #MSG_WAITALL}
     * @return the operation's number, unique for this socket
     */
    long receive(ExsMemory memory, int offset, int length, int flags, EventQueue queue, Object context)
            throws IOException;

    /**
     * Cancels an operation ({@code exs_cancel}). Its event follows in any case: CANCELLED, or what it was if it ended before
     * that took effect: so goes a packet that is half under way. A write that is cancelled may have written some bytes, or
     * all of them, but the peer is not told. A connect cannot be cancelled but by {@link #close}, nor an unexport.
     *
     * @return whether the operation was still under way
     */
    boolean cancel(long operation);

    /** Ends what this side sends, behind the sends under way. The peer is told; receiving goes on. Idempotent. */
    void shutdownOutput() throws IOException;

    /**
     * Lets the peer write to memory by {@link #write} ({@code riomap}), from the moment it learns of it: what this side
     * sends afterwards reaches it later than that. SEQPACKET only. The range stays the peer's until {@link #unexport} has
     * ended or the socket is closed.
     *
     * @throws IOException if this device cannot let a peer write there: the message says what would do
     * @throws IllegalStateException if as many are exported as can be (4,096)
     * @throws UnsupportedOperationException on a STREAM socket
     */
    Export export(ExsMemory memory, int offset, int length) throws IOException;

    /**
     * Starts to take memory back from the peer. When the event is there, nothing of the peer's reaches it any more; writes
     * that it starts later fail at its side.
     *
     * @throws IllegalArgumentException if this socket does not export it, or it is being taken back already
     */
    long unexport(Export export, EventQueue queue, Object context) throws IOException;

    /**
     * Starts to write to memory that the peer exports ({@code riowrite}), in order with this side's sends. The event comes
     * when the bytes have been taken out of {@code memory}. SEQPACKET only.
     *
     * @param export {@link Export#number} at the peer; if there is no such export, or the range exceeds it, the operation
     *     fails and nothing is written
     * @param remoteOffset of the first byte written, from the beginning of the export
     * @param flags 0, or {@link #MSG_NOTIFY}: then the next receive of the peer ends when the bytes are there, without a
     *     packet, and its event tells the range
     * @return the operation's number, unique for this socket
     */
    long write(
            int export,
            long remoteOffset,
            ExsMemory memory,
            int offset,
            int length,
            int flags,
            EventQueue queue,
            Object context)
            throws IOException;

    /** {@return null until bound} */
    InetSocketAddress localAddress();

    /** {@return null until connected} */
    InetSocketAddress remoteAddress();

    /** {@return what the connection goes over: {@code "soft"} (shared memory), {@code "disni"} (RDMA) or {@code "tcp"}; null until connected} */
    String transport();

    /**
     * Closes. Operations under way end with status CLOSED; when this returns, none of them uses memory any more. If sends
     * were among them the peer gets a reset, otherwise the end of the stream behind all that was sent. Does not wait for the
     * peer to read; but where the peer writes to memory of receives by itself it waits until that is over: over shared memory
     * for 5 ms at most, over an adapter for 5 s, after which the memory is taken away or the connection is reset. Idempotent.
     */
    @Override
    void close();
}
