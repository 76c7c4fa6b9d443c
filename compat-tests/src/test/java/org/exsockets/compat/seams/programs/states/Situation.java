package org.exsockets.compat.seams.programs.states;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.ExecutionException;

/** What is around the object of one row: a listener, and the peer of the object. Used by one thread. */
final class Situation implements AutoCloseable {
    /** What one end does, the other has seen after that. */
    private static final long SETTLED_MS = 30;

    /** Of all situations, set before the first one. */
    private static volatile int stretch = 1;

    private ServerSocketChannel listener;
    private SocketChannel peer;

    private ServerSocketChannel listener() throws IOException {
        if (listener == null) {
            listener = ServerSocketChannel.open();
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        }
        return listener;
    }

    InetSocketAddress address() throws IOException {
        return (InetSocketAddress) listener().getLocalAddress();
    }

    /** Returns an address where nobody listens. */
    static InetSocketAddress nowhere() throws IOException {
        try (ServerSocket used = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), used.getLocalPort());
        }
    }

    static InetSocketAddress unresolved() {
        return InetSocketAddress.createUnresolved("nowhere.invalid", 1);
    }

    static ByteBuffer bytes(int length) {
        return ByteBuffer.allocate(length);
    }

    /** Has everything that waits for a time wait for so many times as long. */
    static void stretch(int times) {
        stretch = times;
    }

    /** {@return how long to wait where on a fast machine one would wait for so long} */
    static long stretched(long milliseconds) {
        return milliseconds * stretch;
    }

    static void settle() throws InterruptedException {
        Thread.sleep(stretched(SETTLED_MS));
    }

    // The object.

    SocketChannel channel() throws IOException {
        return SocketChannel.open(address());
    }

    Socket socket() throws IOException {
        return new Socket(address().getAddress(), address().getPort());
    }

    AsynchronousSocketChannel asynchronous() throws IOException, InterruptedException, ExecutionException {
        AsynchronousSocketChannel channel = AsynchronousSocketChannel.open();
        channel.connect(address()).get();
        return channel;
    }

    // The peer.

    SocketChannel peer() throws IOException {
        if (peer == null) {
            peer = listener().accept();
        }
        return peer;
    }

    void peerWrites(int length) throws IOException, InterruptedException {
        peer().write(bytes(length));
        settle();
    }

    void peerShutsOutput() throws IOException, InterruptedException {
        peer().shutdownOutput();
        settle();
    }

    void peerShutsInput() throws IOException, InterruptedException {
        peer().shutdownInput();
        settle();
    }

    void peerCloses() throws IOException, InterruptedException {
        peer().close();
        settle();
    }

    void peerResets() throws IOException, InterruptedException {
        peer().setOption(StandardSocketOptions.SO_LINGER, 0);
        peerCloses();
    }

    void listenerCloses() throws IOException, InterruptedException {
        listener().close();
        settle();
    }

    @Override
    public void close() throws IOException {
        if (peer != null) {
            peer.close();
        }
        if (listener != null) {
            listener.close();
        }
    }
}
