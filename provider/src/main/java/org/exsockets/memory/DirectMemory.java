package org.exsockets.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

/**
 * Tells of memory of direct buffers that is about to be freed, or lies in other pages than before. Any thread.
 *
 * <p>The agent lets the JDK report what {@code ByteBuffer.allocateDirect} has allocated and {@code FileChannel.map} has
 * mapped, freed by the collector or explicitly ({@code sun.misc.Unsafe.invokeCleaner}); memory that this project has
 * allocated for a program is reported alike. Direct buffers over other memory are never reported, and have no cleaner by
 * which to know them: those of native code (JNI's {@code NewDirectByteBuffer}) and of foreign memory segments.
 *
 * <p>The JDK is woven when somebody listens for the first time, never for nothing.
 */
public final class DirectMemory {
    private static final DirectMemoryListener[] NOBODY = {};

    /** Replaced as a whole, under the class's monitor; read without it, once for every buffer that is freed. */
    private static volatile DirectMemoryListener[] listeners = NOBODY;

    @GuardedBy("DirectMemory.class")
    private static BooleanSupplier reporting;

    /** Whether frees are reported. */
    @GuardedBy("DirectMemory.class")
    private static boolean reported;

    private DirectMemory() {}

    /**
     * The installer tells how the JDK can be made to call {@link #freeing}.
     *
     * @param weave does so, and says whether it has worked; called at most once
     */
    public static synchronized void reportedBy(BooleanSupplier weave) {
        reporting = weave;
    }

    /**
     * Adds a listener. The first one takes some milliseconds.
     *
     * @return false if frees are not reported in this JVM, as without the agent: then the listener is not kept, and
     *     nothing may be arranged for the addresses of direct buffers beyond the time that they are in use
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

    /** Whoever is about to free memory of direct buffers calls this first. */
    public static void freeing(long address, long lengthBytes) {
        DirectMemoryListener[] all = listeners;
        for (DirectMemoryListener each : all) {
            each.onFree(address, lengthBytes);
        }
    }

    /** Whoever has put other pages under memory of direct buffers calls this before the program is given the memory. */
    public static void exchanged(long address, long lengthBytes) {
        DirectMemoryListener[] all = listeners;
        for (DirectMemoryListener each : all) {
            each.onExchange(address, lengthBytes);
        }
    }
}
