package org.exsockets.verbs.soft.host;

import java.io.IOException;
import java.nio.file.Path;
import org.exsockets.jdk.SmallFiles;
import org.exsockets.observe.Log;
import org.jspecify.annotations.Nullable;

/**
 * How much memory is left. Shared memory is not taken where memory is scarce: a page counts for the process that
 * touches it first, and the system kills a process rather than refuse a page. Looked at at most ten times a second.
 * Thread-safe.
 */
public class MachineMemory {
    /** The part of the memory of the machine, or the group, that is left to others: one in so many. */
    private static final int RESERVE_DIVISOR = 16;

    private static final long FRESH_NS = 100_000_000;
    private static final int KIB_SHIFT = 10;
    private static final Path MACHINE = Path.of("/proc/meminfo");

    /** The own control group, the root of its namespace, cgroups(7): that of a container. */
    private static final Path GROUP = Path.of("/sys/fs/cgroup");

    private record Look(long spareBytes, long takenNs) {}

    /** Null before the first look. */
    private volatile @Nullable Look latest;

    public boolean hasRoomFor(long lengthBytes) {
        Look look = latest;
        long nowNs = System.nanoTime();
        if (look == null || nowNs - look.takenNs > FRESH_NS) {
            look = new Look(spareBytes(), nowNs);
            latest = look;
        }
        return lengthBytes <= look.spareBytes;
    }

    /** {@return how many bytes may be taken without harm; {@link Long#MAX_VALUE} if unknown; other numbers in tests} */
    public long spareBytes() {
        long spare = Long.MAX_VALUE;
        try {
            String machine = SmallFiles.read(MACHINE);
            spare = kib(machine, "MemAvailable:") - kib(machine, "MemTotal:") / RESERVE_DIVISOR << KIB_SHIFT;
        } catch (IOException | RuntimeException e) {
            Log.debug("memory of the machine: " + e);
        }
        return Math.min(spare, spareOfGroup());
    }

    /** {@return bytes of the machine, or of the group if it has less; {@link Long#MAX_VALUE} if unknown} */
    public static long totalBytes() {
        long total = Long.MAX_VALUE;
        try {
            total = kib(SmallFiles.read(MACHINE), "MemTotal:") << KIB_SHIFT;
        } catch (IOException | RuntimeException e) {
            Log.debug("memory of the machine: " + e);
        }
        return Math.min(total, group("memory.max"));
    }

    private static long kib(String text, String field) {
        int at = text.indexOf(field) + field.length();
        return Long.parseLong(text.substring(at, text.indexOf(" kB", at)).trim());
    }

    private static long spareOfGroup() {
        long limit = group("memory.max");
        return limit == Long.MAX_VALUE ? limit : limit - limit / RESERVE_DIVISOR - group("memory.current");
    }

    /** {@return the number in a file; {@link Long#MAX_VALUE} if there is no limit, no group, or one of version 1} */
    private static long group(String file) {
        try {
            return Long.parseLong(SmallFiles.read(GROUP.resolve(file)).trim());
        } catch (IOException | RuntimeException none) {
            return Long.MAX_VALUE;
        }
    }
}
