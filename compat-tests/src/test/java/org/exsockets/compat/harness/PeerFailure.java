package org.exsockets.compat.harness;

import java.io.IOException;

/** What a call in a peer process threw there, told by name. */
public final class PeerFailure extends IOException {
    private static final long serialVersionUID = 1L;

    private final String thrownClass;
    private final String thrownMessage;

    PeerFailure(String thrownClass, String thrownMessage) {
        super("peer: " + thrownClass + ": " + thrownMessage);
        this.thrownClass = thrownClass;
        this.thrownMessage = thrownMessage;
    }

    public String thrownClass() {
        return thrownClass;
    }

    public String thrownMessage() {
        return thrownMessage;
    }
}
