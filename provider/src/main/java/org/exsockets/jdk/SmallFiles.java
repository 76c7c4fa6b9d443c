package org.exsockets.jdk;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Reads files of the kernel (proc(5), sysfs). {@link java.nio.file.Files} is unsuitable: it first reads one byte, and
 * the kernel gives no more than that of a file in {@code /proc/sys}. It also takes direct memory, of which the program
 * may have none left. Stateless.
 */
public final class SmallFiles {
    private SmallFiles() {}

    /**
     * {@return the content of a file, as UTF-8}
     *
     * @throws IOException if it cannot be read
     */
    public static String read(Path file) throws IOException {
        try (FileInputStream in = new FileInputStream(file.toFile())) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
