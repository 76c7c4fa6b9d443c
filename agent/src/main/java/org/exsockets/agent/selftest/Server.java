package org.exsockets.agent.selftest;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.ServerSocketChannel;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** What a server's JVM runs: serves whoever connects, each connection in a thread, until standard input ends. */
public final class Server {
    private static final int BUFFER_BYTES = 64 << 10;

    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "selftest");
        thread.setDaemon(true);
        return thread;
    });

    private Server() {}

    /** Waits for one connection. */
    private interface Acceptor {
        Link accept() throws IOException;
    }

    /** @param arguments an address to listen on, and the first of the ports, 0 for any */
    public static void main(String[] arguments) throws IOException {
        try {
            Server server = new Server();
            int first = Integer.parseInt(arguments[1]);
            InetAddress address = InetAddress.getByName(arguments[0]);
            int[] ports = new int[Face.LISTENERS];
            for (int i = 0; i < ports.length; i++) {
                ports[i] = server.listen(i, new InetSocketAddress(address, first == 0 ? 0 : first + i));
            }
            System.out.println("ok " + ports[0] + " " + ports[1] + " " + ports[2]);
        } catch (IOException e) {
            System.out.println("failed " + e.getMessage());
        }
        while (System.in.read() >= 0) {
            continue;
        }
    }

    /** {@return the port} */
    private int listen(int listener, InetSocketAddress address) throws IOException {
        try {
            switch (listener) {
                case 0 -> {
                    ServerSocket socket = new ServerSocket();
                    socket.bind(address);
                    serveAll(() -> new SocketLink(socket.accept()), socket);
                    return socket.getLocalPort();
                }
                case 1 -> {
                    ServerSocketChannel channel = ServerSocketChannel.open().bind(address);
                    serveAll(() -> new ChannelLink(channel.accept()), channel);
                    return channel.socket().getLocalPort();
                }
                default -> {
                    AsynchronousServerSocketChannel channel =
                            AsynchronousServerSocketChannel.open().bind(address);
                    serveAll(() -> new AsynchronousLink(AsynchronousLink.result(channel.accept())), channel);
                    return ((InetSocketAddress) channel.getLocalAddress()).getPort();
                }
            }
        } catch (IOException e) {
            throw new IOException("cannot listen on port " + address.getPort() + ": " + e.getMessage(), e);
        }
    }

    private void serveAll(Acceptor acceptor, Closeable listener) {
        threads.execute(() -> {
            try (listener) {
                while (true) {
                    Link link = acceptor.accept();
                    threads.execute(() -> serve(link));
                }
            } catch (IOException e) {
                System.err.println("selftest: a server accepts no more: " + e);
            }
        });
    }

    /** What fails here is told: each client ends its connections in order. */
    private static void serve(Link accepted) {
        Face face = null;
        try (accepted) {
            ByteBuffer header = accepted.buffer(Service.HEADER_BYTES);
            accepted.receiveAll(header);
            Service service = Service.values()[header.get(0)];
            face = Face.values()[header.get(1)];
            if (face == Face.SELECTOR) {
                try (Link link = new SelectorLink(((ChannelLink) accepted).channel)) {
                    serve(link, service);
                }
            } else {
                serve(accepted, service);
            }
        } catch (IOException | RuntimeException e) {
            System.err.println("selftest: a server's connection" + (face == null ? "" : ", " + face.title) + ": " + e);
        }
    }

    private static void serve(Link link, Service service) throws IOException {
        ByteBuffer buffer = link.buffer(BUFFER_BYTES);
        long count = 0;
        while (link.receive(buffer) >= 0) {
            buffer.flip();
            count += buffer.remaining();
            if (service == Service.ECHO) {
                link.send(buffer);
            }
            buffer.clear();
        }
        if (service == Service.COUNT) {
            buffer.putLong(count).flip();
            link.send(buffer);
        }
        link.endOutput();
    }
}
