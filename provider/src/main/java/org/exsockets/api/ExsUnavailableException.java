package org.exsockets.api;

import java.io.IOException;

/** EXS was needed, and there is none to this peer: the message says why, with the address. */
public final class ExsUnavailableException extends IOException {
    private static final long serialVersionUID = 1;

    public ExsUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
