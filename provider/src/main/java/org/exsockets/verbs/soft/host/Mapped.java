package org.exsockets.verbs.soft.host;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.exsockets.jdk.Cleaners;
import org.exsockets.observe.Log;

/** Buffers over memory that is given back when they and all their views are unreachable. Any thread. */
public final class Mapped {
    private Mapped() {}

    /** {@return the first {@code lengthBytes} bytes of a mapping, which is unmapped with the buffer} */
    public static ByteBuffer buffer(long address, long mappedBytes, int lengthBytes) {
        ByteBuffer buffer = NativeMemory.buffer(address, lengthBytes).order(ByteOrder.nativeOrder());
        Cleaners.register(buffer, () -> unmap(address, mappedBytes));
        return buffer;
    }

    /** Unmaps memory that nobody uses any more; a failure is logged. */
    public static void unmap(long address, long mappedBytes) {
        int failure = NativeMemory.unmap(address, mappedBytes);
        if (failure < 0) {
            Log.warn("unmap: failed: length=" + mappedBytes + ", " + NativeMemory.message(-failure));
        }
    }
}
