package org.exsockets.agent.programs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** Moves a byte between asynchronous channels; prints whose they are, and that file channels are the JDK's. */
public final class Complete {
    private Complete() {}

    public static void main(String[] arguments) throws IOException, InterruptedException, ExecutionException {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (AsynchronousServerSocketChannel listener =
                        AsynchronousServerSocketChannel.open().bind(anyPort);
                AsynchronousSocketChannel client = AsynchronousSocketChannel.open()) {
            Future<AsynchronousSocketChannel> accepted = listener.accept();
            client.connect(listener.getLocalAddress()).get();
            try (AsynchronousSocketChannel server = accepted.get()) {
                ByteBuffer received = ByteBuffer.allocate(8);
                Future<Integer> read = server.read(received);
                client.write(ByteBuffer.wrap(new byte[] {7})).get();
                if (read.get() != 1 || received.get(0) != 7) {
                    throw new IllegalStateException("received " + received);
                }
            }
        }
        System.out.println(whose(AsynchronousChannelProvider.provider()));
        Path file = Files.createTempFile("complete", null);
        try (AsynchronousFileChannel channel =
                AsynchronousFileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.DELETE_ON_CLOSE)) {
            System.out.println("files: " + whose(channel));
        }
    }

    private static String whose(Object thing) {
        return thing.getClass().getName().startsWith("sun.nio.ch.") ? "the JDK's" : "ours";
    }
}
