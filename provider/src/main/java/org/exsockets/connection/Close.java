package org.exsockets.connection;

/** How a connection is closed; each is an {@link #ABORT} if SO_LINGER is 0. */
public enum Close {
    /** With the end of the stream if everything that arrived was read, with a reset otherwise. */
    ORDERLY,

    /**
     * As {@link #ORDERLY}, but the end of the stream is sent before a reset, too, if the peer has room for more bytes. The
     * rest, a reset or not, follows when no selector looks at the connection any more. Until then the peer can write.
     */
    OUTPUT_FIRST,

    /** With a reset. */
    ABORT
}
