package org.exsockets.verbs.soft;

import java.io.IOException;
import java.nio.file.FileSystemException;

/**
 * This process, or the system, has no descriptors left to open a segment with: what was to be done can be done later. The
 * message is the kernel's, which programs know from accepts over TCP.
 */
final class NoDescriptorsException extends IOException {
    private static final long serialVersionUID = 1L;

    NoDescriptorsException(FileSystemException cause) {
        super(cause.getReason(), cause);
    }
}
