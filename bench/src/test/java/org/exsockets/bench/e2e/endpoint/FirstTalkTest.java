package org.exsockets.bench.e2e.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Both ends of the short program, in one process, over TCP. */
class FirstTalkTest {
    private static final int LARGEST_BYTES = 5700;
    private static final int UPLOAD_BYTES = 6 << 20;

    private final AtomicInteger accepted = new AtomicInteger();

    /** Serves, and counts connections. */
    private final class CountingServer extends ServerSocket {
        CountingServer() throws IOException {
            super(0, 1, InetAddress.getLoopbackAddress());
            FirstTalk.serve(this);
        }

        @Override
        public Socket accept() throws IOException {
            Socket socket = super.accept();
            accepted.incrementAndGet();
            return socket;
        }
    }

    private int connections(int threads, int exchanges, boolean fresh, int largestBytes) throws Exception {
        try (ServerSocket server = new CountingServer()) {
            FirstTalk.Talk talk = new FirstTalk.Talk(server.getLocalPort(), exchanges, fresh, largestBytes);
            assertTrue(FirstTalk.ask(talk, threads) > 0);
        }
        return accepted.get();
    }

    @Test
    void keptConnectionsAreOneAThread() throws Exception {
        assertEquals(2, connections(2, 40, false, LARGEST_BYTES));
    }

    @Test
    void freshConnectionsAreOneAnExchange() throws Exception {
        assertEquals(20, connections(2, 10, true, LARGEST_BYTES));
    }

    @Test
    void anUploadIsAnsweredByItsBeginning() throws Exception {
        assertEquals(1, connections(1, 1, false, UPLOAD_BYTES));
    }

    @Test
    void aWrongAnswerIsNoExchange() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread liar = new Thread(() -> {
                try (Socket socket = server.accept()) {
                    socket.getOutputStream().write(new byte[LARGEST_BYTES]);
                    socket.getInputStream().readNBytes(Integer.BYTES + LARGEST_BYTES);
                } catch (IOException closed) {
                    return;
                }
            });
            liar.start();
            FirstTalk.Talk talk = new FirstTalk.Talk(server.getLocalPort(), 1, false, LARGEST_BYTES);
            assertThrows(IOException.class, () -> FirstTalk.ask(talk, 1));
            liar.join();
        }
    }
}
