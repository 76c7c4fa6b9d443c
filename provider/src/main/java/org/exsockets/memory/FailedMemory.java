package org.exsockets.memory;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of the program cannot be copied, because they are of a mapped file that has become shorter. Only the transfer
 * fails. Memory of an arena that is closed, or another thread's, fails with the JDK's own exceptions.
 */
public final class FailedMemory extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The kernel's message for missing memory. */
    private static final String BAD_ADDRESS = "Bad address";

    /** @param cause how the JDK tells of it; null: the kernel does */
    public FailedMemory(@Nullable InternalError cause) {
        super(BAD_ADDRESS, cause);
    }

    /** {@return what a call of the program is told} */
    public static IOException badAddress() {
        return new IOException(BAD_ADDRESS);
    }
}
