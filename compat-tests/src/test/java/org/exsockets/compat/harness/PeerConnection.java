package org.exsockets.compat.harness;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * One connection inside a peer process, over either face. Owned by one worker thread of {@link PeerMain}, except
 * {@link #close} and {@link #abort}, which any thread may call.
 */
interface PeerConnection {
    /** Reads at least one byte; returns -1 at the end of the stream. */
    int read(byte[] bytes, int offset, int lengthBytes) throws IOException;

    /** Writes all of the bytes. */
    void write(byte[] bytes, int offset, int lengthBytes) throws IOException;

    void shutdownOutput() throws IOException;

    void shutdownInput() throws IOException;

    void close() throws IOException;

    /** Sets the linger time to zero. */
    void lingerNot() throws IOException;

    /** Closes with a reset. */
    default void abort() throws IOException {
        lingerNot();
        close();
    }

    InetSocketAddress localAddress() throws IOException;

    InetSocketAddress remoteAddress() throws IOException;

    /** A connection over {@code java.net}. */
    record OverSocket(Socket socket) implements PeerConnection {
        @Override
        public int read(byte[] bytes, int offset, int lengthBytes) throws IOException {
            return socket.getInputStream().read(bytes, offset, lengthBytes);
        }

        @Override
        public void write(byte[] bytes, int offset, int lengthBytes) throws IOException {
            socket.getOutputStream().write(bytes, offset, lengthBytes);
        }

        @Override
        public void shutdownOutput() throws IOException {
            socket.shutdownOutput();
        }

        @Override
        public void shutdownInput() throws IOException {
            socket.shutdownInput();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }

        @Override
        public void lingerNot() throws IOException {
            socket.setSoLinger(true, 0);
        }

        @Override
        public InetSocketAddress localAddress() {
            return (InetSocketAddress) socket.getLocalSocketAddress();
        }

        @Override
        public InetSocketAddress remoteAddress() {
            return (InetSocketAddress) socket.getRemoteSocketAddress();
        }
    }

    /** A connection over {@code java.nio}. */
    record OverChannel(SocketChannel channel) implements PeerConnection {
        @Override
        public int read(byte[] bytes, int offset, int lengthBytes) throws IOException {
            return channel.read(ByteBuffer.wrap(bytes, offset, lengthBytes));
        }

        @Override
        public void write(byte[] bytes, int offset, int lengthBytes) throws IOException {
            ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, lengthBytes);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        }

        @Override
        public void shutdownOutput() throws IOException {
            channel.shutdownOutput();
        }

        @Override
        public void shutdownInput() throws IOException {
            channel.shutdownInput();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }

        @Override
        public void lingerNot() throws IOException {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        }

        @Override
        public InetSocketAddress localAddress() throws IOException {
            return (InetSocketAddress) channel.getLocalAddress();
        }

        @Override
        public InetSocketAddress remoteAddress() throws IOException {
            return (InetSocketAddress) channel.getRemoteAddress();
        }
    }
}
