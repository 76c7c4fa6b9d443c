package org.exsockets.es;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.exsockets.socket.Outcome;

/** What an established STREAM socket moves its bytes over. Used under the socket's lock, where not marked otherwise. */
interface StreamWire {
    /** {@return bytes read into {@code target}, or a code of {@link Outcome}} */
    int read(ByteBuffer target) throws IOException;

    /** {@return bytes written from {@code source}, or a code of {@link Outcome}} */
    int write(ByteBuffer source) throws IOException;

    void shutdownOutput() throws IOException;

    /** @param reset whether the peer is to see a reset; it may in any case, as with TCP */
    void close(boolean reset);

    /** A queue polls the socket from now on. */
    void attached(Attachment attachment);

    /** A queue has forgotten the socket; any thread, after {@link #attached}. */
    void detached(Attachment attachment);

    /** As {@link Pollable#hasNews}; any thread, without the lock, between {@link #attached} and {@link #detached}. */
    boolean hasNews();

    /** As {@link Pollable#arm}, without the work. */
    void arm();

    boolean polled();

    long wakeUpNs();

    /** As {@link Pollable#channels}. */
    void channels(Pollable.Channels visitor, boolean reading, boolean writing);

    void onReady();

    InetSocketAddress localAddress();

    InetSocketAddress remoteAddress();

    String transport();
}
