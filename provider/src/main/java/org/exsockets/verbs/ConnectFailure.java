package org.exsockets.verbs;

import java.io.IOException;

/** A connect that failed in a way the caller can fall back from, or a hand-shake refused by the acceptor. */
public final class ConnectFailure extends IOException {
    private static final long serialVersionUID = 1;

    /** The kinds that are told apart in statistics. */
    public enum Kind {
        REFUSED,
        BACKLOG_FULL,
        NO_MEMORY,
        NO_DESCRIPTORS,
        /** What this process may share, {@link DeviceOptions#sharedBytes}, is used up. */
        MEMORY_LIMIT,
        /** The listener's process has no descriptors, or no room for another mapping, or may share no more. */
        PEER_EXHAUSTED,
        /** The device may not tell the peer this address of the client. */
        UNSUPPORTED_ADDRESS,
        OTHER_USER,
        VERSION,
        /** The listener there speaks another upper protocol. */
        OTHER_PROTOCOL,
        /** No address of the device leads there. */
        NO_ROUTE,
        /** The peer, or its host, gave no answer in time. */
        TIMED_OUT,
        /** The limit of locked memory (RLIMIT_MEMLOCK) of this process or the peer's. */
        LOCKED_MEMORY,
        FAILED
    }

    private final Kind kind;

    public ConnectFailure(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** Where it happened is nobody's concern, and many connects end so. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }

    public Kind kind() {
        return kind;
    }
}
