package org.exsockets.verbs.disni.memory;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.exsockets.jdk.SmallFiles;
import org.exsockets.verbs.disni.VerbsException;

/** How much memory this process may lock, and how much the machine has, as the kernel tells. Any thread. */
public final class LockedMemory {
    /** No limit, or an unreadable one. */
    static final long UNLIMITED = Long.MAX_VALUE;

    private static final int AT_PAGESZ = 6;
    private static final int USUAL_PAGE_BYTES = 4096;
    private static final int CAP_IPC_LOCK_BIT = 14;
    private static final int HEX = 16;
    private static final String LIMIT = "Max locked memory";
    private static final String CAPABILITIES = "CapEff:";
    private static final String PHYSICAL = "MemTotal:";

    private LockedMemory() {}

    /** {@return RLIMIT_MEMLOCK in bytes; {@link #UNLIMITED} for a process with CAP_IPC_LOCK, too} */
    static long limitBytes(Path root) {
        String limit = limit(root);
        return isExempt(root) || !limit.matches("\\d+") ? UNLIMITED : Long.parseLong(limit);
    }

    /** {@return whether {@code failure} is a lack of locked memory: memory is lacking, and there is a limit} */
    public static boolean isLacking(IOException failure, Path root) {
        return VerbsException.isShortage(failure) && limitBytes(root) != UNLIMITED;
    }

    /** {@return RLIMIT_MEMLOCK as the kernel writes it, in bytes or as a word; empty if it cannot be read} */
    public static String limit(Path root) {
        return value(root.resolve("proc/self/limits"), LIMIT);
    }

    /** {@return whether the process has CAP_IPC_LOCK, so that the limit does not hold for it} */
    public static boolean isExempt(Path root) {
        String capabilities = value(root.resolve("proc/self/status"), CAPABILITIES);
        return !capabilities.isEmpty() && (Long.parseUnsignedLong(capabilities, HEX) >> CAP_IPC_LOCK_BIT & 1) == 1;
    }

    /** {@return bytes of a page, of which the kernel locks whole ones} As it tells each process (getauxval(3)). */
    public static int pageBytes(Path root) {
        try (FileInputStream in =
                new FileInputStream(root.resolve("proc/self/auxv").toFile())) {
            ByteBuffer entries = ByteBuffer.wrap(in.readAllBytes()).order(ByteOrder.nativeOrder());
            while (entries.remaining() >= 2 * Long.BYTES) {
                long type = entries.getLong();
                long value = entries.getLong();
                if (type == AT_PAGESZ) {
                    return (int) value;
                }
            }
        } catch (IOException notThere) {
            // As on most machines.
        }
        return USUAL_PAGE_BYTES;
    }

    /** {@return bytes of the machine's memory; {@link #UNLIMITED} if that cannot be read} */
    static long physicalBytes(Path root) {
        String kib = value(root.resolve("proc/meminfo"), PHYSICAL);
        return kib.matches("\\d+") ? Long.parseLong(kib) << 10 : UNLIMITED;
    }

    /** {@return the first word behind {@code name} in the line that begins with it; empty if there is none} */
    private static String value(Path file, String name) {
        try {
            for (String line : SmallFiles.read(file).split("\n")) {
                if (line.startsWith(name)) {
                    return line.substring(name.length()).strip().split("\\s+")[0];
                }
            }
        } catch (IOException notThere) {
            // As if it were empty.
        }
        return "";
    }
}
