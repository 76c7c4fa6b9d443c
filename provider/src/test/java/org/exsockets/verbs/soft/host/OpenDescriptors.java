package org.exsockets.verbs.soft.host;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * How many descriptors of this process lead to each socket, file and piece of memory. The JVM opens files of its own and closes those of other tests
 * when it likes: who counts all of them counts those, too.
 */
public record OpenDescriptors(Map<String, Integer> counts) {
    public static OpenDescriptors now() throws IOException {
        Map<String, Integer> counts = new HashMap<>();
        for (File descriptor : new File("/proc/self/fd").listFiles()) {
            try {
                counts.merge(thing(descriptor.toPath()), 1, Integer::sum);
            } catch (NoSuchFileException closedMeanwhile) {
                continue;
            }
        }
        return new OpenDescriptors(counts);
    }

    private static String thing(Path descriptor) throws IOException {
        String name = Files.readSymbolicLink(descriptor).toString();
        return name.startsWith("/memfd:") ? name + " " + Files.getAttribute(descriptor, "unix:ino") : name;
    }

    /** {@return how many more there are of sockets and of memory than before} */
    public int moreThan(OpenDescriptors before) {
        int more = 0;
        for (Map.Entry<String, Integer> each : counts.entrySet()) {
            boolean ours = each.getKey().startsWith("socket:") || each.getKey().startsWith("/memfd:");
            more += ours ? Math.max(0, each.getValue() - before.counts.getOrDefault(each.getKey(), 0)) : 0;
        }
        return more;
    }

    /** {@return how many lead where this one does} */
    public int like(int descriptor) throws IOException {
        return counts.getOrDefault(thing(Path.of("/proc/self/fd/" + descriptor)), 0);
    }

    /** {@return bytes of the pages that memory has, as the system counts} */
    public static long usedBytes(int descriptor) throws IOException {
        String path = "/proc/" + ProcessHandle.current().pid() + "/fd/" + descriptor;
        Process stat = new ProcessBuilder("stat", "-L", "-c", "%b", path).start();
        return 512 * Long.parseLong(new String(stat.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim());
    }

    /** {@return a descriptor that leads to a file} */
    public static int numberOf(Path file) throws IOException {
        for (File descriptor : new File("/proc/self/fd").listFiles()) {
            try {
                if (Files.readSymbolicLink(descriptor.toPath()).equals(file)) {
                    return Integer.parseInt(descriptor.getName());
                }
            } catch (IOException closedMeanwhile) {
                continue;
            }
        }
        throw new AssertionError("not open: " + file);
    }
}
