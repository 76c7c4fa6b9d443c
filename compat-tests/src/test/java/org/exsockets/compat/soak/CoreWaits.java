package org.exsockets.compat.soak;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** How long threads were ready to run and had no core, as Linux counts it ({@code /proc/PID/task/TID/schedstat}). Stateless. */
final class CoreWaits {
    /** The second number of the file, in nanoseconds. */
    private static final int RUN_DELAY = 1;

    private static final int NS_PER_MS = 1_000_000;

    private CoreWaits() {}

    /**
     * {@return the milliseconds of all threads of a process together, of those that live; 0 where the kernel does not count, or
     * the process is gone}
     */
    static long of(long pid) {
        long sumNs = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "task"))) {
            for (Path thread : threads) {
                sumNs += ofThread(thread.resolve("schedstat"));
            }
        } catch (IOException | DirectoryIteratorException gone) {
            return 0;
        }
        return sumNs / NS_PER_MS;
    }

    private static long ofThread(Path counters) {
        try {
            return Long.parseLong(Files.readString(counters).split(" ")[RUN_DELAY]);
        } catch (IOException ended) {
            return 0;
        }
    }
}
