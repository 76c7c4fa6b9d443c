package org.exsockets.compat.harness;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Memory of which a part is not there: a file that was truncated after it had been mapped. */
public final class TruncatedFile {
    private static final int PAGE = 4096;

    private TruncatedFile() {}

    /**
     * {@return a buffer from whose position on {@code good} bytes are those of the pattern, and whose others are not there any
     * more} The file itself is deleted.
     */
    public static MappedByteBuffer map(int good, int failing) throws IOException {
        int first = (PAGE - good % PAGE) % PAGE;
        Path file = Files.createTempFile("truncated", null);
        Files.write(file, new byte[first]);
        Files.write(file, Pattern.bytes(0, good + failing), StandardOpenOption.APPEND);
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE)) {
            MappedByteBuffer all = channel.map(MapMode.READ_WRITE, 0, first + good + failing);
            channel.truncate(first + good);
            return all.position(first);
        }
    }
}
