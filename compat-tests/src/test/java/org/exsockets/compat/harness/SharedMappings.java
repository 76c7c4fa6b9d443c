package org.exsockets.compat.harness;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The memory that this process shares with its peers, as the kernel lists it, to be read and written from outside ({@code /proc/self/mem}): what is
 * not mapped any more fails, and crashes nobody. Owned by one thread.
 */
public final class SharedMappings implements AutoCloseable {
    private static final int HEX = 16;

    /** A mapping. */
    public record Mapping(long address, long lengthBytes) {}

    private final RandomAccessFile memory;

    public SharedMappings() throws IOException {
        memory = new RandomAccessFile("/proc/self/mem", "rw");
    }

    /** {@return those that are there now} */
    public static List<Mapping> find() throws IOException {
        List<Mapping> found = new ArrayList<>();
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            lines.filter(line -> line.contains("memfd:exs") && line.contains(" rw-s "))
                    .forEach(line -> {
                        String[] ends = line.substring(0, line.indexOf(' ')).split("-");
                        long address = Long.parseUnsignedLong(ends[0], HEX);
                        found.add(new Mapping(address, Long.parseUnsignedLong(ends[1], HEX) - address));
                    });
        }
        return found;
    }

    /** Reads what is mapped at {@code address}. */
    public void read(long address, byte[] target) throws IOException {
        memory.seek(address);
        memory.readFully(target);
    }

    /** Writes over what is mapped at {@code address}. */
    public void write(long address, byte[] source) throws IOException {
        memory.seek(address);
        memory.write(source);
    }

    @Override
    public void close() throws IOException {
        memory.close();
    }
}
