package org.exsockets.compat.machines;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** The end of a connection that a fault will strike: reads what {@link Survivor} writes, and never answers. */
final class Doomed {
    private static final long ENOUGH_BYTES = 8 << 20;

    private Doomed() {}

    /**
     * Accepts one connection and reads from it until it ends.
     *
     * @param arguments the address, the port, and a directory for the files {@code serving}, created as soon as the
     *     client may come, and {@code flowing}, created in the middle of its transfer
     */
    public static void main(String[] arguments) throws Exception {
        Path signs = Path.of(arguments[2]);
        try (ServerSocketChannel listener =
                ServerSocketChannel.open().bind(new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1])))) {
            Files.createFile(signs.resolve("serving"));
            try (SocketChannel channel = listener.accept()) {
                ByteBuffer buffer = ByteBuffer.allocate(1 << 20);
                long read = 0;
                int n;
                while ((n = channel.read(buffer.clear())) >= 0) {
                    if (read < ENOUGH_BYTES && read + n >= ENOUGH_BYTES) {
                        Files.createFile(signs.resolve("flowing"));
                    }
                    read += n;
                }
            }
        }
    }
}
