package org.exsockets.verbs.soft;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * This process, or the system, has no descriptors left to open a segment with, or may not map any more memory ({@code
 * vm.max_map_count}): what was to be done can be done later. The message is the kernel's, which programs know from accepts
 * over TCP.
 */
final class NoResourcesException extends IOException {
    private static final long serialVersionUID = 1L;

    private NoResourcesException(String message, IOException cause) {
        super(message, cause);
    }

    /** {@return {@code failure} to map a segment, as one of these if it is nothing that is wrong with the file} */
    static IOException of(IOException failure, Path file) {
        if (failure.getCause() instanceof OutOfMemoryError) {
            return new NoResourcesException("Cannot allocate memory", failure);
        }
        // What is wrong with the file has exceptions of its own, but for links.
        return failure.getClass() == FileSystemException.class && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                ? new NoResourcesException(((FileSystemException) failure).getReason(), failure)
                : failure;
    }
}
