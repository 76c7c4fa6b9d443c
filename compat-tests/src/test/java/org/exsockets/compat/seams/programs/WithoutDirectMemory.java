package org.exsockets.compat.seams.programs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;

/**
 * Uses up its direct memory, before it has opened a socket or after, opens sockets and channels, frees the memory and opens more. Says
 * what has come of each. Argument: whether to open some before.
 */
public final class WithoutDirectMemory {
    private static final int ROUNDS = 2;

    /** EXS is left alone for a second where there was no memory. */
    private static final int PAUSE_MS = 1_500;

    private static final int LOOKS = 100;
    private static final int LOOK_MS = 20;

    /** Their sizes in bytes, until not even one byte can be had. */
    private static final int[] PIECES = {64 << 10, 1 << 10, 1};

    private WithoutDirectMemory() {}

    private interface Opening {
        void run() throws Exception;
    }

    public static void main(String[] arguments) throws Exception {
        if (Boolean.parseBoolean(arguments[0])) {
            openAll("before");
        }
        List<ByteBuffer> all = new ArrayList<>();
        for (int bytes : PIECES) {
            fill(all, bytes);
        }
        // The JDK keeps buffers for each thread.
        Thread another = new Thread(() -> {
            for (int round = 0; round < ROUNDS; round++) {
                openAll("without " + round);
            }
        });
        another.start();
        another.join();
        all.clear();
        for (int look = 0; look < LOOKS && !isThere(); look++) {
            System.gc();
            Thread.sleep(LOOK_MS);
        }
        Thread.sleep(PAUSE_MS);
        openAll("with");
        System.exit(0);
    }

    private static void fill(List<ByteBuffer> all, int bytes) {
        try {
            while (true) {
                all.add(ByteBuffer.allocateDirect(bytes));
            }
        } catch (OutOfMemoryError full) {
            System.out.println("no more of " + bytes);
        }
    }

    private static boolean isThere() {
        try {
            return ByteBuffer.allocateDirect(PIECES[0] * 4).isDirect();
        } catch (OutOfMemoryError notYet) {
            return false;
        }
    }

    private static void openAll(String when) {
        open(when + ", sockets", WithoutDirectMemory::sockets);
        open(when + ", channels", WithoutDirectMemory::channels);
        open(when + ", asynchronous", WithoutDirectMemory::asynchronous);
    }

    private static void open(String what, Opening opening) {
        try {
            opening.run();
            System.out.println(what + ": ok");
        } catch (Throwable e) {
            System.out.println(what + ": " + e);
            e.printStackTrace();
        }
    }

    private static InetAddress host() {
        return InetAddress.getLoopbackAddress();
    }

    private static void sockets() throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 5, host());
                Socket client = new Socket(host(), listener.getLocalPort());
                Socket server = listener.accept()) {
            client.shutdownOutput();
            server.setTcpNoDelay(true);
        }
    }

    private static void channels() throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(new InetSocketAddress(host(), 0));
                SocketChannel client = SocketChannel.open(listener.getLocalAddress());
                SocketChannel server = listener.accept();
                Selector selector = Selector.open()) {
            server.configureBlocking(false);
            server.register(selector, SelectionKey.OP_READ);
            client.shutdownOutput();
            selector.select();
        }
    }

    private static void asynchronous() throws Exception {
        try (AsynchronousServerSocketChannel listener =
                        AsynchronousServerSocketChannel.open().bind(new InetSocketAddress(host(), 0));
                AsynchronousSocketChannel client = AsynchronousSocketChannel.open()) {
            Future<AsynchronousSocketChannel> accepting = listener.accept();
            client.connect(listener.getLocalAddress()).get();
            accepting.get().close();
        }
    }
}
