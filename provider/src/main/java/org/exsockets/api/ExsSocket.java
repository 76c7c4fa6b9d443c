package org.exsockets.api;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A connection, or a socket that is not connected yet. A call starts an operation and returns at once; the operation
 * ends with one {@link Event} in the queue that the call has named. Any number may be under way. Thread-safe.
 *
 * <p>A call that is refused throws an exception, and no event follows: {@link IndexOutOfBoundsException} for ranges
 * outside of memory, {@link IllegalArgumentException} for unknown flags and impossible lengths,
 * {@link java.nio.channels.NotYetConnectedException} and {@link java.nio.channels.ClosedChannelException},
 * {@link IllegalStateException} if the queue is full or closed or the memory is closed. Other failures come in the
 * event.
 */
public interface ExsSocket extends AutoCloseable {
    /** Flag of {@link #receive} on a STREAM socket: the event comes when all bytes asked for are there. */
    int MSG_WAITALL = 1;

    /** Flag of {@link #connect} on a STREAM socket: fail instead of falling back to TCP. */
    int EXS_ONLY = 2;

    /** Flag of {@link #write}: an event of one of the peer's receives tells its program. */
    int MSG_NOTIFY = 4;

    /** {@return a socket to {@link #connect}} */
    static ExsSocket open(SocketType type) {
        return Binding.provider().openSocket(type);
    }

    SocketType type();

    /**
     * Binds to a local address. Otherwise {@link #connect} binds.
     *
     * @throws IOException as TCP's bind
     */
    ExsSocket bind(InetSocketAddress local) throws IOException;

    /**
     * Starts to connect ({@code exs_connect}). If the peer has no EXS, a STREAM socket becomes TCP; with
     * {@link #EXS_ONLY}, and on a SEQPACKET socket, the connect fails with {@link ExsUnavailableException}. If the peer
     * listens with the other type, it fails so in any case. After a failure the socket can only be closed.
     *
     * @param remote resolved
     * @param flags 0 or {@link #EXS_ONLY}
     * @param context comes back with the event; may be null
     * @return the operation's number, unique for this socket
     * @throws IOException if there are no descriptors left, or the socket is closed
     */
    long connect(InetSocketAddress remote, int flags, EventQueue queue, @Nullable Object context) throws IOException;

    /**
     * Starts to send ({@code exs_send}). The event comes when all bytes have been read from {@code memory}. On a
     * SEQPACKET socket they are one packet, which may be empty; it is sent when the peer has a receive for it.
     *
     * @param flags 0
     * @return the operation's number, unique for this socket
     */
    long send(ExsMemory memory, int offset, int length, int flags, EventQueue queue, @Nullable Object context)
            throws IOException;

    /**
     * Starts to receive ({@code exs_recv}). On a STREAM socket the event comes with the first bytes, or with all if
     * {@link #MSG_WAITALL} is set, or, at the end of the stream, with the bytes before it. On a SEQPACKET socket it
     * comes with one packet.
     *
     * @param length ≥ 1 on a STREAM socket; on a SEQPACKET socket ≥ 0, at most 128 KiB of it in memory that the peer
     *     cannot write to directly
     * @param flags 0 or {@link #MSG_WAITALL}
     * @return the operation's number, unique for this socket
     */
    long receive(ExsMemory memory, int offset, int length, int flags, EventQueue queue, @Nullable Object context)
            throws IOException;

    /**
     * Cancels an operation ({@code exs_cancel}). Its event follows in any case: CANCELLED, or the usual event if the
     * operation ended before the cancel took effect. A packet that is half transferred goes on. A cancelled write may
     * have written some or all bytes, but does not notify the peer. Only {@link #close} cancels a connect or an
     * unexport.
     *
     * @return whether the operation was still under way
     */
    boolean cancel(long operation);

    /** Ends this end's output after the sends under way. The peer finds the end; receiving goes on. Idempotent. */
    void shutdownOutput() throws IOException;

    /**
     * Lets the peer {@link #write} to memory ({@code riomap}). The peer learns of the export before it gets what this
     * end sends afterwards. SEQPACKET only. The peer may write to the range until {@link #unexport} has ended or the
     * socket is closed.
     *
     * @throws IOException if this device cannot let the peer write there: the message says what is possible
     * @throws IllegalStateException if 4,096 ranges are exported already
     * @throws UnsupportedOperationException on a STREAM socket
     */
    Export export(ExsMemory memory, int offset, int length) throws IOException;

    /**
     * Starts to take memory back from the peer. From the event on the peer cannot write to it any more; writes that the
     * peer starts later fail at the peer.
     *
     * @throws IllegalArgumentException if this socket does not export the memory, or it is being taken back already
     */
    long unexport(Export export, EventQueue queue, @Nullable Object context) throws IOException;

    /**
     * Starts to write to memory that the peer exports ({@code riowrite}), in order with this end's sends. The event
     * comes when all bytes have been read from {@code memory}. SEQPACKET only.
     *
     * @param export {@link Export#number} at the peer; if there is no such export, or the range exceeds it, the
     *     operation fails, and nothing is written unless the peer has taken the export back meanwhile
     * @param remoteOffset of the first byte written, from the beginning of the export
     * @param flags 0, or {@link #MSG_NOTIFY}: then the peer's oldest receive ends without a packet when the bytes are
     *     there, and its event has the range
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
            @Nullable Object context)
            throws IOException;

    /** {@return null until bound} */
    @Nullable
    InetSocketAddress localAddress();

    /** {@return null until connected} */
    @Nullable
    InetSocketAddress remoteAddress();

    /** {@return {@code "soft"} (shared memory), {@code "disni"} (RDMA) or {@code "tcp"}; null until connected} */
    @Nullable
    String transport();

    /**
     * Closes. Operations under way end with status CLOSED; when this returns, none of them uses memory any more. If
     * there were sends among them the peer gets a reset, otherwise the end of the stream after all data. Does not wait
     * for the peer to read. Waits only while the peer writes directly to memory of receives: at most 5 ms over shared
     * memory and 5 s over an adapter, after which the memory is taken away or the connection is reset. Idempotent.
     */
    @Override
    void close();
}
