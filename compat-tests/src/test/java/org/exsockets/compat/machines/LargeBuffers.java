package org.exsockets.compat.machines;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import java.util.zip.CRC32;

/**
 * Either end of a connection that carries a checksummed body in each direction at the same time, through large direct
 * buffers that are used again and again.
 */
final class LargeBuffers {
    private static final int BUFFER_BYTES = 4 << 20;

    private LargeBuffers() {}

    /**
     * Ends with 0 if everything has arrived.
     *
     * @param arguments {@code listen} or {@code connect}; the address; the port; a directory for the file {@code serving},
     *     created when the other end may come; mebibytes of the body
     */
    public static void main(String[] arguments) throws Exception {
        InetSocketAddress at = new InetSocketAddress(arguments[1], Integer.parseInt(arguments[2]));
        int mebibytes = Integer.parseInt(arguments[4]);
        try (SocketChannel channel =
                arguments[0].equals("listen") ? accept(at, Path.of(arguments[3], "serving")) : SocketChannel.open(at)) {
            FutureTask<Void> write = new FutureTask<>(() -> write(channel, mebibytes), null);
            Thread writer = new Thread(write, "write");
            writer.setDaemon(true);
            writer.start();
            long checksum = read(channel);
            write.get();
            boolean right = checksum == Payload.checksum(mebibytes);
            System.out.println(arguments[0] + ": " + (right ? "all received" : "wrong checksum"));
            System.exit(right ? 0 : 1);
        }
    }

    private static SocketChannel accept(InetSocketAddress at, Path serving) throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(at)) {
            Files.createFile(serving);
            return listener.accept();
        }
    }

    private static void write(SocketChannel channel, int mebibytes) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        try (InputStream body = Payload.stream(mebibytes);
                ReadableByteChannel source = Channels.newChannel(body)) {
            while (source.read(buffer) >= 0) {
                if (!buffer.hasRemaining()) {
                    drain(channel, buffer);
                }
            }
            drain(channel, buffer);
            channel.shutdownOutput();
        } catch (IOException e) {
            throw new IllegalStateException("write: " + e, e);
        }
    }

    private static void drain(SocketChannel channel, ByteBuffer buffer) throws IOException {
        buffer.flip();
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
        buffer.clear();
    }

    private static long read(SocketChannel channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        CRC32 checksum = new CRC32();
        while (channel.read(buffer.clear()) >= 0) {
            checksum.update(buffer.flip());
        }
        return checksum.getValue();
    }
}
