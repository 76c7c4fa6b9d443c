package org.exsockets.socket;

import java.nio.ByteBuffer;
import org.exsockets.memory.CheckedCopy;

/** Memory of the program that is not there: of a mapped file that is shorter now. */
final class FailedMemory {
    /** What the kernel says of it. */
    static final String BAD_ADDRESS = "Bad address";

    /** Of the smallest pages. */
    private static final int PAGE_BYTES = 4096;

    private FailedMemory() {}

    /** {@return whether the rest of {@code buffer} cannot be read} To be asked after a copy has failed: it touches every page. */
    static boolean is(ByteBuffer buffer) {
        ByteBuffer target = ByteBuffer.allocateDirect(1);
        try {
            for (int i = buffer.position(); i < buffer.limit(); i += PAGE_BYTES) {
                CheckedCopy.fromProgram(target, 0, buffer, i, 1);
            }
            if (buffer.hasRemaining()) {
                CheckedCopy.fromProgram(target, 0, buffer, buffer.limit() - 1, 1);
            }
            return false;
        } catch (InternalError truncated) {
            return true;
        }
    }
}
