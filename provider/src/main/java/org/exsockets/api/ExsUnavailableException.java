package org.exsockets.api;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** EXS was required but is unavailable to this peer: the message has the reason and the address. */
public final class ExsUnavailableException extends IOException {
    private static final long serialVersionUID = 1;

    public ExsUnavailableException(@Nullable String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
