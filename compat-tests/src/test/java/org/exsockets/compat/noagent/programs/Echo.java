package org.exsockets.compat.noagent.programs;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;

/**
 * {@code net|nio server} prints {@code serving PORT} and returns what one client sends; {@code net|nio client PORT} sends
 * 100,000 bytes, and prints {@code echoed} if the same came back. With {@code net} it installs the socket factories.
 */
public final class Echo {
    private static final int LENGTH_BYTES = 100_000;

    private Echo() {}

    public static void main(String[] args) throws Exception {
        boolean net = args[0].equals("net");
        if (net) {
            Class.forName("org.exsockets.ExsSockets").getMethod("install").invoke(null);
        }
        if (args[1].equals("server")) {
            if (net) {
                serveSocket();
            } else {
                serveChannel();
            }
            return;
        }
        byte[] sent = new byte[LENGTH_BYTES];
        for (int i = 0; i < sent.length; i++) {
            sent[i] = (byte) (i * 31);
        }
        int port = Integer.parseInt(args[2]);
        byte[] received = net ? exchangeOverSocket(port, sent) : exchangeOverChannel(port, sent);
        System.out.println(Arrays.equals(sent, received) ? "echoed" : "differs");
    }

    private static void serveSocket() throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            System.out.println("serving " + listener.getLocalPort());
            try (Socket client = listener.accept()) {
                client.getOutputStream().write(client.getInputStream().readAllBytes());
            }
        }
    }

    private static void serveChannel() throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0))) {
            System.out.println("serving " + ((InetSocketAddress) listener.getLocalAddress()).getPort());
            try (SocketChannel client = listener.accept()) {
                ByteBuffer received = readToEnd(client);
                while (received.hasRemaining()) {
                    client.write(received);
                }
            }
        }
    }

    private static byte[] exchangeOverSocket(int port, byte[] sent) throws IOException {
        try (Socket server = new Socket("127.0.0.1", port)) {
            server.getOutputStream().write(sent);
            server.shutdownOutput();
            return new DataInputStream(server.getInputStream()).readAllBytes();
        }
    }

    private static byte[] exchangeOverChannel(int port, byte[] sent) throws IOException {
        try (SocketChannel server = SocketChannel.open(new InetSocketAddress("127.0.0.1", port))) {
            ByteBuffer left = ByteBuffer.wrap(sent);
            while (left.hasRemaining()) {
                server.write(left);
            }
            server.shutdownOutput();
            ByteBuffer received = readToEnd(server);
            return Arrays.copyOf(received.array(), received.limit());
        }
    }

    private static ByteBuffer readToEnd(SocketChannel from) throws IOException {
        ByteBuffer received = ByteBuffer.allocate(2 * LENGTH_BYTES);
        while (from.read(received) >= 0) {
            if (!received.hasRemaining()) {
                throw new IOException("more bytes than were sent");
            }
        }
        return received.flip();
    }
}
