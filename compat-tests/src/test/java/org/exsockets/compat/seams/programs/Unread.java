package org.exsockets.compat.seams.programs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A server that writes to its clients until nobody takes any more, and its clients, which read when they are told to:
 * {@code serve COUNT blocking|polling}, {@code connect COUNT PORT}.
 */
public final class Unread {
    private static final int CHUNK_BYTES = 64 << 10;
    private static final int LOOK_MS = 50;

    /** So often nothing has moved: longer than a writer waits until it asks for memory again. */
    private static final int QUIET_LOOKS = 40;

    private static final ByteBuffer CHUNK = ByteBuffer.allocate(CHUNK_BYTES);

    private static volatile boolean stopped;

    private Unread() {}

    public static void main(String[] args) throws Exception {
        int count = Integer.parseInt(args[1]);
        if (args[0].equals("serve")) {
            serve(count, args[2].equals("blocking"));
        } else {
            connect(count, Integer.parseInt(args[2]));
        }
    }

    private static void serve(int count, boolean blocking) throws Exception {
        List<SocketChannel> clients = new ArrayList<>();
        AtomicLong written = new AtomicLong();
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), count);
            System.out.println("port " + listener.socket().getLocalPort());
            while (clients.size() < count) {
                clients.add(listener.accept());
            }
        }
        List<Thread> writers = new ArrayList<>();
        for (SocketChannel client : clients) {
            client.configureBlocking(blocking);
            if (blocking) {
                Thread writer = new Thread(() -> write(client, written));
                writer.start();
                writers.add(writer);
            }
        }
        long before = -1;
        for (int quiet = 0; quiet < QUIET_LOOKS; quiet++) {
            for (SocketChannel client : blocking ? List.<SocketChannel>of() : clients) {
                while (writeOnce(client, written) > 0) {}
            }
            if (written.get() != before) {
                before = written.get();
                quiet = 0;
            }
            Thread.sleep(LOOK_MS);
        }
        stopped = true;
        System.out.println("full " + before);
        System.in.read();
        for (Thread writer : writers) {
            writer.join();
        }
        for (SocketChannel client : clients) {
            client.close();
        }
        System.out.println("written " + written);
    }

    private static int writeOnce(SocketChannel client, AtomicLong written) throws IOException {
        int n = client.write(CHUNK.duplicate());
        written.addAndGet(n);
        return n;
    }

    private static void write(SocketChannel client, AtomicLong written) {
        try (client) {
            while (!stopped) {
                writeOnce(client, written);
            }
        } catch (IOException e) {
            System.out.println("failed " + e);
        }
    }

    private static void connect(int count, int port) throws Exception {
        List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sockets.add(new Socket(InetAddress.getLoopbackAddress(), port));
        }
        System.out.println("connected " + count);
        System.in.read();
        long read = 0;
        byte[] chunk = new byte[CHUNK_BYTES];
        for (Socket socket : sockets) {
            for (int n = 0; n >= 0; n = socket.getInputStream().read(chunk)) {
                read += n;
            }
            socket.close();
        }
        System.out.println("read " + read);
    }
}
