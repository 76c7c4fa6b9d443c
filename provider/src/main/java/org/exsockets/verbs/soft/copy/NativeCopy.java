package org.exsockets.verbs.soft.copy;

import org.exsockets.jdk.DescriptorPoll;
import org.jspecify.annotations.Nullable;

/**
 * Copies whose stores go past the caches, which Java does not offer. In the library of {@link DescriptorPoll}. Any
 * thread.
 *
 * <p>Native code touches shared memory and memory of this device only, never the program's. The program's buffers may
 * be views of memory that another thread frees, or of a file that another process truncates: Java survives that, native
 * code does not.
 */
public final class NativeCopy {
    /** 16-byte stores: SSE2, or stnp of aarch64. Greater numbers are wider ones, which a processor may lack. */
    static final int BASELINE = 0;

    static final int METHODS = 3;

    private static volatile boolean allowed = true;

    private NativeCopy() {}

    /** Initialized by the first copy, when the library is there. */
    private static final class Best {
        static final int METHOD = best();
    }

    /** Sets the user's choice, before the first connection: whether native code may copy. */
    public static void allow(boolean permitted) {
        allowed = permitted;
    }

    /** {@return whether {@link #copy(long, long, int)} can be called; the first call takes milliseconds} */
    public static boolean available() {
        return allowed && DescriptorPoll.isLoaded();
    }

    /** {@return why {@link #available} is false} */
    public static @Nullable String obstacle() {
        return allowed ? DescriptorPoll.obstacle() : "exs.copy=ordinary";
    }

    /** Copies between addresses, by the best method; see {@link #copy(int, long, long, int)}. */
    static void copy(long from, long to, int lengthBytes) {
        copy(Best.METHOD, from, to, lengthBytes);
    }

    /** {@return whether this processor has what the method needs} */
    static native boolean supports(int method);

    private static native int best();

    /**
     * Copies bytes that do not overlap, by a method that {@link #supports} affirms. Nothing is checked. Ordered before
     * every later store of this thread, so that a later release store publishes them.
     */
    static native void copy(int method, long from, long to, int lengthBytes);
}
