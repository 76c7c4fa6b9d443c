package org.exsockets.api;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Accepts connections of one type. With type STREAM it also accepts those of ordinary sockets, over EXS and over TCP.
 * With type SEQPACKET it resets connections over TCP. Thread-safe.
 */
public interface ExsServerSocket extends AutoCloseable {
    /**
     * Listens.
     *
     * @param local port 0 for any; the wildcard address for all addresses of this host
     * @param backlog connections that may wait to be accepted; less than 1 for a default
     * @throws ExsUnavailableException if the type is SEQPACKET and no device can listen there
     * @throws IOException as TCP's bind
     */
    static ExsServerSocket listen(SocketType type, InetSocketAddress local, int backlog) throws IOException {
        return Binding.provider().listen(type, local, backlog);
    }

    SocketType type();

    InetSocketAddress localAddress();

    /**
     * Starts to accept one connection ({@code exs_accept}); any number may be under way.
     *
     * @param context comes back with the event; may be null
     * @return the operation's number, unique for this object
     * @throws java.nio.channels.ClosedChannelException if this is closed
     * @throws IllegalStateException if the queue is full or closed
     */
    long accept(EventQueue queue, @Nullable Object context) throws IOException;

    /** As {@link ExsSocket#cancel}. */
    boolean cancel(long operation);

    /** Stops listening. Accepts under way end with status CLOSED, connections not accepted are reset. Idempotent. */
    @Override
    void close();
}
