package org.exsockets.verbs.soft;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A place of its own for each test, on a real memory file system. */
final class MemoryFileSystem implements AutoCloseable {
    private final Path root;

    private MemoryFileSystem(Path root) {
        this.root = root;
    }

    static MemoryFileSystem create() throws IOException {
        Path shm = Path.of("/dev/shm");
        Assumptions.assumeTrue(Files.isWritable(shm), "no writable /dev/shm");
        return new MemoryFileSystem(Files.createTempDirectory(shm, "t"));
    }

    Path root() {
        return root;
    }

    /** {@return the private directory of the device} */
    Path directory() throws IOException {
        return root.resolve("exs-" + ProcessIdentity.own().uid());
    }

    /** {@return the names in the private directory that start with {@code prefix}} */
    List<String> names(String prefix) throws IOException {
        try (Stream<Path> files = Files.list(directory())) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith(prefix))
                    .sorted()
                    .toList();
        }
    }

    void deleteSegments() throws IOException {
        for (String name : names("s")) {
            Files.delete(directory().resolve(name));
        }
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            for (Path file : all.sorted((one, other) -> other.compareTo(one)).toList()) {
                Files.delete(file);
            }
        }
    }
}
