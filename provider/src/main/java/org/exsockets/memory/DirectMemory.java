package org.exsockets.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reports memory of direct buffers that is about to be freed, or that lies in other pages than before. Any thread.
 *
 * <p>The agent makes the JDK report frees of what {@code ByteBuffer.allocateDirect} has allocated and {@code
 * FileChannel.map} has mapped, by the collector or explicitly ({@code sun.misc.Unsafe.invokeCleaner}). Memory that this
 * project has allocated for a program is reported, too. Direct buffers over other memory are never reported, and have
 * no cleaner to be known by: those of native code (JNI's {@code NewDirectByteBuffer}) and of foreign memory segments.
 *
 * <p>The JDK is woven when the first listener is added.
 */
public final class DirectMemory {
    /** Replaced as a whole, under the class's monitor; read without it, once for every buffer that is freed. */
    private static volatile DirectMemoryListener[] listeners = {};

    @GuardedBy("DirectMemory.class")
    private static @Nullable BooleanSupplier reporting;

    @GuardedBy("DirectMemory.class")
    private static boolean reported;

    private DirectMemory() {}

    /**
     * For the installer: sets how the JDK is made to call {@link #freeing}.
     *
     * @param weave makes it, and returns whether that has worked; called at most once
     */
    public static synchronized void reportedBy(BooleanSupplier weave) {
        reporting = weave;
    }

    /**
     * Adds a listener. The first one takes some milliseconds.
     *
     * @return false if frees are not reported in this JVM, as without the agent: then the listener is not kept, and
     *     nothing may be kept for the address of a direct buffer longer than the buffer is in use
     */
    public static synchronized boolean listen(DirectMemoryListener listener) {
        if (!reported && reporting != null) {
            BooleanSupplier weave = reporting;
            reporting = null;
            reported = weave.getAsBoolean();
        }
        if (reported) {
            DirectMemoryListener[] more = Arrays.copyOf(listeners, listeners.length + 1);
            more[listeners.length] = listener;
            listeners = more;
        }
        return reported;
    }

    /** Removes a listener; calls of it may still be under way. */
    public static synchronized void ignore(DirectMemoryListener listener) {
        listeners = Arrays.stream(listeners).filter(each -> each != listener).toArray(DirectMemoryListener[]::new);
    }

    /** To be called before memory of direct buffers is freed. */
    public static void freeing(long address, long lengthBytes) {
        for (DirectMemoryListener each : listeners) {
            each.onFree(address, lengthBytes);
        }
    }

    /** To be called when other pages are under memory of direct buffers, before the program gets the memory. */
    public static void exchanged(long address, long lengthBytes) {
        for (DirectMemoryListener each : listeners) {
            each.onExchange(address, lengthBytes);
        }
    }
}
