package org.exsockets.verbs;

/** Why an end disconnected; travels to the peer. Codes are part of the wire format: append only. */
public enum DisconnectReason {
    /** No reason was given: the peer is connected, or was killed. */
    NONE,
    /** The peer closed in order; everything it sent had been posted before. */
    ORDERLY,
    /** The peer aborted: what it had not read is lost. */
    ABORT,
    /** The peer found a violation of the protocol. */
    VIOLATION;

    private static final DisconnectReason[] VALUES = values();

    /** {@return the reason for {@code code}; unknown codes are aborts} */
    public static DisconnectReason of(int code) {
        return code >= 0 && code < VALUES.length ? VALUES[code] : ABORT;
    }

    public int code() {
        return ordinal();
    }
}
