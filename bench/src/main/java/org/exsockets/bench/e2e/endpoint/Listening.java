package org.exsockets.bench.e2e.endpoint;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;

/** A listener on a free port, of either kind. */
interface Listening extends Closeable {
    int port() throws IOException;

    Wire accept(Face face, WireOptions options) throws IOException;

    /** {@return the address that servers listen on: the property {@code bench.host}, or else loopback} */
    static InetAddress host() {
        try {
            return InetAddress.getByName(System.getProperty("bench.host", "127.0.0.1"));
        } catch (UnknownHostException unknown) {
            throw new UncheckedIOException("bench.host", unknown);
        }
    }

    static InetSocketAddress anyPort() {
        return new InetSocketAddress(host(), 0);
    }

    /** A listener for every face that is a channel. */
    record ChannelListening(ServerSocketChannel channel) implements Listening {
        @Override
        public int port() throws IOException {
            return ((InetSocketAddress) channel.getLocalAddress()).getPort();
        }

        @Override
        public Wire accept(Face face, WireOptions options) throws IOException {
            return face.wire(channel.accept(), options);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    /** A listener for {@link Face#SOCKET}. */
    record SocketListening(ServerSocket socket) implements Listening {
        @Override
        public int port() {
            return socket.getLocalPort();
        }

        @Override
        public Wire accept(Face face, WireOptions options) throws IOException {
            return face.wire(socket.accept(), options);
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
