package org.exsockets.compat.harness;

import java.io.IOException;

/**
 * The data commands of one connection in a peer process. It counts what it has written and read, so everything it
 * writes continues the {@link Pattern} and everything it reads is checked against it. One worker thread uses it.
 */
final class PeerStream {
    private static final int PIECE_BYTES = 64 * 1024;

    private final PeerConnection connection;
    private long written;
    private long read;

    PeerStream(PeerConnection connection) {
        this.connection = connection;
    }

    PeerConnection connection() {
        return connection;
    }

    Object run(String command, String[] arguments) throws IOException {
        switch (command) {
            case "write":
                return write(Long.parseLong(arguments[0]), Integer.parseInt(arguments[1]));
            case "read":
                return read(Long.parseLong(arguments[0]));
            case "readToEnd":
                return readToEnd();
            case "echo":
                return echo();
            case "shutdownOutput":
                connection.shutdownOutput();
                return "";
            case "shutdownInput":
                connection.shutdownInput();
                return "";
            case "lingerNot":
                connection.lingerNot();
                return "";
            default:
                throw new IllegalArgumentException("command: not known: " + command);
        }
    }

    private long write(long lengthBytes, int pieceBytes) throws IOException {
        long end = written + lengthBytes;
        while (written < end) {
            int length = (int) Math.min(pieceBytes, end - written);
            connection.write(Pattern.bytes(written, length), 0, length);
            written += length;
        }
        return written;
    }

    private long read(long lengthBytes) throws IOException {
        byte[] piece = new byte[PIECE_BYTES];
        long end = read + lengthBytes;
        while (read < end) {
            int n = connection.read(piece, 0, (int) Math.min(piece.length, end - read));
            if (n < 0) {
                throw new IOException("read: the stream ended: expected=" + end + ", received=" + read);
            }
            Pattern.check(read, piece, 0, n);
            read += n;
        }
        return read;
    }

    private long readToEnd() throws IOException {
        byte[] piece = new byte[PIECE_BYTES];
        int n;
        while ((n = connection.read(piece, 0, piece.length)) >= 0) {
            Pattern.check(read, piece, 0, n);
            read += n;
        }
        return read;
    }

    private long echo() throws IOException {
        byte[] piece = new byte[PIECE_BYTES];
        int n;
        while ((n = connection.read(piece, 0, piece.length)) >= 0) {
            connection.write(piece, 0, n);
            read += n;
            written += n;
        }
        connection.shutdownOutput();
        return read;
    }
}
