package org.exsockets.observe;

import java.io.Closeable;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Writes whole lines, each by one system call, so that lines of several threads and processes do not mix.
 *
 * <p>Standard error means the descriptor, not {@link System#err}: a program may have redirected the latter into a
 * logger that sends over a socket, and a message about sockets would then come back to EXS.
 */
record LineSink(OutputStream out) implements Closeable {
    static LineSink stderr() {
        return new LineSink(new FileOutputStream(FileDescriptor.err));
    }

    static LineSink appendingTo(Path file) throws IOException {
        return new LineSink(new FileOutputStream(file.toString(), true));
    }

    void writeLine(String line) throws IOException {
        out.write(line.concat("\n").getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
