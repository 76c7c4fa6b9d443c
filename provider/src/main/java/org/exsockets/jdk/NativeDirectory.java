package org.exsockets.jdk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where a shared library can be put so that the kernel maps it executable: not on a file system mounted noexec. */
final class NativeDirectory {
    private static final Path MOUNTS = Path.of("/proc/self/mountinfo");

    // Fields of a line of mountinfo, proc(5).
    private static final int MOUNT_POINT = 4;
    private static final int MOUNT_OPTIONS = 5;

    private final List<Mount> mounts = new ArrayList<>();

    private record Mount(Path point, boolean executable) {}

    NativeDirectory(List<String> mountinfo) {
        for (String line : mountinfo) {
            String[] fields = line.split(" ");
            if (fields.length > MOUNT_OPTIONS) {
                boolean executable = !List.of(fields[MOUNT_OPTIONS].split(",")).contains("noexec");
                mounts.add(new Mount(Path.of(unescape(fields[MOUNT_POINT])), executable));
            }
        }
    }

    /** {@return one for the mounts of this process; without /proc it takes every directory to be executable} */
    static NativeDirectory ofThisProcess() {
        try {
            return new NativeDirectory(List.of(SmallFiles.read(MOUNTS).split("\n")));
        } catch (IOException e) {
            return new NativeDirectory(List.of());
        }
    }

    /** Blanks and backslashes of a mount point are written in octal. */
    private static String unescape(String text) {
        return text.replace("\\040", " ")
                .replace("\\011", "\t")
                .replace("\\012", "\n")
                .replace("\\134", "\\");
    }

    /** {@return why nothing can be unpacked to {@code directory} and executed there; null if it can} */
    @Nullable
    String obstacle(Path directory) {
        Path real;
        try {
            real = directory.toRealPath();
        } catch (IOException e) {
            return "does not exist";
        }
        if (!Files.isDirectory(real)) {
            return "is not a directory";
        }
        if (!Files.isWritable(real) || !Files.isExecutable(real)) {
            return "is not writable";
        }
        return executable(real) ? null : "is mounted noexec";
    }

    /** The deepest mount point counts; of several mounts at one point, the last one. */
    private boolean executable(Path real) {
        Mount best = null;
        for (Mount each : mounts) {
            if (real.startsWith(each.point)
                    && (best == null || each.point.getNameCount() >= best.point.getNameCount())) {
                best = each;
            }
        }
        return best == null || best.executable;
    }

    /**
     * {@return the first usual place that is suitable}
     *
     * @throws IOException if none is suitable; the message says why, and which property helps
     */
    Path choose(Path temporary, Map<String, String> environment) throws IOException {
        List<String> obstacles = new ArrayList<>();
        for (Path each : candidates(temporary, environment)) {
            String obstacle = obstacle(each);
            if (obstacle == null) {
                return each;
            }
            obstacles.add(each + " " + obstacle);
        }
        throw new IOException("no directory to unpack the native library to (" + String.join(", ", obstacles)
                + "): name one that is writable and not mounted noexec in the property exs.native");
    }

    private static List<Path> candidates(Path temporary, Map<String, String> environment) {
        List<Path> candidates = new ArrayList<>(List.of(temporary));
        String runtime = environment.get("XDG_RUNTIME_DIR");
        if (runtime != null && !runtime.isEmpty()) {
            candidates.add(Path.of(runtime));
        }
        String cache = environment.get("XDG_CACHE_HOME");
        String home = environment.get("HOME");
        if (cache != null && !cache.isEmpty()) {
            candidates.add(Path.of(cache));
        } else if (home != null && !home.isEmpty()) {
            candidates.add(Path.of(home, ".cache"));
        }
        candidates.add(Path.of("/dev/shm"));
        return candidates;
    }
}
