package org.exsockets.agent.programs;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Sockets, channels with a selector, asynchronous channels, and what files and direct buffers have to do with channels. */
public final class Everything {
    private static final int BYTES = 100_000;

    private Everything() {}

    public static void main(String[] arguments) throws Exception {
        Echo.main(arguments);
        Select.main(arguments);
        Complete.main(arguments);
        try (ServerSocketChannel listener =
                        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                SocketChannel client = SocketChannel.open(listener.getLocalAddress());
                SocketChannel server = listener.accept()) {
            copyFile(client, server);
            useStreams(client, server);
            useDirectBuffers(client, server);
        }
        System.out.println("everything ok");
    }

    private static void copyFile(SocketChannel client, SocketChannel server) throws IOException {
        Path from = Files.write(Files.createTempFile("from", null), new byte[BYTES]);
        Path to = Files.createTempFile("to", null);
        try (FileChannel source = FileChannel.open(from);
                FileChannel target = FileChannel.open(to, StandardOpenOption.WRITE)) {
            for (long sent = 0; sent < BYTES; ) {
                sent += source.transferTo(sent, BYTES - sent, client);
            }
            client.write(source.map(FileChannel.MapMode.READ_ONLY, 0, BYTES));
            for (long received = 0; received < 2 * BYTES; ) {
                received += target.transferFrom(server, received, 2 * BYTES - received);
            }
        } finally {
            Files.delete(from);
            Files.delete(to);
        }
    }

    private static void useStreams(SocketChannel client, SocketChannel server) throws IOException {
        OutputStream out = Channels.newOutputStream(client);
        InputStream in = Channels.newInputStream(server);
        out.write(new byte[] {7, 8});
        if (in.read() != 7 || in.available() < 0 || in.read() != 8) {
            throw new IllegalStateException("streams");
        }
    }

    private static void useDirectBuffers(SocketChannel client, SocketChannel server) throws IOException {
        ByteBuffer received = ByteBuffer.allocateDirect(BYTES);
        client.write(ByteBuffer.allocateDirect(BYTES).put(BYTES - 1, (byte) 9));
        while (received.hasRemaining()) {
            server.read(received);
        }
        if (received.get(BYTES - 1) != 9) {
            throw new IllegalStateException("direct buffers");
        }
    }
}
