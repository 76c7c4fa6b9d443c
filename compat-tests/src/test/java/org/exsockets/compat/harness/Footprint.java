package org.exsockets.compat.harness;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much a process holds at a moment, in numbers that can be subtracted: read from Linux's /proc, and from its heap after
 * collections. What the kernel has for sockets is not visible there.
 *
 * @param descriptors open files and sockets
 * @param mappings of its address space
 * @param threads of any kind
 * @param heapBytes live objects
 * @param nativeBytes resident memory of its own outside the Java heap: direct buffers, what the JVM and libraries allocate
 * @param pageTableBytes what the kernel needs to map its memory
 * @param sharedBytes its part of the memory of connections that are in memory: half of what both ends have touched
 */
public record Footprint(
        long descriptors,
        long mappings,
        long threads,
        long heapBytes,
        long nativeBytes,
        long pageTableBytes,
        long sharedBytes) {
    private static final Path SELF = Path.of("/proc/self");
    private static final Pattern MAPPING = Pattern.compile("^([0-9a-f]+)-[0-9a-f]+ ");

    /** A small Java heap lies below this address, where references fit into 32 bits; other memory above. */
    private static final long END_OF_HEAP = 1L << 32;

    /** Of EXS, without a name. */
    private static final String SHARED = "/memfd:exs";

    private static final int MOST_COLLECTIONS = 10;
    private static final long SETTLED_BYTES = 64 * 1024;

    /** Looks at this process. */
    public static Footprint now() throws IOException {
        long heapBytes = settledHeapBytes();
        return new Footprint(
                entries("fd"),
                lines("maps").size(),
                entries("task"),
                heapBytes,
                anonymousOutsideHeapBytes(),
                number(lines("status"), "VmPTE:") * 1024,
                residentSharedBytes());
    }

    /** Collects until that frees nothing any more: references are cleared one collection, their objects freed the next. */
    private static long settledHeapBytes() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        long before;
        long used = Long.MAX_VALUE;
        int collections = 0;
        do {
            before = used;
            memory.gc();
            used = memory.getHeapMemoryUsage().getUsed();
        } while (before - used > SETTLED_BYTES && ++collections < MOST_COLLECTIONS);
        return used;
    }

    private static long entries(String directory) {
        String[] names = SELF.resolve(directory).toFile().list();
        return names == null ? 0 : names.length;
    }

    private static List<String> lines(String file) throws IOException {
        return Files.readAllLines(SELF.resolve(file));
    }

    private static long anonymousOutsideHeapBytes() throws IOException {
        long sumKb = 0;
        boolean counts = false;
        for (String line : lines("smaps")) {
            Matcher mapping = MAPPING.matcher(line);
            if (mapping.find()) {
                counts = Long.parseUnsignedLong(mapping.group(1), 16) >= END_OF_HEAP;
            } else if (counts && line.startsWith("Anonymous:")) {
                sumKb += number(line);
            }
        }
        return sumKb * 1024;
    }

    private static long residentSharedBytes() throws IOException {
        long sumKb = 0;
        boolean counts = false;
        for (String line : lines("smaps")) {
            if (MAPPING.matcher(line).find()) {
                counts = line.contains(SHARED);
            } else if (counts && line.startsWith("Pss:")) {
                sumKb += number(line);
            }
        }
        return sumKb * 1024;
    }

    private static long number(List<String> lines, String name) {
        return lines.stream()
                .filter(line -> line.startsWith(name))
                .mapToLong(Footprint::number)
                .sum();
    }

    private static long number(String line) {
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
    }

    /** Returns how much more this is than {@code before}, number by number. */
    public Footprint minus(Footprint before) {
        return new Footprint(
                descriptors - before.descriptors,
                mappings - before.mappings,
                threads - before.threads,
                heapBytes - before.heapBytes,
                nativeBytes - before.nativeBytes,
                pageTableBytes - before.pageTableBytes,
                sharedBytes - before.sharedBytes);
    }

    /** Returns all memory that is counted here. */
    public long bytes() {
        return heapBytes + nativeBytes + pageTableBytes + sharedBytes;
    }

    /** Returns the numbers with blanks between them, for {@link #parse}. */
    public String format() {
        return descriptors + " " + mappings + " " + threads + " " + heapBytes + " " + nativeBytes + " " + pageTableBytes
                + " " + sharedBytes;
    }

    /** Reads what {@link #format} has written. */
    public static Footprint parse(String numbers) {
        String[] words = numbers.split(" ");
        return new Footprint(
                Long.parseLong(words[0]),
                Long.parseLong(words[1]),
                Long.parseLong(words[2]),
                Long.parseLong(words[3]),
                Long.parseLong(words[4]),
                Long.parseLong(words[5]),
                Long.parseLong(words[6]));
    }
}
