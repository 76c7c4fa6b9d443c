package org.exsockets.compat.seams.programs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server that sends back what it gets, with one selector or with a thread for each connection, until its input ends. It answers a line of input:
 *
 * <ul>
 *   <li>{@code open}: how many accepted connections are;
 *   <li>{@code watch}: from now on it looks how long it serves nobody;
 *   <li>{@code report}: the {@code longest} such time since then, in milliseconds; which {@code failures} accept has had.
 * </ul>
 */
public final class Besieged {
    private static final int BUFFER_BYTES = 4096;
    private static final int BACKLOG = 50;
    private static final int MS = 1_000_000;
    private static final InetAddress HOST = InetAddress.getLoopbackAddress();

    private final AtomicInteger open = new AtomicInteger();
    private int failed;
    private String firstFailure = "";
    private long servedNs;
    private long longestNs;

    private Besieged() {}

    /** @param args channels or sockets */
    public static void main(String[] args) throws Exception {
        Besieged server = new Besieged();
        if (args[0].equals("channels")) {
            ServerSocketChannel listener = ServerSocketChannel.open().bind(new InetSocketAddress(HOST, 0), BACKLOG);
            start(() -> server.serve(listener));
            server.answer(((InetSocketAddress) listener.getLocalAddress()).getPort());
        } else {
            ServerSocket listener = new ServerSocket(0, BACKLOG, HOST);
            start(() -> server.serve(listener));
            server.answer(listener.getLocalPort());
        }
    }

    private interface Service {
        void run() throws IOException;
    }

    private static void start(Service service) {
        Thread thread = new Thread(() -> {
            try {
                service.run();
            } catch (IOException e) {
                System.err.println(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private void answer(int port) throws IOException {
        System.out.println("port " + port);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            switch (line) {
                case "open" -> System.out.println("open " + open.get());
                case "watch" -> watch();
                default -> report();
            }
        }
    }

    private synchronized void watch() {
        servedNs = System.nanoTime();
        longestNs = 0;
    }

    private synchronized void served() {
        long nowNs = System.nanoTime();
        longestNs = Math.max(longestNs, nowNs - servedNs);
        servedNs = nowNs;
    }

    private synchronized void failed(IOException e) {
        failed++;
        if (failed == 1) {
            firstFailure = " " + e;
        }
    }

    private synchronized void report() {
        System.out.println("longest " + Math.max(longestNs, System.nanoTime() - servedNs) / MS);
        System.out.println("failures " + failed + firstFailure);
    }

    private void serve(ServerSocket listener) {
        while (true) {
            try {
                Socket socket = listener.accept();
                open.incrementAndGet();
                start(() -> echo(socket));
            } catch (IOException e) {
                failed(e);
            }
        }
    }

    private void echo(Socket socket) throws IOException {
        byte[] bytes = new byte[BUFFER_BYTES];
        try (socket) {
            for (int n = socket.getInputStream().read(bytes);
                    n > 0;
                    n = socket.getInputStream().read(bytes)) {
                socket.getOutputStream().write(bytes, 0, n);
                served();
            }
        } finally {
            open.decrementAndGet();
        }
    }

    private void serve(ServerSocketChannel listener) throws IOException {
        Selector selector = Selector.open();
        listener.configureBlocking(false);
        listener.register(selector, SelectionKey.OP_ACCEPT);
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        while (true) {
            selector.select(key -> {
                if (key.isAcceptable()) {
                    accept(listener, selector);
                } else {
                    echo((SocketChannel) key.channel(), buffer.clear());
                }
            });
        }
    }

    private void accept(ServerSocketChannel listener, Selector selector) {
        try {
            SocketChannel accepted = listener.accept();
            if (accepted != null) {
                open.incrementAndGet();
                accepted.configureBlocking(false);
                accepted.register(selector, SelectionKey.OP_READ);
            }
        } catch (IOException e) {
            failed(e);
        }
    }

    /** Messages are short: they are written whole. */
    private void echo(SocketChannel channel, ByteBuffer buffer) {
        try {
            if (channel.read(buffer) >= 0) {
                channel.write(buffer.flip());
                served();
                return;
            }
        } catch (IOException ended) {
            // By the client.
        }
        open.decrementAndGet();
        try {
            channel.close();
        } catch (IOException e) {
            System.err.println(e);
        }
    }
}
