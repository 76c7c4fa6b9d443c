package org.exsockets.api;

import java.io.IOException;

/**
 * How one operation has ended ({@code exs_event_t}). The objects are the program's, filled in by
 * {@link EventQueue#dequeue} and meant to be used again and again; what one says holds until it is filled again. Not for
 * use by two threads at once.
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
        /** By {@link ExsSocket#cancel}. {@link #length} says what had been moved before. */
        CANCELLED,
        /** By the close of the socket. {@link #length} says what had been moved before. */
        CLOSED,
        /** {@link #failure} says why. {@link #length} says what had been moved before. */
        FAILED
    }

    /** {@return {@code count} events for {@link EventQueue#dequeue}} */
    static Event[] array(int count) {
        return Binding.provider().events(count);
    }

    Type type();

    Status status();

    /** {@return why the operation failed; null unless {@link #status} is FAILED} */
    IOException failure();

    /** {@return what the call that started the operation returned} */
    long operation();

    /** {@return what was given with the operation; may be null} */
    Object context();

    /** {@return the socket that the operation was started on; null for an ACCEPT} */
    ExsSocket socket();

    /** {@return the connection of an ACCEPT that is DONE; otherwise null} */
    ExsSocket accepted();

    /** {@return bytes moved by a SEND, RECEIVE or WRITE; otherwise 0} */
    int length();

    /**
     * {@return whether a RECEIVE has met the end of what the peer sends} On a STREAM socket {@link #length} may be beyond
     * 0 with {@link ExsSocket#MSG_WAITALL}: the bytes before the end. A packet of no bytes is not the end.
     */
    boolean endOfStream();

    /** {@return whether a RECEIVE of a packet was shorter than the packet, whose rest is lost} */
    boolean truncated();

    /** {@return bytes of the whole packet of a RECEIVE, however many were taken; 0 on a STREAM socket} */
    int packetLength();

    /**
     * {@return the number of the export that the peer has written to and told of by {@link ExsSocket#MSG_NOTIFY}: this
     * RECEIVE has brought no packet but that message; 0 if it has brought a packet}
     */
    int notifiedExport();

    /** {@return where in the export the bytes of {@link #notifiedExport} begin} */
    long notifiedOffset();

    /** {@return how many bytes those are} */
    int notifiedLength();
}
