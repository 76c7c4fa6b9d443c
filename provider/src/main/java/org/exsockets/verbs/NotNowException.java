package org.exsockets.verbs;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A device cannot be opened because descriptors or mappings are exhausted; a later attempt may succeed. */
public final class NotNowException extends IOException {
    private static final long serialVersionUID = 1L;

    public NotNowException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
