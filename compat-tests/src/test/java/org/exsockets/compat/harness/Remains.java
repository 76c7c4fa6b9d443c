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
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;

/** What a process has that could be left behind, by {@linkplain Kept kind}: looked up in Linux's /proc. Immutable. */
public final class Remains {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    /** Lengths in bytes of what a hidden buffer may be; a segment, which has a header, is never as round. */
    private static final long MIN_REGION = 64 * 1024;

    private static final int LOOK_MS = 50;
    private static final int LOOKS_BETWEEN_HINTS = 20;
    private static final int CONNECTIONS_PER_HINT = 16;

    /** How often this process has been the end of a connection of {@link #connectToItself}. */
    private static final AtomicInteger ENDS_MADE = new AtomicInteger();

    private final Map<Kept, List<String>> things = new EnumMap<>(Kept.class);

    private Remains() {}

    /** Looks at this process. */
    public static Remains now() {
        return now(SHARED_MEMORY);
    }

    /**
     * Looks at this process.
     *
     * @param sharedMemory where the private directories are
     */
    static Remains now(Path sharedMemory) {
        Remains found = new Remains();
        try {
            found.addDescriptors(sharedMemory);
            found.addMappings(sharedMemory);
            found.addPrivateFiles(sharedMemory);
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

    private void addDescriptors(Path sharedMemory) throws IOException {
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
            Kept kind = descriptor(target, tcp, unix, sharedMemory);
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
    private static Kept descriptor(String target, Set<String> tcp, Set<String> unix, Path sharedMemory) {
        if (target.startsWith("socket:[")) {
            String inode = target.substring("socket:[".length(), target.length() - 1);
            return tcp.contains(inode) ? Kept.TCP_SOCKET : unix.contains(inode) ? Kept.UNIX_SOCKET : Kept.OTHER_SOCKET;
        }
        if (target.startsWith("anon_inode:")) {
            return target.endsWith("[eventpoll]")
                    ? Kept.EPOLL
                    : target.endsWith("[eventfd]") ? Kept.EVENT : Kept.OTHER_DESCRIPTOR;
        }
        if (target.startsWith("pipe:")) {
            return Kept.PIPE;
        }
        if (target.startsWith(sharedMemory + "/exs-") && nameOf(target).startsWith("a")) {
            return Kept.ARENA_DESCRIPTOR;
        }
        boolean device = target.startsWith("/dev/") && !target.startsWith(sharedMemory + "/");
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

    private void addMappings(Path sharedMemory) throws IOException {
        Set<String> libraries = new TreeSet<>();
        Set<String> arenas = new TreeSet<>();
        Map<String, Long> others = new HashMap<>();
        for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
            String[] words = line.split("\\s+", 6);
            if (words.length < 6 || !words[5].startsWith("/")) {
                continue;
            }
            String file = words[5].endsWith(" (deleted)")
                    ? words[5].substring(0, words[5].length() - " (deleted)".length())
                    : words[5];
            String name = nameOf(file);
            if (file.startsWith(sharedMemory + "/exs-") && name.startsWith("a")) {
                arenas.add(file);
            } else if (file.startsWith(sharedMemory + "/exs-")) {
                add(mapping(name.charAt(0), length(words[0])), line);
            } else if (name.startsWith("libexs")) {
                libraries.add(file);
            } else if (!isOfTheJvm(file) && !file.startsWith("/dev/") && !file.contains("/bin/")) {
                others.merge(file, length(words[0]), Long::sum);
            }
        }
        arenas.forEach(arena -> add(Kept.ARENA_MAPPING, arena));
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

    private static Kept mapping(char letter, long length) {
        if (letter == 'n') {
            return Kept.KNOCKER_MAPPING;
        }
        if (letter == 'z') {
            return Kept.SIGNS_MAPPING;
        }
        return length >= MIN_REGION && Long.bitCount(length) == 1 ? Kept.REGION_MAPPING : Kept.SEGMENT_MAPPING;
    }

    /** Those of this process: their names, or what they lead to, have its number. */
    private void addPrivateFiles(Path sharedMemory) throws IOException {
        String own = "-" + ProcessHandle.current().pid() + "-";
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(sharedMemory, "exs-*")) {
            for (Path directory : directories) {
                if (!Files.isDirectory(directory) || !Files.isReadable(directory)) {
                    continue;
                }
                try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
                    for (Path file : files) {
                        addPrivateFile(file, own);
                    }
                }
            }
        }
    }

    private void addPrivateFile(Path file, String own) throws IOException {
        String name = file.getFileName().toString();
        char letter = name.charAt(0);
        if (letter == 'l') {
            try {
                String target = Files.readSymbolicLink(file).toString();
                if (target.contains(own)) {
                    add(Kept.LISTENER_LINK, name + " to " + target);
                }
            } catch (NoSuchFileException | NotLinkException changedMeanwhile) {
                return;
            }
        } else if (name.contains(own)) {
            add(
                    switch (letter) {
                        case 'k' -> Kept.LISTENER_SOCKET_FILE;
                        case 'n' -> Kept.KNOCKER_FILE;
                        case 'a' -> Kept.ARENA_FILE;
                        case 'z' -> Kept.SIGNS_FILE;
                        default -> Kept.SEGMENT_FILE;
                    },
                    name);
        }
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
