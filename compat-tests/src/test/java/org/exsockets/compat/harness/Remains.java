package org.exsockets.compat.harness;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What a process has that could be left behind: descriptors by kind, mappings and files of EXS, threads. Immutable.
 *
 * <p>{@link #BOUNDS} is the one place that says what the program's end of a connection may leave: the caches of EXS that
 * docs/usage.md tells of (segments with their Unix sockets, selectors to sleep in, the background thread), and what the
 * JDK keeps for itself.
 */
public final class Remains {
    /** How much of each kind a process may have more than at first, however many connections it has had. */
    private static final TreeMap<String, Integer> BOUNDS = new TreeMap<>();

    static {
        // 16 selectors for sleepers, the background thread's, the JDK's own pollers of virtual threads: each an epoll
        // descriptor and an event descriptor.
        BOUNDS.put("anon_inode:[eventpoll]", 24);
        BOUNDS.put("anon_inode:[eventfd]", 24);
        // A Unix socket for each idle segment of either end, and for connections that closed before they were accepted.
        BOUNDS.put("socket", 16 + 32 + 16);
        BOUNDS.put("pipe", 8);
        // Idle segments that this process has made (16) and accepted (32), closed before they were accepted (some), and a
        // page of each listener it knows (64).
        BOUNDS.put("mapping", 16 + 32 + 16 + 64);
        BOUNDS.put("segment", 16 + 16);
        BOUNDS.put("listener", 0);
    }

    /** Threads that end by themselves after idling, or never: of EXS, of the JDK, of JUnit and of this harness. */
    private static final List<String> LASTING = List.of(
            "exs-progress",
            "exs-connect-",
            "exs-verbs",
            "exs-exit",
            "background",
            "junit-",
            "surefire-",
            "peer-",
            "process reaper",
            "ForkJoinPool",
            "Keep-Alive-",
            "RMI ",
            "GC Daemon",
            "HttpClient-",
            "Common-Cleaner",
            "Cleaner-",
            "JFR ",
            "Read-Poller",
            "Write-Poller",
            "MasterPoller",
            "VirtualThread-unparker",
            "Attach Listener",
            "Signal Dispatcher",
            "Thread-");

    private final TreeMap<String, Integer> counts;
    private final List<String> threads;

    private Remains(TreeMap<String, Integer> counts, List<String> threads) {
        this.counts = counts;
        this.threads = threads;
    }

    /** Looks at this process. */
    public static Remains now() {
        TreeMap<String, Integer> counts = new TreeMap<>();
        File[] descriptors = new File("/proc/self/fd").listFiles();
        for (File descriptor : descriptors == null ? new File[0] : descriptors) {
            count(counts, kind(descriptor.toPath()));
        }
        String mine = Long.toHexString(ProcessHandle.current().pid());
        try (Stream<String> mappings = Files.lines(Path.of("/proc/self/maps"))) {
            mappings.filter(line -> line.contains("/dev/shm/exs-")).forEach(line -> count(counts, "mapping"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        File[] directories = new File("/dev/shm").listFiles((in, name) -> name.startsWith("exs-"));
        for (File directory : directories == null ? new File[0] : directories) {
            String[] files = directory.list();
            for (String file : files == null ? new String[0] : files) {
                if (file.contains("-" + mine + "-")) {
                    count(counts, file.startsWith("s") ? "segment" : "listener");
                }
            }
        }
        List<String> threads = new ArrayList<>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (LASTING.stream().noneMatch(thread.getName()::startsWith)) {
                threads.add(thread.getName() + "-" + thread.getId());
            }
        }
        return new Remains(counts, threads);
    }

    private static void count(TreeMap<String, Integer> counts, String kind) {
        if (kind != null) {
            counts.merge(kind, 1, Integer::sum);
        }
    }

    /** {@return null for an ordinary file: class loaders open those when they like} */
    private static String kind(Path descriptor) {
        try {
            String target = Files.readSymbolicLink(descriptor).toString();
            int colon = target.indexOf(':');
            return target.startsWith("anon_inode") ? target : colon > 0 ? target.substring(0, colon) : null;
        } catch (IOException closedMeanwhile) {
            return null;
        }
    }

    /** Returns what this process has beyond {@code first} and the bounds, told in words; empty if nothing. */
    public String beyond(Remains first) {
        List<String> left = new ArrayList<>();
        counts.forEach((kind, count) -> {
            int before = first.counts.getOrDefault(kind, 0);
            int bound = BOUNDS.getOrDefault(kind, 0);
            if (count > before + bound) {
                left.add(kind + ": " + count + ", at first " + before + ", bound " + bound + " more");
            }
        });
        for (String thread : threads) {
            if (!first.threads.contains(thread)) {
                left.add("thread: " + thread);
            }
        }
        return String.join("; ", left);
    }

    /** Waits until nothing is left: closing and ending take their time. Returns what is left after all. */
    public static String awaitNothingBeyond(Remains first) throws InterruptedException {
        long deadlineNs = System.nanoTime() + Patience.of(12) * 1_000_000_000L;
        String left = now().beyond(first);
        for (int looks = 0; !left.isEmpty() && System.nanoTime() < deadlineNs; looks++) {
            if (looks == 20) {
                System.gc(); // Clients of the JDK that nobody uses any more end with their last reference.
            }
            Thread.sleep(50);
            left = now().beyond(first);
        }
        return left;
    }
}
