package org.exsockets.verbs.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NoResourcesExceptionTest {
    @TempDir
    private Path directory;

    @Test
    void whatCanBeDoneLaterIsToldFromWhatIsWrongWithTheFile() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), file);
        assertLater("Too many open files", new FileSystemException("file", null, "Too many open files"), file);
        assertLater("Cannot allocate memory", new IOException("Map failed", new OutOfMemoryError("Map failed")), file);
        for (IOException wrong : new IOException[] {
            new NoSuchFileException("file"), new IOException("wrong size"), new IOException("Map failed")
        }) {
            assertSame(wrong, NoResourcesException.of(wrong, file));
        }
        IOException links = new FileSystemException("link", null, "Too many levels of symbolic links");
        assertSame(links, NoResourcesException.of(links, link));
    }

    private static void assertLater(String message, IOException failure, Path file) {
        IOException later = NoResourcesException.of(failure, file);
        assertInstanceOf(NoResourcesException.class, later);
        assertEquals(message, later.getMessage());
        assertSame(failure, later.getCause());
    }
}
