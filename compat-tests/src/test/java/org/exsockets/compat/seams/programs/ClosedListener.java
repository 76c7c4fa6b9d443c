package org.exsockets.compat.seams.programs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;

/**
 * Listens and does not accept; closes the listener after a line of input, says how long that took, in milliseconds, and listens at the same port
 * again, this time for a client of its own.
 */
public final class ClosedListener {
    private static final int BACKLOG = 50;
    private static final int MS = 1_000_000;
    private static final InetAddress HOST = InetAddress.getLoopbackAddress();

    private ClosedListener() {}

    private interface Listener extends AutoCloseable {
        @Override
        void close() throws IOException;
    }

    /** @param args channels or sockets */
    public static void main(String[] args) throws Exception {
        Listener listener;
        int port;
        if (args[0].equals("channels")) {
            ServerSocketChannel channel = ServerSocketChannel.open().bind(new InetSocketAddress(HOST, 0), BACKLOG);
            channel.configureBlocking(false);
            Selector selector = Selector.open();
            channel.register(selector, 0);
            selector.selectNow();
            listener = () -> {
                channel.close();
                selector.selectNow();
            };
            port = channel.socket().getLocalPort();
        } else {
            ServerSocket socket = new ServerSocket(0, BACKLOG, HOST);
            listener = socket::close;
            port = socket.getLocalPort();
        }
        System.out.println("port " + port);
        System.in.read();
        long startNs = System.nanoTime();
        listener.close();
        System.out.println("closed " + (System.nanoTime() - startNs) / MS);
        try (ServerSocket again = new ServerSocket(port, BACKLOG, HOST);
                Socket client = new Socket(HOST, port)) {
            client.getOutputStream().write(1);
            try (Socket accepted = again.accept()) {
                System.out.println("accepted " + accepted.getInputStream().read());
            }
        }
    }
}
