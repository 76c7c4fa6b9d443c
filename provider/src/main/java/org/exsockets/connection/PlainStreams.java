package org.exsockets.connection;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import org.exsockets.jdk.Threads;

/** The streams of a plain socket as those of the program's socket, which they close instead of the plain one. */
public final class PlainStreams {
    private PlainStreams() {}

    /**
     * {@return whether a plain socket has closed itself because of an interrupt of this virtual thread} The interrupt
     * status proves nothing: another thread may have closed the socket.
     */
    public static boolean isByInterrupt(IOException failure) {
        return failure instanceof SocketException
                && Threads.currentIsVirtual()
                && "Closed by interrupt".equals(failure.getMessage());
    }

    public static InputStream input(Socket plain, StreamOwner owner) throws IOException {
        return new FilterInputStream(plain.getInputStream()) {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] target, int offset, int length) throws IOException {
                try {
                    return in.read(target, offset, length);
                } catch (IOException e) {
                    throw owner.plainFailed(e);
                }
            }

            @Override
            public long skip(long n) throws IOException {
                try {
                    return in.skip(n);
                } catch (IOException e) {
                    throw owner.plainFailed(e);
                }
            }

            @Override
            public void close() throws IOException {
                owner.close();
            }
        };
    }

    public static OutputStream output(Socket plain, StreamOwner owner) throws IOException {
        return new FilterOutputStream(plain.getOutputStream()) {
            @Override
            public void write(int b) throws IOException {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] source, int offset, int length) throws IOException {
                try {
                    out.write(source, offset, length);
                } catch (IOException e) {
                    throw owner.plainFailed(e);
                }
            }

            @Override
            public void close() throws IOException {
                owner.close();
            }
        };
    }
}
