package org.exsockets.api;

/** What a socket carries. Both ends have the same type. */
public enum SocketType {
    /** Bytes in order, without boundaries, as TCP. Peers may be ordinary sockets, over EXS or over TCP. */
    STREAM,

    /**
     * Packets in order: each send is one packet, each receive takes one, whole or truncated. Both ends use this API,
     * and the connection is always EXS.
     */
    SEQPACKET
}
