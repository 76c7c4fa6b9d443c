package org.exsockets.verbs;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A failed connect after which the caller can fall back, or a hand-shake that the acceptor refused. */
public final class ConnectFailure extends IOException {
    private static final long serialVersionUID = 1;

    /** The kinds that statistics distinguish. */
    public enum Kind {
        REFUSED,
        BACKLOG_FULL,
        NO_MEMORY,
        NO_DESCRIPTORS,
        /** This process shares as much memory as it may: {@link DeviceOptions#sharedBytes}. */
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
        /** The peer, or its host, did not answer in time. */
        TIMED_OUT,
        /** The limit of locked memory (RLIMIT_MEMLOCK) of this process or the peer's is reached. */
        LOCKED_MEMORY,
        /** The network, or the peer's kernel, gave this connect up; the next one may succeed. */
        PASSING,
        FAILED
    }

    private final Kind kind;

    public ConnectFailure(Kind kind, String message) {
        this(kind, message, null);
    }

    public ConnectFailure(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** No stack trace: the place does not matter, and many connects fail. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }

    public Kind kind() {
        return kind;
    }
}
