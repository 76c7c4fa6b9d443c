package org.exsockets.nio;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import org.exsockets.socket.FileCopy;

/**
 * The JDK's file channels call this for our socket channels instead of their loop over an array of 8 KiB. They have
 * checked that both channels were open a moment ago, the ranges are right, and the file has the bytes. Any thread.
 */
public final class FileTransfers {
    private FileTransfers() {}

    /**
     * As {@link FileChannel#transferTo}.
     *
     * @param target an {@link ExsSocketChannel}
     */
    public static long transferTo(FileChannel file, long position, long count, WritableByteChannel target)
            throws IOException {
        return ((ExsSocketChannel) target).sendFile(file, position, count);
    }

    /**
     * As {@link FileChannel#transferFrom}. Over TCP, too, where the JDK has the same loop.
     *
     * @param source an {@link ExsSocketChannel}
     */
    public static long transferFrom(ReadableByteChannel source, FileChannel file, long position, long count)
            throws IOException {
        return FileCopy.receive(source, file, position, count);
    }
}
