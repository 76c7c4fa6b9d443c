package org.exsockets.compat.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;

/** What a process has that could be left behind, by {@linkplain Kept kind}: looked up in Linux's /proc. Immutable. */
public final class Remains {
    /** Of EXS, as the kernel calls memory without a name. */
    private static final String MEMORY = "/memfd:exs";

    /** What a process tells of itself (ProcessDescriptor). */
    private static final long PROCESS_BYTES = 135_168;

    /** Arenas are longer than this, and segments are not. */
    private static final long MIN_ARENA_BYTES = 200L << 20;

    private static final int LOOK_MS = 50;
    private static final int LOOKS_BETWEEN_HINTS = 20;
    private static final int CONNECTIONS_PER_HINT = 16;

    /** How often this process has been the end of a connection of {@link #connectToItself}. */
    private static final AtomicInteger ENDS_MADE = new AtomicInteger();

    private final Map<Kept, List<String>> things = new EnumMap<>(Kept.class);

    Remains() {}

    /** Looks at this process. */
    public static Remains now() {
        Remains found = new Remains();
        try {
            found.addDescriptors();
            found.addMappings(Files.readAllLines(Path.of("/proc/self/maps")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            found.add(Kept.thread(thread.getName()), thread.getName() + " (" + thread.getId() + ")");
        }
        return found;
    }

    private void add(Kept kind, String thing) {
        things.computeIfAbsent(kind, any -> new ArrayList<>()).add(thing);
    }

    private void addDescriptors() throws IOException {
        List<String> targets = new ArrayList<>();
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors) {
                try {
                    targets.add(Files.readSymbolicLink(descriptor).toString());
                } catch (NoSuchFileException closedMeanwhile) {
                    continue;
                }
            }
        }
        Set<String> tcp = new HashSet<>(inodes("tcp", 9));
        tcp.addAll(inodes("tcp6", 9));
        Set<String> unix = inodes("unix", 6);
        for (String target : targets) {
            Kept kind = descriptor(target, tcp, unix);
            if (kind != null) {
                add(kind, target);
            }
        }
    }

