package org.exsockets.verbs.soft.host;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.exsockets.jdk.SmallFiles;
import org.exsockets.observe.Log;
import org.jspecify.annotations.Nullable;

/**
 * How much memory is left. Shared memory is not taken where memory is scarce: a page counts for the process that
 * touches it first, and the system kills a process rather than refuse a page. Looked at at most ten times a second.
 * Thread-safe.
 *
 * <p>With strict overcommit (vm.overcommit_memory) a page counts when it is made, too, but the system refuses it at a
 * limit, and whoever touches it is killed (SIGBUS). There pages are to be made when memory is taken, and kept: one that
 * is given up may not be had again.
 */
public class MachineMemory {
    /** The part of the memory of the machine, or of a group, that is left to others: one in so many. */
    private static final int RESERVE_DIVISOR = 16;

    private static final long FRESH_NS = 100_000_000;
    private static final int KIB_SHIFT = 10;

    /** The value of vm.overcommit_memory, proc_sys_vm(5). */
    private static final String STRICT = "2";

    /** What is granted is taken from {@code spareBytes}: until the next look nobody else gets it. */
    private record Look(AtomicLong spareBytes, long takenNs) {}

    private final Path file;
    private final long tcpBytes;
    private final boolean isStrict;
    private final ControlGroups groups;

    /** Null before the first look. */
    private volatile @Nullable Look latest;

    public MachineMemory() {
        this(Path.of("/"));
    }

    /** @param root of the file system */
    MachineMemory(Path root) {
        this.file = root.resolve("proc/meminfo");
        this.tcpBytes = mostOf(root, "tcp_wmem") + mostOf(root, "tcp_rmem");
        this.groups = new ControlGroups(root);
        this.isStrict = isStrict(root.resolve("proc/sys/vm/overcommit_memory"));
    }

    private static boolean isStrict(Path setting) {
        try {
            return SmallFiles.read(setting).trim().equals(STRICT);
        } catch (IOException e) {
            Log.debug("vm.overcommit_memory: " + e);
            return false;
        }
    }

    /** {@return the last of the three numbers, tcp(7); 0 if unknown} */
    private static long mostOf(Path root, String setting) {
        try {
            String text = SmallFiles.read(root.resolve("proc/sys/net/ipv4").resolve(setting))
                    .trim();
            return Math.max(0, Long.parseLong(text.substring(text.lastIndexOf('\t') + 1)));
        } catch (IOException | RuntimeException e) {
            Log.debug(setting + ": " + e);
            return 0;
        }
    }

    /** {@return bytes that TCP's own tuning buffers for one direction at most, when this was made; 0 if unknown} */
    public long tcpBytes() {
        return tcpBytes;
    }

    /** {@return whether pages are to be made when memory is taken, as was set when this was made; other in tests} */
    public boolean isStrict() {
        return isStrict;
    }

    /** {@return whether so many bytes may be taken} Then the caller takes them. */
    public boolean hasRoomFor(long lengthBytes) {
        Look look = latest;
        long nowNs = System.nanoTime();
        if (look == null || nowNs - look.takenNs > FRESH_NS) {
            look = new Look(new AtomicLong(spareBytes()), nowNs);
            latest = look;
        }
        if (look.spareBytes.addAndGet(-lengthBytes) >= 0) {
            return true;
        }
        look.spareBytes.addAndGet(lengthBytes);
        return false;
    }

    /** {@return how many bytes may be taken without harm; {@link Long#MAX_VALUE} if unknown; other numbers in tests} */
    public long spareBytes() {
        long spare = Long.MAX_VALUE;
        try {
            String machine = SmallFiles.read(file);
            spare = kib(machine, "MemAvailable:") - kib(machine, "MemTotal:") / RESERVE_DIVISOR << KIB_SHIFT;
            if (isStrict()) {
                long limit = kib(machine, "CommitLimit:");
                spare = Math.min(spare, limit - limit / RESERVE_DIVISOR - kib(machine, "Committed_AS:") << KIB_SHIFT);
            }
        } catch (IOException | RuntimeException e) {
            Log.debug("memory of the machine: " + e);
        }
        return Math.min(spare, groups.spareBytes(RESERVE_DIVISOR));
    }

    /** {@return bytes of the machine, or of a control group if that has less; {@link Long#MAX_VALUE} if unknown} */
    public long totalBytes() {
        long total = Long.MAX_VALUE;
        try {
            total = kib(SmallFiles.read(file), "MemTotal:") << KIB_SHIFT;
        } catch (IOException | RuntimeException e) {
            Log.debug("memory of the machine: " + e);
        }
        return Math.min(total, groups.limitBytes());
    }

    private static long kib(String text, String field) {
        int at = text.indexOf(field) + field.length();
        return Long.parseLong(text.substring(at, text.indexOf(" kB", at)).trim());
    }
}
