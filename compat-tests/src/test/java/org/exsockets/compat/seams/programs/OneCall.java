package org.exsockets.compat.seams.programs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Semaphore;

/**
 * Exchanges {@value #LENGTH} bytes, blocking, with a thread that returns them: over a channel, or with the argument
 * {@code socket} over a socket. A debugger that stops at {@link #begins} and {@link #ends} sees three calls alone: a
 * write, a read that finds its bytes, and a read that has to wait for them.
 */
public final class OneCall {
    private static final int LENGTH = 64;

    /** Until all classes are there, and before the peer has to be told anything beside the bytes. */
    private static final int ROUNDS_BEFORE = 100;

    private static final InetAddress HERE = InetAddress.getLoopbackAddress();

    /** One end. */
    private interface End {
        void write() throws IOException;

        void read() throws IOException;
    }

    private static final Semaphore RETURNED = new Semaphore(0);

    /** Whether the bytes are to be returned when the other thread waits for them. */
    private static volatile boolean late;

    private OneCall() {}

    /** A call follows. */
    static void begins(String call) {}

    static void ends() {}

    public static void main(String[] args) throws Exception {
        if (args.length == 0) {
            try (ServerSocketChannel listener = ServerSocketChannel.open().bind(new InetSocketAddress(HERE, 0));
                    SocketChannel own = SocketChannel.open(listener.getLocalAddress());
                    SocketChannel peer = listener.accept()) {
                exchange(of(own), of(peer));
            }
        } else {
            try (ServerSocket listener = new ServerSocket(0, 1, HERE);
                    Socket own = new Socket(HERE, listener.getLocalPort());
                    Socket peer = listener.accept()) {
                exchange(of(own), of(peer));
            }
        }
        System.out.println("exchanged");
    }

    private static End of(SocketChannel channel) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(LENGTH);
        return new End() {
            @Override
            public void write() throws IOException {
                channel.write(bytes.clear());
            }

            @Override
            public void read() throws IOException {
                channel.read(bytes.clear());
            }
        };
    }

    private static End of(Socket socket) {
        byte[] bytes = new byte[LENGTH];
        return new End() {
            @Override
            public void write() throws IOException {
                socket.getOutputStream().write(bytes);
            }

            @Override
            public void read() throws IOException {
                socket.getInputStream().read(bytes);
            }
        };
    }

    private static void exchange(End own, End peer) throws Exception {
        Thread caller = Thread.currentThread();
        Thread returning = new Thread(() -> {
            try {
                for (int i = 0; i < ROUNDS_BEFORE + 2; i++) {
                    peer.read();
                    while (late && !waits(caller)) {
                        Thread.onSpinWait();
                    }
                    peer.write();
                    RETURNED.release();
                }
            } catch (IOException e) {
                e.printStackTrace();
            }
        });
        returning.start();
        for (int i = 0; i < ROUNDS_BEFORE; i++) {
            late = i % 2 == 0;
            own.write();
            if (late) {
                own.read();
                RETURNED.acquire();
            } else {
                RETURNED.acquire();
                own.read();
            }
        }
        late = false;
        begins("write");
        own.write();
        ends();
        RETURNED.acquire();
        begins("read");
        own.read();
        ends();
        late = true;
        own.write();
        begins("waiting read");
        own.read();
        ends();
        returning.join();
    }

    /** {@return whether it spins} Before that it may still find the bytes, by a shorter path. */
    private static boolean waits(Thread caller) {
        for (StackTraceElement frame : caller.getStackTrace()) {
            if (frame.getClassName().equals("org.exsockets.waiting.SpinLoop")) {
                return true;
            }
        }
        return false;
    }
}
