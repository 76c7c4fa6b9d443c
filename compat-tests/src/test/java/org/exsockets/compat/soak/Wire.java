package org.exsockets.compat.soak;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Blocking calls on a connection. One thread reads, one writes. */
interface Wire extends Closeable {
    /** Returns how much was read, -1 at the end. */
    int read(ByteBuffer buffer) throws IOException;

    void write(ByteBuffer buffer) throws IOException;

    void shutdownOutput() throws IOException;

    /** A socket's streams; buffers must have arrays. */
    final class OverSocket implements Wire {
        private final Socket socket;
        private final InputStream in;
        private final OutputStream out;

        OverSocket(Socket socket) throws IOException {
            this.socket = socket;
            this.in = socket.getInputStream();
            this.out = socket.getOutputStream();
        }

        @Override
        public int read(ByteBuffer buffer) throws IOException {
            while (true) {
                try {
                    int n = in.read(buffer.array(), buffer.position(), buffer.remaining());
                    buffer.position(buffer.position() + Math.max(n, 0));
                    return n;
                } catch (SocketTimeoutException again) {
                    // Some of these sockets have a time-out, which must not lose anything.
                    continue;
                }
            }
        }

        @Override
        public void write(ByteBuffer buffer) throws IOException {
            out.write(buffer.array(), buffer.position(), buffer.remaining());
            buffer.position(buffer.limit());
        }

        @Override
        public void shutdownOutput() throws IOException {
            socket.shutdownOutput();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    /** A channel in blocking mode. */
    final class OverChannel implements Wire {
        private final SocketChannel channel;

        OverChannel(SocketChannel channel) {
            this.channel = channel;
        }

        @Override
        public int read(ByteBuffer buffer) throws IOException {
            return channel.read(buffer);
        }

        @Override
        public void write(ByteBuffer buffer) throws IOException {
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        }

        @Override
        public void shutdownOutput() throws IOException {
            channel.shutdownOutput();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
