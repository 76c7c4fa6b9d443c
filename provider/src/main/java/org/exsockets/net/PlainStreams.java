package org.exsockets.net;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketException;
import org.exsockets.connection.StreamOwner;
import org.exsockets.jdk.Threads;

/** A plain socket's streams, which close the program's socket instead of the plain one. */
final class PlainStreams {
    private PlainStreams() {}

    /**
     * {@return whether a plain socket has closed itself because of an interrupt of this virtual thread} The interrupt
     * status proves nothing: another thread may have closed the socket.
     */
    static boolean isByInterrupt(SocketException failure) {
        return Threads.currentIsVirtual() && "Closed by interrupt".equals(failure.getMessage());
    }

    /** {@return the exception to throw; the program's socket closes itself on that of an interrupt} */
    private static IOException failed(SocketException failure, StreamOwner owner) throws IOException {
        return isByInterrupt(failure) ? owner.interrupted() : failure;
    }

    static final class In extends FilterInputStream {
        private final StreamOwner owner;

        In(InputStream in, StreamOwner owner) {
            super(in);
            this.owner = owner;
        }

        @Override
        public int read() throws IOException {
            try {
                return in.read();
            } catch (SocketException e) {
                throw failed(e, owner);
            }
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            try {
                return in.read(target, offset, length);
            } catch (SocketException e) {
                throw failed(e, owner);
            }
        }

        @Override
        public long transferTo(OutputStream out) throws IOException {
            return in.transferTo(out);
        }

        @Override
        public void close() throws IOException {
            owner.close();
        }
    }

    static final class Out extends FilterOutputStream {
        private final StreamOwner owner;

        Out(OutputStream out, StreamOwner owner) {
            super(out);
            this.owner = owner;
        }

        @Override
        public void write(byte[] source, int offset, int length) throws IOException {
            try {
                out.write(source, offset, length);
            } catch (SocketException e) {
                throw failed(e, owner);
            }
        }

        @Override
        public void close() throws IOException {
            owner.close();
        }
    }
}
