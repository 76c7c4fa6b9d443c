package org.exsockets.api;

import java.io.IOException;

/** EXS was required but is unavailable to this peer: the message has the reason and the address. */
public final class ExsUnavailableException extends IOException {
    private static final long serialVersionUID = 1;

    public ExsUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
