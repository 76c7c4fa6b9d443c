package org.exsockets.jdk;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Reads what the kernel tells in files (proc(5), sysfs). {@link java.nio.file.Files} does it in steps that begin with one byte, for
 * which the kernel gives only the first byte of what is in {@code /proc/sys}, and takes direct memory, of which the program may have none
 * left. Stateless.
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
