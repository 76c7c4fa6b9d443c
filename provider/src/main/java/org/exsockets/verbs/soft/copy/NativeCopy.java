package org.exsockets.verbs.soft.copy;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.exsockets.jdk.BundledLibrary;
import org.exsockets.observe.Log;
import org.jspecify.annotations.Nullable;

/**
 * Copies whose stores go past the caches, which Java does not offer. The library is unpacked and loaded when first
 * needed, once per JVM. If that fails, for instance for want of descriptors or disk space, it is tried again after
 * {@link BundledLibrary#FAILURE_BELIEVED_NS}. Any thread.
 *
 * <p>Native code touches shared memory and memory of this device only, never the program's. The program's buffers may
 * be views of memory that another thread frees, or of a file that another process truncates: Java survives that, native
 * code does not.
 */
public final class NativeCopy {
    static final String LIBRARY = "libexscopy.so";

    /** Java and the library must agree. */
    static final int VERSION = 3;

    /** 16-byte stores: SSE2, or stnp of aarch64. Greater numbers are wider ones, which a processor may lack. */
    static final int BASELINE = 0;

    static final int METHODS = 3;

    private static final int NOT_TRIED = -2;
    private static final int ABSENT = -1;

    @GuardedBy("NativeCopy.class")
    private static @Nullable Path directory;

    @GuardedBy("NativeCopy.class")
    private static boolean allowed = true;

    @GuardedBy("NativeCopy.class")
    private static @Nullable String obstacle;

    /** What {@link #best} has answered, {@link #ABSENT} or {@link #NOT_TRIED}; written under the class's monitor. */
    private static volatile int method = NOT_TRIED;

    /** When {@link #method} became {@link #ABSENT}, written before it; by {@link System#nanoTime}. */
    private static long failedNs;

    private NativeCopy() {}

    /**
     * Sets the user's choices, before the first connection: where to unpack to (null to choose), and whether to load.
     */
    public static synchronized void use(@Nullable Path nativeDirectory, boolean permitted) {
        directory = nativeDirectory;
        allowed = permitted;
    }

    /** {@return whether {@link #copy(long, long, int)} can be called; the first call takes milliseconds} */
    public static boolean available() {
        int known = method;
        return (isBelieved(known) ? known : load()) != ABSENT;
    }

    private static boolean isBelieved(int known) {
        return known >= BASELINE
                || known == ABSENT && System.nanoTime() - failedNs < BundledLibrary.FAILURE_BELIEVED_NS;
    }

    /** {@return why {@link #available} is false; null if it is true} */
    public static synchronized @Nullable String obstacle() {
        return obstacle;
    }

    private static synchronized int load() {
        if (isBelieved(method)) {
            return method;
        }
        failedNs = System.nanoTime();
        if (!allowed) {
            obstacle = "exs.copy=ordinary";
            return method = ABSENT;
        }
        try {
            method = loadOnce();
            obstacle = null;
        } catch (OutOfMemoryError full) {
            return ABSENT; // For now: the next call tries again.
        } catch (IOException | LinkageError | RuntimeException e) {
            String before = obstacle;
            obstacle = String.valueOf(e.getMessage());
            method = ABSENT;
            if (before == null) {
                Log.info("large transfers are slower between distant cores, and none goes straight into a program's"
                        + " buffers: the native library cannot be had: " + obstacle);
            }
        }
        return method;
    }

    @GuardedBy("NativeCopy.class")
    private static int loadOnce() throws IOException {
        BundledLibrary.load(LIBRARY, directory);
        if (version() != VERSION) {
            throw new IOException(
                    LIBRARY + " is of another version of EXS sockets: version=" + version() + ", needed=" + VERSION);
        }
        return best();
    }

    /** Copies between addresses, by the best method; see {@link #copy(int, long, long, int)}. */
    static void copy(long from, long to, int lengthBytes) {
        copy(method, from, to, lengthBytes);
    }

    private static native int version();

    /** {@return whether this processor has what the method needs} */
    static native boolean supports(int method);

    private static native int best();

    /** {@return the address of the first byte of a direct buffer, whatever its position} */
    public static native long address(ByteBuffer direct);

    /**
     * Copies bytes that do not overlap, by a method that {@link #supports} affirms. Nothing is checked. Ordered before
     * every later store of this thread, so that a later release store publishes them.
     */
    static native void copy(int method, long from, long to, int lengthBytes);
}
