package org.exsockets.agent.programs;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Moves bytes in each way of which a flight recorder is told. */
public final class Recorded {
    private static final int AHEAD = 1 << 20;

    private Recorded() {}

    public static void main(String[] arguments) throws Exception {
        channels();
        sockets();
        connectToNobody();
    }

    private static void channels() throws Exception {
        InetSocketAddress loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(loopback);
                SocketChannel client = SocketChannel.open(listener.getLocalAddress());
                SocketChannel server = listener.accept()) {
            server.write(ByteBuffer.allocate(10));
            server.write(new ByteBuffer[] {ByteBuffer.allocate(3), ByteBuffer.allocate(4)});
            client.read(ByteBuffer.allocate(10));
            client.read(new ByteBuffer[] {ByteBuffer.allocate(3), ByteBuffer.allocate(4)});
            client.configureBlocking(false);
            client.read(ByteBuffer.allocate(1));
            client.configureBlocking(true);
            Thread late = new Thread(() -> write(server));
            late.start();
            client.read(ByteBuffer.allocate(5));
            late.join();
            server.write(ByteBuffer.allocate(AHEAD));
            client.configureBlocking(false);
            for (long rest = AHEAD;
                    rest > 0; ) { // In as many reads as it takes: nothing is compared of them but the sum.
                rest -= client.read(ByteBuffer.allocate(AHEAD));
            }
        }
    }

    private static void write(SocketChannel server) {
        try {
            Thread.sleep(100);
            server.write(ByteBuffer.allocate(5));
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void sockets() throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                Socket client = new Socket(InetAddress.getLoopbackAddress(), listener.getLocalPort());
                Socket server = listener.accept()) {
            server.getOutputStream().write(new byte[6]);
            client.getInputStream().readNBytes(6);
            server.shutdownOutput();
            client.getInputStream().read();
        }
    }

    private static void connectToNobody() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            throw new AssertionError(socket);
        } catch (ConnectException expected) {
            return;
        }
    }
}
