package org.exsockets.compat.soak;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.ExecutionException;

/** Connects that nobody accepts. */
final class Refusals {
    private Refusals() {}

    /**
     * Meets one refused connect of each kind of socket.
     *
     * @throws IllegalStateException if one was not refused
     */
    static void meet(String host) throws IOException, InterruptedException {
        try (Socket taken = new Socket()) {
            taken.bind(new InetSocketAddress(host, 0)); // Its port is nobody else's, and nobody listens there.
            InetSocketAddress there = (InetSocketAddress) taken.getLocalSocketAddress();
            try (Socket socket = new Socket()) {
                mustFail("Socket", () -> socket.connect(there));
            }
            try (SocketChannel channel = SocketChannel.open()) {
                mustFail("SocketChannel", () -> channel.connect(there));
            }
            try (AsynchronousSocketChannel channel = AsynchronousSocketChannel.open()) {
                mustFail("AsynchronousSocketChannel", () -> awaitConnected(channel, there));
            }
        }
    }

    private static void awaitConnected(AsynchronousSocketChannel channel, InetSocketAddress there)
            throws IOException, InterruptedException {
        try {
            channel.connect(there).get();
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        }
    }

    /** A connect. */
    @FunctionalInterface
    private interface Connect {
        void run() throws IOException, InterruptedException;
    }

    private static void mustFail(String kind, Connect connect) throws InterruptedException {
        try {
            connect.run();
        } catch (IOException refused) {
            return;
        }
        throw new IllegalStateException("soak: a " + kind + " was connected to a port where nobody listens");
    }
}
