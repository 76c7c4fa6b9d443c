package org.exsockets.verbs;

import java.nio.file.Path;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What the user has set for devices.
 *
 * @param connectTimeoutMs bound of one connect to another host, or to another user's process, in milliseconds, ≥ 1
 * @param nativeDirectory where a native library may be unpacked to and executed; null to let the device choose
 * @param foreignDisni an installed libdisni to use instead of the one in the jar; null for ours
 * @param nativeCopy whether native code may copy into shared memory
 * @param dumped whether shared memory may be in core dumps of this process
 * @param registeredBytes bound of the program's memory that is registered with adapters at a time, in bytes; 0 for
 *     none, {@link #AUTO} to let the device choose
 * @param sharedBytes bound of the memory that this process shares with others, in bytes; {@link #AUTO} to let the
 *     device choose
 * @param peers other users, by unsigned number, whose processes may share memory with this one; {@link #NO_NUMBER}:
 *     those whom the user namespace of this process has no number for
 */
public record DeviceOptions(
        int connectTimeoutMs,
        @Nullable Path nativeDirectory,
        @Nullable Path foreignDisni,
        boolean nativeCopy,
        boolean dumped,
        long registeredBytes,
        long sharedBytes,
        IntPredicate peers) {
    /**
     * For {@link #registeredBytes}: a share of the memory that may be locked. For {@link #sharedBytes}: of the memory
     * of the machine or control group.
     */
    public static final long AUTO = -1;

    /** For {@link #peers}; no user has it. */
    public static final int NO_NUMBER = -1;

    public DeviceOptions {
        if (connectTimeoutMs < 1) {
            throw new IllegalArgumentException("device options: out of range: connectTimeoutMs=" + connectTimeoutMs);
        }
    }
}
