package org.exsockets.compat.scribble;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.Channel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Sends back what it gets, at three ports: with blocking sockets, with a selector, with asynchronous channels. */
public final class EchoServer {
    private static final int BUFFER_BYTES = 64 << 10;
    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private EchoServer() {}

    public static void main(String[] args) throws Exception {
        try (ServerSocket sockets = new ServerSocket(0, 50, ANY.getAddress());
                ServerSocketChannel channels = ServerSocketChannel.open().bind(ANY);
                AsynchronousServerSocketChannel asynchronous =
                        AsynchronousServerSocketChannel.open().bind(ANY)) {
            start("sockets", () -> serve(sockets));
            start("selector", () -> serve(channels));
            serve(asynchronous);
            System.out.println("ports " + sockets.getLocalPort() + " "
                    + ((InetSocketAddress) channels.getLocalAddress()).getPort() + " "
                    + ((InetSocketAddress) asynchronous.getLocalAddress()).getPort());
            System.in.read();
        }
    }

    private interface Service {
        void run() throws IOException;
    }

    private static void start(String name, Service service) {
        Runnable body = () -> {
            try {
                service.run();
            } catch (IOException e) {
                System.err.println(name + ": " + e);
            }
        };
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void serve(ServerSocket listener) throws IOException {
        while (true) {
            Socket socket = listener.accept();
            start("socket", () -> {
                try (socket) {
                    socket.getInputStream().transferTo(socket.getOutputStream());
                } catch (IOException ended) {
                    // By the client.
                }
            });
        }
    }

    private static void serve(ServerSocketChannel listener) throws IOException {
        try (Selector selector = Selector.open()) {
            listener.configureBlocking(false);
            listener.register(selector, SelectionKey.OP_ACCEPT);
            while (true) {
                selector.select(key -> {
                    try {
                        serve(key, selector);
                    } catch (IOException ended) {
                        close(key.channel());
                    }
                });
            }
        }
    }

    private static void serve(SelectionKey key, Selector selector) throws IOException {
        if (key.isAcceptable()) {
            SocketChannel accepted = ((ServerSocketChannel) key.channel()).accept();
            if (accepted != null) {
                accepted.configureBlocking(false);
                accepted.register(
                        selector,
                        SelectionKey.OP_READ,
                        ByteBuffer.allocate(BUFFER_BYTES).flip());
            }
            return;
        }
        SocketChannel channel = (SocketChannel) key.channel();
        ByteBuffer buffer = (ByteBuffer) key.attachment();
        if (!buffer.hasRemaining()) {
            if (channel.read(buffer.clear()) < 0) {
                channel.close();
                return;
            }
            buffer.flip();
        }
        channel.write(buffer);
        key.interestOps(buffer.hasRemaining() ? SelectionKey.OP_WRITE : SelectionKey.OP_READ);
    }

    private static void serve(AsynchronousServerSocketChannel listener) {
        listener.accept(null, new CompletionHandler<>() {
            @Override
            public void completed(AsynchronousSocketChannel channel, Object nothing) {
                listener.accept(null, this);
                echo(channel);
            }

            @Override
            public void failed(Throwable cause, Object nothing) {
                System.err.println("asynchronous: " + cause);
            }
        });
    }

    private static void echo(AsynchronousSocketChannel channel) {
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        channel.read(buffer, true, new CompletionHandler<Integer, Boolean>() {
            @Override
            public void completed(Integer bytes, Boolean read) {
                if (bytes < 0) {
                    close(channel);
                    return;
                }
                if (read) {
                    buffer.flip();
                }
                if (buffer.hasRemaining()) {
                    channel.write(buffer, false, this);
                } else {
                    channel.read(buffer.clear(), true, this);
                }
            }

            @Override
            public void failed(Throwable cause, Boolean read) {
                close(channel);
            }
        });
    }

    private static void close(Channel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            System.err.println("close: " + e);
        }
    }
}
