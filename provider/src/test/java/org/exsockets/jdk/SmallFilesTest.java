package org.exsockets.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.FileNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.StringTokenizer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SmallFilesTest {
    /** {@code Files.readString} gets its first digit. */
    @Test
    void whatTheKernelTellsIsReadWhole() throws Exception {
        String range = SmallFiles.read(Path.of("/proc/sys/net/ipv4/ip_local_port_range"));
        assertEquals(2, new StringTokenizer(range).countTokens(), range);
    }

    @Test
    void filesAreReadWholeAndAsUtf8(@TempDir Path directory) throws Exception {
        String text = "é".repeat(100_000);
        assertEquals(text, SmallFiles.read(Files.writeString(directory.resolve("file"), text)));
        assertThrows(FileNotFoundException.class, () -> SmallFiles.read(directory.resolve("none")));
    }
}
