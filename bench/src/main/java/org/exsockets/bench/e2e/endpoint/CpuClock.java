package org.exsockets.bench.e2e.endpoint;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * CPU time of this process in nanoseconds, user and system. Started and read by the thread that runs the round. The
 * time of that thread is exact and leaves out what this clock costs. The time of other threads comes from the
 * scheduler's counters ({@code /proc/self/task/TID/schedstat}), or without those from the JVM, in steps of 10 ms.
 * Threads that end between start and reading are not counted.
 */
final class CpuClock {
    private static final Path TASKS = Path.of("/proc/self/task");
    private static final Path OWN_TASK = Path.of("/proc/thread-self");
    private static final boolean COUNTERS = Files.exists(Path.of("/proc/thread-self/schedstat"));

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private Map<String, Long> othersNs = Map.of();
    private long startNs;

    void start() throws IOException {
        if (COUNTERS) {
            othersNs = otherThreadsNs();
            startNs = threads.getCurrentThreadCpuTime();
        } else {
            startNs = processNs();
        }
    }

    long elapsedNs() throws IOException {
        if (!COUNTERS) {
            return processNs() - startNs;
        }
        long sumNs = threads.getCurrentThreadCpuTime() - startNs;
        for (Map.Entry<String, Long> thread : otherThreadsNs().entrySet()) {
            sumNs += thread.getValue() - othersNs.getOrDefault(thread.getKey(), 0L);
        }
        return sumNs;
    }

    /** {@return the kernel's number of the calling thread} */
    static String ownThread() throws IOException {
        return Files.readSymbolicLink(OWN_TASK).getFileName().toString();
    }

    private static Map<String, Long> otherThreadsNs() throws IOException {
        Map<String, Long> nsByThread = new HashMap<>();
        String own = ownThread();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
            for (Path task : tasks) {
                String id = task.getFileName().toString();
                if (!id.equals(own)) {
                    readCounter(task, id, nsByThread);
                }
            }
        }
        return nsByThread;
    }

    private static void readCounter(Path task, String id, Map<String, Long> nsByThread) {
        try {
            String counters = Files.readString(task.resolve("schedstat"));
            nsByThread.put(id, Long.parseLong(counters.substring(0, counters.indexOf(' '))));
        } catch (IOException ended) {
            nsByThread.remove(id);
        }
    }

    private static long processNs() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }
}
