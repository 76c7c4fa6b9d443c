package org.exsockets.verbs;

import java.io.IOException;

/** A device cannot be opened because descriptors or mappings are exhausted; a later attempt may succeed. */
public final class NotNowException extends IOException {
    private static final long serialVersionUID = 1L;

    public NotNowException(String message, Throwable cause) {
        super(message, cause);
    }
}
