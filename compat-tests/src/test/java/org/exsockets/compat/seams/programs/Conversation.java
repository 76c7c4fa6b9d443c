package org.exsockets.compat.seams.programs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/**
 * Both ends of one connection of each kind: sockets, channels with a selector, asynchronous channels. Says {@code exchanged}
 * and how many bytes arrived, in all, and ends by returning from {@code main}.
 */
public final class Conversation {
    private static final int BYTES = 20_000;
    private static final int LATE_MS = 50;

    private Conversation() {}

    public static void main(String[] args) throws Exception {
        System.out.println("exchanged " + (sockets() + channels() + asynchronousChannels()));
    }

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private static byte[] content() {
        byte[] content = new byte[BYTES];
        for (int i = 0; i < BYTES; i++) {
            content[i] = (byte) (i * 31);
        }
        return content;
    }

    private static int checked(byte[] arrived) throws IOException {
        if (!Arrays.equals(content(), arrived)) {
            throw new IOException("what arrived is not what was sent: length=" + arrived.length);
        }
        return arrived.length;
    }

    static int sockets() throws IOException {
        try (ServerSocket listener = new ServerSocket()) {
            listener.bind(anyPort());
            try (Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort());
                    Socket server = listener.accept()) {
                client.getOutputStream().write(content());
                client.shutdownOutput();
                return checked(server.getInputStream().readAllBytes());
            }
        }
    }

    /** The reader waits for longer than it spins, and so sleeps as well: in a blocking read, then in a selection. */
    static int channels() throws Exception {
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(anyPort());
                SocketChannel client = SocketChannel.open(listener.getLocalAddress());
                SocketChannel server = listener.accept();
                Selector selector = Selector.open()) {
            FutureTask<Void> writing = new FutureTask<>(() -> {
                Thread.sleep(LATE_MS);
                client.write(ByteBuffer.wrap(content(), 0, BYTES / 2));
                Thread.sleep(LATE_MS);
                client.write(ByteBuffer.wrap(content(), BYTES / 2, BYTES / 2));
                client.shutdownOutput();
                return null;
            });
            new Thread(writing, "late writer").start();
            ByteBuffer arrived = ByteBuffer.allocateDirect(BYTES + 1);
            int n = server.read(arrived);
            server.configureBlocking(false);
            SelectionKey key = server.register(selector, SelectionKey.OP_READ);
            while (n >= 0) {
                selector.select();
                selector.selectedKeys().clear();
                n = key.isReadable() ? server.read(arrived) : 0;
            }
            writing.get();
            byte[] bytes = new byte[arrived.flip().remaining()];
            arrived.get(bytes);
            return checked(bytes);
        }
    }

    static int asynchronousChannels() throws Exception {
        try (AsynchronousServerSocketChannel listener =
                        AsynchronousServerSocketChannel.open().bind(anyPort());
                AsynchronousSocketChannel client = AsynchronousSocketChannel.open()) {
            Future<AsynchronousSocketChannel> accepting = listener.accept();
            client.connect(listener.getLocalAddress()).get();
            try (AsynchronousSocketChannel server = accepting.get()) {
                ByteBuffer left = ByteBuffer.wrap(content());
                while (left.hasRemaining()) {
                    client.write(left).get();
                }
                ByteBuffer arrived = ByteBuffer.allocate(BYTES);
                while (arrived.hasRemaining() && server.read(arrived).get() >= 0) {
                    // Until all is there.
                }
                return checked(Arrays.copyOf(arrived.array(), arrived.position()));
            }
        }
    }
}
