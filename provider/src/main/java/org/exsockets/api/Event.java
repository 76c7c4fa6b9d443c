package org.exsockets.api;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * How one operation has ended ({@code exs_event_t}). The program owns the objects and reuses them:
 * {@link EventQueue#dequeue} fills them in, and each keeps its contents until it is filled again. Not for use by two
 * threads at once.
 */
public interface Event {
    /** Which call has started the operation. */
    enum Type {
        CONNECT,
        ACCEPT,
        SEND,
        RECEIVE,
        /** {@link ExsSocket#write}. */
        WRITE,
        /** {@link ExsSocket#unexport}. */
        UNEXPORT
    }

    /** How it has ended. */
    enum Status {
        /** As asked. */
        DONE,
        /** By {@link ExsSocket#cancel}. {@link #length} counts the bytes moved before. */
        CANCELLED,
        /** By the close of the socket. {@link #length} counts the bytes moved before. */
        CLOSED,
        /** {@link #failure} says why. {@link #length} counts the bytes moved before. */
        FAILED
    }

    /** {@return {@code count} events for {@link EventQueue#dequeue}} */
    static Event[] array(int count) {
        return Binding.provider().events(count);
    }

    Type type();

    Status status();

    /** {@return why the operation failed; null unless {@link #status} is FAILED} */
    @Nullable
    IOException failure();

    /** {@return what the call that started the operation returned} */
    long operation();

    /** {@return the context given with the operation; may be null} */
    @Nullable
    Object context();

    /** {@return the socket that the operation was started on; null for an ACCEPT} */
    @Nullable
    ExsSocket socket();

    /** {@return the connection of an ACCEPT that is DONE; otherwise null} */
    @Nullable
    ExsSocket accepted();

    /** {@return bytes moved by a SEND, RECEIVE or WRITE; otherwise 0} */
    int length();

    /**
     * {@return whether a RECEIVE has reached the end of the peer's data} On a STREAM socket with
     * {@link ExsSocket#MSG_WAITALL}, {@link #length} may be greater than 0: the bytes before the end. An empty packet
     * is not the end.
     */
    boolean endOfStream();

    /** {@return whether a RECEIVE was shorter than its packet; the rest of the packet is discarded} */
    boolean truncated();

    /** {@return bytes of the whole packet of a RECEIVE, however many were received; 0 on a STREAM socket} */
    int packetLength();

    /**
     * {@return the number of the export that the peer has written to with {@link ExsSocket#MSG_NOTIFY}, if that has
     * ended this RECEIVE instead of a packet; otherwise 0}
     */
    int notifiedExport();

    /** {@return the offset in that export of the first byte written} */
    long notifiedOffset();

    /** {@return the number of bytes written} */
    int notifiedLength();
}
