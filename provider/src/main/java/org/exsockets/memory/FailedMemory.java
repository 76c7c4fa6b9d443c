package org.exsockets.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Memory of the program that cannot be copied: of a mapped file that has become shorter, or of an arena that is closed
 * or another thread's. Only the transfer fails.
 */
public final class FailedMemory {
    /** The kernel's message for missing memory. */
    public static final String BAD_ADDRESS = "Bad address";

    /** Of the smallest pages. */
    private static final int PAGE_BYTES = 4096;

    private FailedMemory() {}

    public static boolean is(ByteBuffer buffer) {
        return is(buffer, buffer.position(), buffer.remaining());
    }

    /**
     * {@return whether bytes of {@code buffer} cannot be read} For use after a failed copy: it touches every page.
     *
     * @param offset of the first byte, absolute
     */
    public static boolean is(ByteBuffer buffer, int offset, int length) {
        ByteBuffer target = ByteBuffer.allocateDirect(1);
        int end = offset + length;
        try {
            for (int i = offset; i < end; i += PAGE_BYTES) {
                CheckedCopy.fromProgram(target, 0, buffer, i, 1);
            }
            if (length > 0) {
                CheckedCopy.fromProgram(target, 0, buffer, end - 1, 1);
            }
            return false;
        } catch (RuntimeException | InternalError fault) {
            return true;
        }
    }

    /** {@return the exception in the event of a transfer that threw {@code fault}; null: the memory has not failed} */
    public static @Nullable IOException told(Throwable fault, ByteBuffer buffer, int offset, int length) {
        if (!is(buffer, offset, length)) {
            return null;
        }
        return fault instanceof RuntimeException
                ? new IOException("memory of the operation cannot be used: " + fault.getMessage(), fault)
                : new IOException(BAD_ADDRESS);
    }
}
