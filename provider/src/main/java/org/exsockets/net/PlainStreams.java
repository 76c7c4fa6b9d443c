package org.exsockets.net;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.exsockets.socket.StreamOwner;

/** A plain socket's streams, closing the socket the program knows instead of the one underneath. */
final class PlainStreams {
    private PlainStreams() {}

    static final class In extends FilterInputStream {
        private final StreamOwner owner;

        In(InputStream in, StreamOwner owner) {
            super(in);
            this.owner = owner;
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
            out.write(source, offset, length);
        }

        @Override
        public void close() throws IOException {
            owner.close();
        }
    }
}
