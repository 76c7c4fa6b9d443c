package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.exsockets.compat.harness.Background;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Threads whose {@code interrupt()} closes what they wait for, as programs have made blocking sockets interruptible for
 * decades. It runs where the program calls it, and nowhere else.
 */
@Tag("noagent")
class OverriddenInterruptsContract extends Contract {
    private final AtomicInteger interrupts = new AtomicInteger();

    /** Of the interrupted thread. Noted without loading a class: JDK 17 calls interrupt() there. */
    private volatile boolean statusAfterwards;

    private final class ClosingThread extends Thread {
        /** Null: it only counts. */
        private final Closeable closes;

        ClosingThread(Closeable closes, Runnable body) {
            super(body);
            this.closes = closes;
        }

        @Override
        public void interrupt() {
            interrupts.incrementAndGet();
            super.interrupt();
            if (closes != null) {
                try {
                    closes.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    @BeforeEach
    void forget() {
        interrupts.set(0);
    }

    /** {@return what the call threw} */
    private Throwable interrupted(Closeable closes, String blockedIn, Callable<?> call) throws Exception {
        Background<Boolean> thread = Background.start(body -> new ClosingThread(closes, body), () -> {
            try {
                call.call();
                return false;
            } finally {
                statusAfterwards = Thread.currentThread().isInterrupted();
            }
        });
        thread.awaitBlockedIn(blockedIn);
        thread.thread().interrupt();
        Throwable thrown = thread.thrown();
        assertEquals(1, interrupts.get(), "interrupt() is the program's to call");
        assertTrue(statusAfterwards, "the status stays");
        return thrown;
    }

    @Test
    void acceptOfASocketEnds() throws Exception {
        ServerSocket listener = listeningSocket();
        Throwable thrown = interrupted(listener, "accept", listener::accept);
        assertEquals(SocketException.class, thrown.getClass());
        assertEquals("Socket closed", thrown.getMessage());
    }

    @Test
    void readOfASocketEnds() throws Exception {
        Socket socket = connectedSocket().local();
        Throwable thrown =
                interrupted(socket, "read", () -> socket.getInputStream().read());
        assertEquals(SocketException.class, thrown.getClass());
        assertEquals("Socket closed", thrown.getMessage());
    }

    @Test
    void writeOfASocketEnds() throws Exception {
        Socket socket = connectedSocket().local();
        OutputStream out = socket.getOutputStream();
        Throwable thrown = interrupted(socket, "write", () -> {
            while (true) {
                out.write(new byte[1 << 20]);
            }
        });
        assertEquals(SocketException.class, thrown.getClass());
        assertEquals("Socket closed", thrown.getMessage());
    }

    @Test
    void connectOfASocketEnds() throws Exception {
        Socket socket = closing(new Socket());
        var silent = silentAddress();
        Throwable thrown = interrupted(socket, "connect", () -> {
            socket.connect(silent);
            return null;
        });
        assertEquals(SocketException.class, thrown.getClass());
        assertEquals("Socket closed", thrown.getMessage());
    }

    @Test
    void acceptOfAChannelEnds() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        Throwable thrown = interrupted(null, "accept", listener::accept);
        assertEquals(ClosedByInterruptException.class, thrown.getClass());
    }

    @Test
    void readOfAChannelEnds() throws Exception {
        SocketChannel channel = connectedChannel().local();
        Throwable thrown = interrupted(null, "read", () -> channel.read(ByteBuffer.allocate(1)));
        assertEquals(ClosedByInterruptException.class, thrown.getClass());
    }

    @Test
    void readOfAnAdaptorEnds() throws Exception {
        SocketChannel channel = connectedChannel().local();
        Throwable thrown = interrupted(
                channel, "read", () -> channel.socket().getInputStream().read());
        assertTrue(
                thrown instanceof AsynchronousCloseException || thrown instanceof SocketException, thrown.toString());
    }

    @Test
    void selectEnds() throws Exception {
        SocketChannel channel = connectedChannel().local();
        Selector selector = registered(channel, SelectionKey.OP_READ).selector();
        Background<Integer> thread =
                Background.start(body -> new ClosingThread(selector, body), () -> selector.select());
        thread.awaitBlockedIn("select");
        thread.thread().interrupt();
        thread.result();
        assertEquals(1, interrupts.get());
        assertTrue(channel.isOpen());
    }

    /** Calls that an interrupt does not end go on; the status is there when they return. */
    @Test
    void readOfASocketGoesOnWhereNothingIsClosed() throws Exception {
        SocketLink link = connectedSocket();
        Background<Integer> read = Background.start(body -> new ClosingThread(null, body), () -> {
            int n = link.local().getInputStream().read(new byte[2]);
            statusAfterwards = Thread.currentThread().isInterrupted();
            return n;
        });
        read.awaitBlockedIn("read");
        read.thread().interrupt();
        read.awaitBlockedIn("read");
        link.remote().write(1);
        assertEquals(1, read.result());
        assertTrue(statusAfterwards);
        assertEquals(1, interrupts.get());
    }

    @Test
    void acceptOfASocketGoesOnWhereNothingIsClosed() throws Exception {
        ServerSocket listener = listeningSocket();
        Background<Socket> accept =
                Background.start(body -> new ClosingThread(null, body), () -> closing(listener.accept()));
        accept.awaitBlockedIn("accept");
        accept.thread().interrupt();
        accept.awaitBlockedIn("accept");
        closing(new Socket(listener.getInetAddress(), listener.getLocalPort()));
        assertTrue(accept.result().isConnected());
        assertEquals(1, interrupts.get());
    }
}
