package org.exsockets.compat.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What a process says about its connections, in a file that outlives it: each line is there when {@link #note} returns, also
 * if the process is killed then. Times are those of {@link System#nanoTime}, which all processes of a Linux host share.
 * Thread-safe.
 */
final class Ledger {
    enum Event {
        /** A client has received everything, with the server's last acknowledgement. */
        DONE,
        /** A server has received everything, and is going to acknowledge it. */
        VERIFIED,
        /** A server has closed. */
        SERVED,
        /** An IOException. */
        FAILED,
        /** A listener's accept has failed, and goes on. */
        NOT_ACCEPTED,
        /** Something that must never be. */
        WRONG
    }

    /** Between what a program sees and where. */
    static final String FRAME = " < ";

    private static final int FRAMES = 12;

    private final FileChannel file;
    private final long seed;

    Ledger(Path path, long seed) throws IOException {
        this.file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        this.seed = seed;
    }

    /** The seed of the whole soak. */
    long seed() {
        return seed;
    }

    void note(Event event, long id, long startNs, long received, String where, String text) {
        String line = String.join(
                "\t",
                event.name(),
                Long.toString(id),
                Long.toString(startNs),
                Long.toString(System.nanoTime()),
                Long.toString(received),
                where,
                text);
        try {
            write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private synchronized void write(ByteBuffer line) throws IOException {
        while (line.hasRemaining()) {
            file.write(line);
        }
    }

    /** Describes a failure in one line: what programs see of it, and then where. */
    static String text(Throwable failure) {
        StringBuilder text = new StringBuilder(failure.getClass().getName() + ": " + failure.getMessage());
        StackTraceElement[] frames = failure.getStackTrace();
        for (int i = 0; i < Math.min(frames.length, FRAMES); i++) {
            text.append(FRAME).append(frames[i]);
        }
        if (failure.getCause() != null) {
            text.append(" caused by ").append(text(failure.getCause()));
        }
        return text.toString().replace('\t', ' ').replace('\n', ' ').replace('\r', ' ');
    }

    void close() throws IOException {
        file.close();
    }
}
