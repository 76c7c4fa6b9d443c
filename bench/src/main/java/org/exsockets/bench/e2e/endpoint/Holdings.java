package org.exsockets.bench.e2e.endpoint;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What this process holds at a moment.
 *
 * @param descriptors open files and sockets
 * @param mappings of its address space
 * @param threads of any kind
 * @param heapBytes live objects
 * @param mappedBytes resident memory of mapped files and shared memory
 * @param anonymousBytes resident memory of all other kinds outside the Java heap
 */
record Holdings(long descriptors, long mappings, long threads, long heapBytes, long mappedBytes, long anonymousBytes) {
    private static final Path SELF = Path.of("/proc/self");
    private static final Pattern MAPPING = Pattern.compile("^([0-9a-f]+)-[0-9a-f]+ ");

    /** A small Java heap lies below this address, where references fit into 32 bits; other memory above. */
    private static final long END_OF_HEAP = 1L << 32;

    /** {@return the state after a collection of garbage} */
    static Holdings now() throws IOException {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        memory.gc();
        return new Holdings(
                entries("fd"),
                lines("maps"),
                entries("task"),
                memory.getHeapMemoryUsage().getUsed(),
                status("RssFile:") + status("RssShmem:"),
                anonymousOutsideHeapBytes());
    }

    /** Adds what has grown since, under names that end in {@code Growth}; shrinking counts as negative growth. */
    Fields growthInto(Fields figures) throws IOException {
        Holdings now = now();
        return figures.with("descriptorsGrowth", now.descriptors - descriptors)
                .with("mappingsGrowth", now.mappings - mappings)
                .with("threadsGrowth", now.threads - threads)
                .with("heapBytesGrowth", now.heapBytes - heapBytes)
                .with("mappedBytesGrowth", now.mappedBytes - mappedBytes)
                .with("anonymousBytesGrowth", now.anonymousBytes - anonymousBytes);
    }

    private static long entries(String directory) throws IOException {
        try (Stream<Path> all = Files.list(SELF.resolve(directory))) {
            return all.count();
        }
    }

    private static long lines(String file) throws IOException {
        try (Stream<String> all = Files.lines(SELF.resolve(file))) {
            return all.count();
        }
    }

    private static long anonymousOutsideHeapBytes() throws IOException {
        long sumKb = 0;
        boolean counts = false;
        for (String line : Files.readAllLines(SELF.resolve("smaps"))) {
            Matcher mapping = MAPPING.matcher(line);
            if (mapping.find()) {
                counts = Long.parseUnsignedLong(mapping.group(1), 16) >= END_OF_HEAP;
            } else if (counts && line.startsWith("Anonymous:")) {
                sumKb += number(line);
            }
        }
        return sumKb * 1024;
    }

    private static long number(String line) {
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
    }

    private static long status(String name) throws IOException {
        try (Stream<String> all = Files.lines(SELF.resolve("status"))) {
            return 1024
                    * all.filter(line -> line.startsWith(name))
                            .mapToLong(Holdings::number)
                            .sum();
        }
    }
}
