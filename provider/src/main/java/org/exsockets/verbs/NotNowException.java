package org.exsockets.verbs;

import java.io.IOException;

/** A device cannot be opened for want of descriptors or mappings, which there may be later: it is worth another try then. */
public final class NotNowException extends IOException {
    private static final long serialVersionUID = 1L;

    public NotNowException(String message, Throwable cause) {
        super(message, cause);
    }
}
