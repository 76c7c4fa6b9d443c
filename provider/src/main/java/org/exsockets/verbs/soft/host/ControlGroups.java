package org.exsockets.verbs.soft.host;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.jdk.SmallFiles;
import org.exsockets.observe.Log;
import org.jspecify.annotations.Nullable;

/**
 * What the control groups of this process, cgroups(7), allow it of memory: its own of either version, and those above
 * up to the root that is mounted here, since a limit holds for all below. Looked for once. Nothing that cannot be read
 * limits anything. Thread-safe.
 */
final class ControlGroups {
    private static final int ROOT_FIELD = 3;
    private static final int MOUNT_FIELD = 4;

    /** A group that may have a limit. */
    private record Group(Path directory, boolean isVersion2) {
        /** {@return bytes; {@link Long#MAX_VALUE}, or nearly that in version 1: none} */
        long limitBytes() {
            // Beyond memory.high the system makes the process wait, as shared memory cannot be taken back.
            return isVersion2 ? Math.min(number("memory.max"), number("memory.high")) : number("memory.limit_in_bytes");
        }

        /** {@return what is used and would not be given up for the asking; {@link Long#MAX_VALUE} if unknown} */
        long usedBytes() {
            long all = number(isVersion2 ? "memory.current" : "memory.usage_in_bytes");
            return all == Long.MAX_VALUE ? all : all - inactiveFileBytes();
        }

        private long inactiveFileBytes() {
            String field = isVersion2 ? "\ninactive_file " : "\ntotal_inactive_file ";
            try {
                String all = SmallFiles.read(directory.resolve("memory.stat"));
                int at = all.indexOf(field);
                return at < 0 ? 0 : Long.parseLong(all.substring(at + field.length(), all.indexOf('\n', at + 1)));
            } catch (IOException | RuntimeException none) {
                return 0;
            }
        }

        private long number(String file) {
            try {
                return Long.parseLong(SmallFiles.read(directory.resolve(file)).trim());
            } catch (IOException | RuntimeException none) {
                return Long.MAX_VALUE;
            }
        }
    }

    private final List<Group> groups = new ArrayList<>();

    /** @param root of the file system; another one in tests */
    ControlGroups(Path root) {
        try {
            String own = SmallFiles.read(root.resolve("proc/self/cgroup"));
            String mounts = SmallFiles.read(root.resolve("proc/self/mountinfo"));
            find(root, mounts, own(own, true), true);
            find(root, mounts, own(own, false), false);
        } catch (IOException | RuntimeException e) {
            Log.debug("control groups: " + e);
        }
    }

    /** {@return the path of the own group in its hierarchy; null if there is none} Lines are {@code ID:CONTROLLERS:PATH}. */
    private static @Nullable String own(String lines, boolean isVersion2) {
        for (String line : lines.split("\n")) {
            int controllers = line.indexOf(':') + 1;
            int path = line.indexOf(':', controllers) + 1;
            String names = line.substring(controllers, path - 1);
            if (isVersion2 ? names.isEmpty() : isAmong(names, "memory")) {
                return line.substring(path);
            }
        }
        return null;
    }

    /** Adds the groups of a hierarchy, where it is mounted: the own part of it, as a container may have others, too. */
    private void find(Path root, String mounts, @Nullable String own, boolean isVersion2) {
        if (own == null) {
            return;
        }
        Path mounted = null;
        String below = null;
        for (String line : mounts.split("\n")) {
            if (below == null && isMount(line, isVersion2)) {
                String[] fields = line.split(" ");
                below = below(fields[ROOT_FIELD], own);
                if (below != null || mounted == null) {
                    // Where the own path cannot be seen, what is mounted is most likely the own group.
                    mounted = root.resolve(fields[MOUNT_FIELD].substring(1));
                }
            }
        }
        if (mounted == null) {
            return;
        }
        Path group = below == null ? mounted : mounted.resolve(below);
        for (; group != null && group.startsWith(mounted); group = group.getParent()) {
            groups.add(new Group(group, isVersion2));
        }
    }

    /** {@return whether a line of proc_pid_mountinfo(5) is of this hierarchy} It ends in {@code - TYPE SOURCE OPTIONS}. */
    private static boolean isMount(String line, boolean isVersion2) {
        String type = isVersion2 ? " - cgroup2 " : " - cgroup ";
        int at = line.indexOf(type);
        return at >= 0 && (isVersion2 || isAmong(line.substring(line.lastIndexOf(' ') + 1), "memory"));
    }

    /** {@return the path {@code own} from {@code top} on; null if it is not below, or out of the namespace} */
    private static @Nullable String below(String top, String own) {
        if (own.startsWith("/..")) {
            return null;
        }
        if (top.equals("/")) {
            return own.substring(1);
        }
        if (own.equals(top)) {
            return "";
        }
        return own.startsWith(top.concat("/")) ? own.substring(top.length() + 1) : null;
    }

    private static boolean isAmong(String names, String name) {
        return ",".concat(names).concat(",").contains(",".concat(name).concat(","));
    }

    /** {@return the least limit, in bytes; {@link Long#MAX_VALUE} if there is none} */
    long limitBytes() {
        long least = Long.MAX_VALUE;
        for (Group group : groups) {
            least = Math.min(least, group.limitBytes());
        }
        return least;
    }

    /**
     * {@return the bytes that may be taken until a group has only so much left; {@link Long#MAX_VALUE} if unlimited}
     *
     * @param reserveDivisor of its limit, one part in so many
     */
    long spareBytes(int reserveDivisor) {
        long least = Long.MAX_VALUE;
        for (Group group : groups) {
            long limit = group.limitBytes();
            long used = limit == Long.MAX_VALUE ? limit : group.usedBytes();
            if (used != Long.MAX_VALUE) {
                least = Math.min(least, limit - limit / reserveDivisor - used);
            }
        }
        return least;
    }
}
