package org.exsockets.compat.seams.programs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * Receives a stream of secrets, from the one client that sends any, into a large direct buffer, and answers each that is full; says how many bytes have been {@code received}, and
 * how many of them were {@code wrong}.
 */
public final class SecretsReceiver {
    static final int PART_BYTES = 1 << 20;

    private static final byte[] SECRET =
            "secret for B no 7, and for nobody else, of 64 bytes, over again;".getBytes(StandardCharsets.US_ASCII);

    private SecretsReceiver() {}

    static void fill(ByteBuffer part) {
        while (part.hasRemaining()) {
            part.put(SECRET[part.position() % SECRET.length]);
        }
    }

    public static void main(String[] args) throws Exception {
        ServerSocketChannel listener =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Thread acceptor = new Thread(() -> accept(listener));
        acceptor.setDaemon(true);
        acceptor.start();
        System.out.println("port " + listener.socket().getLocalPort());
        System.in.read();
    }

    private static void accept(ServerSocketChannel listener) {
        try {
            while (true) {
                SocketChannel channel = listener.accept();
                Thread reader = new Thread(() -> receive(channel));
                reader.setDaemon(true);
                reader.start();
            }
        } catch (IOException e) {
            System.err.println(e);
        }
    }

    private static void receive(SocketChannel channel) {
        long received = 0;
        long wrong = 0;
        ByteBuffer part = ByteBuffer.allocateDirect(PART_BYTES);
        try (channel) {
            while (channel.read(part) >= 0) {
                if (!part.hasRemaining()) {
                    wrong += wrong(part.flip());
                    received += part.limit();
                    part.clear().put(new byte[PART_BYTES]).clear(); // The next one is no different.
                    channel.write(ByteBuffer.allocate(1));
                }
            }
            System.out.println("received " + received);
            System.out.println("wrong " + wrong);
        } catch (IOException e) {
            System.err.println("after " + received + ": " + e); // Others may come, and go without a word.
        }
    }

    private static int wrong(ByteBuffer part) {
        int wrong = 0;
        for (int i = 0; i < part.limit(); i++) {
            wrong += part.get(i) == SECRET[i % SECRET.length] ? 0 : 1;
        }
        return wrong;
    }
}
