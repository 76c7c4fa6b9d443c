package java.nio;

import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;
import jdk.internal.misc.Unsafe;

/**
 * What direct buffers and mapped files call in place of the allocator once the agent has woven them.
 *
 * <p>Defined into java.base by the agent; leaves everything to the JVM until its functions are set, each at most once.
 * Frees may come from the JVM's thread for references, which does not survive an exception: the functions throw none.
 * Public only because mapped files live in another package.
 */
public final class ExsDirectMemoryHook {
    /** {@code (bytes) address}, 0 to leave it to the JVM. */
    static volatile LongUnaryOperator placing;

    /** {@code (address, bytes) freed}: 0 if it is the JVM's to free. */
    static volatile LongBinaryOperator freeing;

    private ExsDirectMemoryHook() {}

    /** Instead of {@link Unsafe#allocateMemory}; the JDK counts the bytes, and fills them with zeroes. */
    static long allocate(Unsafe unsafe, long bytes) {
        LongUnaryOperator place = placing;
        long address = place == null ? 0 : place.applyAsLong(bytes);
        return address != 0 ? address : unsafe.allocateMemory(bytes);
    }

    /** Instead of {@link Unsafe#freeMemory}. */
    static void free(Unsafe unsafe, long address, long bytes) {
        LongBinaryOperator free = freeing;
        if (free == null || free.applyAsLong(address, bytes) == 0) {
            unsafe.freeMemory(address);
        }
    }

    /** Before a file is unmapped. */
    public static void unmapping(long address, long bytes) {
        LongBinaryOperator free = freeing;
        if (free != null && address != 0) {
            free.applyAsLong(address, bytes);
        }
    }
}
