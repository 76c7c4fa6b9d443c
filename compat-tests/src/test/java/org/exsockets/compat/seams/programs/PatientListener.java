package org.exsockets.compat.seams.programs;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Listens, and lets a client come when the thread of that name has ended: {@code sockets|channels THREAD}. */
public final class PatientListener {
    private PatientListener() {}

    /** Initialized when the client comes. */
    public static final class Coming {
        private Coming() {}

        static int to(ServerSocket listener) throws Exception {
            try (Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort());
                    Socket server = listener.accept()) {
                client.getOutputStream().write(1);
                return server.getInputStream().read();
            }
        }

        static int to(ServerSocketChannel listener, Selector selector) throws Exception {
            try (SocketChannel client = SocketChannel.open(listener.getLocalAddress())) {
                selector.select();
                selector.selectedKeys().clear();
                try (SocketChannel server = listener.accept()) {
                    server.configureBlocking(false);
                    server.register(selector, SelectionKey.OP_READ);
                    client.write(ByteBuffer.wrap(new byte[] {1}));
                    selector.select();
                    return server.read(ByteBuffer.allocate(2));
                }
            }
        }
    }

    public static void main(String[] args) throws Exception {
        InetAddress here = InetAddress.getLoopbackAddress();
        if (args[0].equals("sockets")) {
            try (ServerSocket listener = new ServerSocket(0, 1, here)) {
                awaitEnd(args[1]);
                System.out.println("exchanged " + Coming.to(listener));
            }
        } else {
            try (ServerSocketChannel listener = ServerSocketChannel.open().bind(new InetSocketAddress(here, 0));
                    Selector selector = Selector.open()) {
                listener.configureBlocking(false);
                listener.register(selector, SelectionKey.OP_ACCEPT);
                awaitEnd(args[1]);
                System.out.println("exchanged " + Coming.to(listener, selector));
            }
        }
    }

    private static void awaitEnd(String name) throws InterruptedException {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals(name)) {
                thread.join();
            }
        }
    }
}
