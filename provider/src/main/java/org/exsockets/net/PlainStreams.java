package org.exsockets.net;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketException;
import org.exsockets.jdk.Threads;
import org.exsockets.socket.StreamOwner;

/** A plain socket's streams, closing the socket the program knows instead of the one underneath. */
final class PlainStreams {
    private PlainStreams() {}

    /**
     * {@return whether a plain socket has closed itself because of an interrupt of this virtual thread; one that somebody
     * closed may find the thread interrupted, too}
     */
    static boolean isByInterrupt(SocketException failure) {
        return Threads.currentIsVirtual() && "Closed by interrupt".equals(failure.getMessage());
    }

    /** The program's socket closes itself if it is told of the interrupt. */
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
