package org.exsockets.compat.seams.programs;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * Starts children while it has connections, listeners, a selector and large direct buffers. They say {@code descriptor} and
 * {@code mapping} lines: what they have of that.
 */
public final class Parent {
    private static final int LARGE_BYTES = 1 << 20;

    private Parent() {}

    public static void main(String[] args) throws Exception {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (ServerSocket listener = new ServerSocket();
                ServerSocketChannel channels = ServerSocketChannel.open().bind(anyPort);
                Selector selector = Selector.open()) {
            listener.bind(anyPort);
            selector.selectNow();
            try (Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort());
                    Socket server = listener.accept();
                    SocketChannel channel = SocketChannel.open(channels.getLocalAddress());
                    SocketChannel accepted = channels.accept()) {
                ByteBuffer large = ByteBuffer.allocateDirect(LARGE_BYTES);
                client.getOutputStream().write(1);
                server.getInputStream().read();
                channel.write(ByteBuffer.allocate(1));
                accepted.read(large);
                run("for d in /proc/self/fd/*; do echo descriptor $(readlink $d); done");
                run("sed 's/^/mapping /' /proc/self/maps");
                System.out.println("parent " + large.position());
            }
        }
    }

    private static void run(String script) throws Exception {
        int code = new ProcessBuilder("sh", "-c", script).inheritIO().start().waitFor();
        if (code != 0) {
            throw new IllegalStateException("child: code=" + code);
        }
    }
}
