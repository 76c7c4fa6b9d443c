package org.exsockets.jdk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BundledLibraryTest {
    private static final byte[] CONTENT = {1, 2, 3};

    @TempDir
    Path directory;

    private Path unpack() throws IOException {
        return BundledLibrary.unpack(new ByteArrayInputStream(CONTENT), "libx.so", directory);
    }

    @Test
    void whatIsUnpackedIsReachedByTheOwnerOnly() throws IOException {
        Path file = unpack();
        assertArrayEquals(CONTENT, Files.readAllBytes(file));
        assertEquals("libx.so", file.getFileName().toString());
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())));
        assertEquals(directory.toAbsolutePath(), file.getParent().getParent());
    }

    @Test
    void eachUnpackingHasADirectoryOfItsOwn() throws IOException {
        assertNotEquals(unpack().getParent(), unpack().getParent());
    }

    @Test
    void removingLeavesNothingAndCanBeRepeated() throws IOException {
        Path file = unpack();
        BundledLibrary.remove(file);
        BundledLibrary.remove(file);
        assertEquals(List.of(), left());
    }

    @Test
    void aFailedUnpackingLeavesNothingAndSaysWhere() throws IOException {
        InputStream broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("No space left on device");
            }
        };
        IOException failure =
                assertThrows(IOException.class, () -> BundledLibrary.unpack(broken, "libx.so", directory));
        assertEquals(
                "cannot unpack the native library to " + directory + ": No space left on device", failure.getMessage());
        assertEquals(List.of(), left());
    }

    private List<Path> left() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }
}