    /** Reads the column of a table of sockets that has the inodes. */
    private static Set<String> inodes(String table, int column) throws IOException {
        Set<String> inodes = new HashSet<>();
        Path file = Path.of("/proc/self/net", table);
        for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
            String[] words = line.trim().split("\\s+");
            inodes.add(words.length > column ? words[column] : "");
        }
        return inodes;
    }

    /** {@return null for what is not counted} */
    private static Kept descriptor(String target, Set<String> tcp, Set<String> unix) {
        if (target.startsWith("socket:[")) {
            String inode = target.substring("socket:[".length(), target.length() - 1);
            return tcp.contains(inode) ? Kept.TCP_SOCKET : unix.contains(inode) ? Kept.UNIX_SOCKET : Kept.OTHER_SOCKET;
        }
        if (target.startsWith("anon_inode:")) {
            String kind = target.substring("anon_inode:".length());
            return switch (kind) {
                case "[eventpoll]" -> Kept.EPOLL;
                case "[eventfd]" -> Kept.EVENT;
                case "[pidfd]" -> Kept.PROCESS_DESCRIPTOR;
                default -> Kept.OTHER_DESCRIPTOR;
            };
        }
        if (target.startsWith("pipe:")) {
            return Kept.PIPE;
        }
        if (target.startsWith(MEMORY)) {
            return Kept.MEMORY_DESCRIPTOR;
        }
        boolean device = target.startsWith("/dev/") && !target.startsWith("/dev/shm/");
        // The JVM looks into both, for load and for the limits of its container, whenever it likes.
        boolean figures = target.startsWith("/proc/") || target.startsWith("/sys/fs/cgroup/");
        return device || figures || isOfTheJvm(target) ? null : Kept.OPEN_FILE;
    }

    /** Class loaders and the JVM open and map those when they like. */
    private static boolean isOfTheJvm(String file) {
        return file.endsWith(".jar")
                || file.endsWith("/lib/modules")
                || file.endsWith(".jsa")
                || file.endsWith(".so")
                || file.contains(".so.")
                || file.endsWith("/locale-archive")
                || file.contains("/hsperfdata_")
                || file.startsWith(System.getProperty("java.home") + "/");
    }

    /** @param maps lines of proc_pid_maps(5) */
    void addMappings(List<String> maps) {
        Set<String> libraries = new TreeSet<>();
        Map<String, Long> memory = new TreeMap<>();
        List<String> parts = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        Map<String, Long> others = new HashMap<>();
        for (String line : maps) {
            String[] words = line.split("\\s+", 6);
            if (words.length < 6 || !words[5].startsWith("/")) {
                continue;
            }
            String file = words[5].endsWith(" (deleted)")
                    ? words[5].substring(0, words[5].length() - " (deleted)".length())
                    : words[5];
            String name = nameOf(file);
            if (file.equals(MEMORY)) {
                if (seen.add(
                        words[4] + " " + words[2])) { // Both ends of a connection may be here, and map its segment.
                    memory.merge(words[4], length(words[0]), Long::sum);
                }
                parts.add(line);
            } else if (name.startsWith("libexs")) {
                libraries.add(file);
            } else if (!isOfTheJvm(file) && !file.startsWith("/dev/") && !file.contains("/bin/")) {
                others.merge(file, length(words[0]), Long::sum);
            }
        }
        memory.forEach((inode, length) -> {
            if (length >= MIN_ARENA_BYTES) {
                add(Kept.ARENA_MAPPING, inode);
            }
        });
        for (String part : parts) {
            String[] words = part.split("\\s+", 6);
            if (memory.get(words[4]) < MIN_ARENA_BYTES) {
                add(length(words[0]) == PROCESS_BYTES ? Kept.PROCESS_MAPPING : Kept.SEGMENT_MAPPING, part);
            }
        }
        for (String library : libraries) {
            add(Kept.LIBRARY_MAPPING, library);
            if (Files.exists(Path.of(library))) {
                add(Kept.LIBRARY_FILE, library);
            }
        }
        others.forEach((file, length) -> add(Kept.FILE_MAPPING, file + ", length=" + length));
    }

    private static String nameOf(String file) {
        return file.substring(file.lastIndexOf('/') + 1);
    }

    private static long length(String range) {
        String[] ends = range.split("-");
        return Long.parseUnsignedLong(ends[1], 16) - Long.parseUnsignedLong(ends[0], 16);
    }

    /** Returns what this process has beyond {@code first} and the bounds, told in words; empty if nothing. */
    public String beyond(Remains first) {
        List<String> left = new ArrayList<>();
        things.forEach((kind, now) -> {
            List<String> before = first.things.getOrDefault(kind, List.of());
            if (now.size() > before.size() + kind.bound) {
                List<String> added = new ArrayList<>(now);
                before.forEach(added::remove);
                left.add(kind + ": " + now.size() + ", at first " + before.size() + ", bound " + kind.bound + " more: "
                        + added);
            }
        });
        return String.join("; ", left);
    }

    /** {@return how many ends of connections {@link #awaitNothingBeyond} has made in this process, which statistics count} */
    public static int endsMade() {
        return ENDS_MADE.get();
    }

    /**
     * Waits until nothing is left: closing and ending take their time. Meanwhile connections are made, because what a
     * connection that nobody has accepted keeps is let go when another one begins; and references are cleared, because
     * memory that could not be unmapped at once ends with the last of them.
     *
     * @return what is left after all; empty if nothing is
     */
    public static String awaitNothingBeyond(Remains first) throws InterruptedException, IOException {
        long deadlineNs = System.nanoTime() + Patience.REST_SECONDS * 1_000_000_000L;
        String left = now().beyond(first);
        for (int looks = 0; !left.isEmpty() && System.nanoTime() < deadlineNs; looks++) {
            // Seldom: connections make mappings, too, which some JVMs unmap only when they collect.
            if (looks % LOOKS_BETWEEN_HINTS == 0) {
                connectToItself();
                System.gc();
            }
            Thread.sleep(LOOK_MS);
            left = now().beyond(first);
        }
        return left;
    }

    private static void connectToItself() throws IOException {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getByName(TestHost.NAME), 0);
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(anyPort)) {
            for (int i = 0; i < CONNECTIONS_PER_HINT; i++) {
                try (SocketChannel client = SocketChannel.open(listener.getLocalAddress());
                        SocketChannel server = listener.accept()) {
                    ENDS_MADE.addAndGet(2);
                    client.shutdownOutput();
                    server.shutdownOutput();
                }
            }
        }
    }
}
