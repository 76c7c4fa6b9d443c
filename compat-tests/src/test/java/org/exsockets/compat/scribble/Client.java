package org.exsockets.compat.scribble;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.Random;

/** Has bytes sent back by an {@link EchoServer}, over one connection after the other, of some hundred exchanges each. */
final class Client implements Runnable {
    /** Of sockets that are to be undisturbed. */
    static final int PATIENCE_MS = 10_000;

    private static final int EXCHANGES = 300;
    private static final int LONG_BYTES = 60_000;
    private static final int SHORT_BYTES = 200;

    private final int port;
    private final int patienceMs;
    private final Random random;
    private volatile boolean ended;
    private long exchanges;
    private String wrong = "";

    Client(int port, int patienceMs, long seed) {
        this.port = port;
        this.patienceMs = patienceMs;
        this.random = new Random(seed);
    }

    void end() {
        ended = true;
    }

    /** {@return exchanges that were right; after the end} */
    long exchanges() {
        return exchanges;
    }

    /** {@return what was not, a line each; after the end} */
    String wrong() {
        return wrong;
    }

    @Override
    public void run() {
        while (!ended) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.setSoTimeout(patienceMs);
                for (int i = 0; i < EXCHANGES && !ended; i++) {
                    exchange(socket);
                    exchanges++;
                }
            } catch (IOException e) {
                wrong += "port " + port + ": " + e + System.lineSeparator();
            }
        }
    }

    private void exchange(Socket socket) throws IOException {
        byte[] sent = new byte[1 + random.nextInt(random.nextInt(4) == 0 ? LONG_BYTES : SHORT_BYTES)];
        random.nextBytes(sent);
        OutputStream out = socket.getOutputStream();
        out.write(sent);
        byte[] received = socket.getInputStream().readNBytes(sent.length);
        if (!Arrays.equals(sent, received)) {
            throw new IOException("other bytes, or fewer: sent=" + sent.length + ", received=" + received.length);
        }
    }
}
