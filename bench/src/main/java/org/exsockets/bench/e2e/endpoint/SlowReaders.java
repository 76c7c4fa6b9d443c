package org.exsockets.bench.e2e.endpoint;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;

/**
 * A server with few threads whose clients read slowly: how long each holds up those that wait depends on how far ahead of
 * its reader a writer gets. Each client asks for one answer, reads it in small pieces with pauses, and ends.
 */
public final class SlowReaders {
    private static final int CLIENTS = 8;
    private static final int WORKERS = 2;
    private static final int ANSWER_BYTES = 6 << 20;
    private static final int PIECE_BYTES = 5 << 10;
    private static final int PAUSE_MS = 2;
    private static final byte CONTENT = 7;

    private SlowReaders() {}

    /** {@code server}; or {@code client PORT}. */
    public static void main(String[] args) throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        if (args[0].equals("server")) {
            ServerSocket server = new ServerSocket(0, CLIENTS, InetAddress.getLoopbackAddress());
            for (int i = 0; i < WORKERS; i++) {
                new Worker(server).start();
            }
            FirstTalk.serveUntilTold(server);
        }
        Reader[] readers = new Reader[CLIENTS];
        for (int i = 0; i < CLIENTS; i++) {
            readers[i] = new Reader(Integer.parseInt(args[1]));
            readers[i].start();
        }
        long slowestNs = 0;
        for (Reader reader : readers) {
            reader.join();
            if (reader.failure != null) {
                throw reader.failure;
            }
            slowestNs = Math.max(slowestNs, reader.firstNs);
        }
        FirstTalk.tell("client firstNs=", slowestNs, " mainNs=", System.nanoTime() - startNs);
    }

    /** Answers one client after the other, for as long as the server lives. */
    private static final class Worker extends Thread {
        private final ServerSocket server;

        Worker(ServerSocket server) {
            this.server = server;
            setDaemon(true);
        }

        @Override
        public void run() {
            byte[] answer = new byte[ANSWER_BYTES];
            Arrays.fill(answer, CONTENT);
            while (true) {
                try (Socket connection = server.accept()) {
                    connection.getInputStream().read();
                    connection.getOutputStream().write(answer);
                } catch (IOException ended) {
                    return;
                }
            }
        }
    }

    private static final class Reader extends Thread {
        private final int port;

        /** Until the first byte of its answer. Both are read after {@link #join}. */
        private long firstNs;

        private IOException failure;

        Reader(int port) {
            this.port = port;
        }

        @Override
        public void run() {
            long startNs = System.nanoTime();
            try (Socket connection = new Socket(InetAddress.getLoopbackAddress(), port)) {
                connection.getOutputStream().write(1);
                InputStream in = connection.getInputStream();
                boolean right = in.read() == CONTENT;
                firstNs = System.nanoTime() - startNs;
                byte[] piece = new byte[PIECE_BYTES];
                DataInputStream whole = new DataInputStream(in);
                for (int rest = ANSWER_BYTES - 1; rest > 0; rest -= PIECE_BYTES) {
                    int length = Math.min(rest, PIECE_BYTES);
                    whole.readFully(piece, 0, length);
                    right &= piece[0] == CONTENT && piece[length - 1] == CONTENT;
                    Thread.sleep(PAUSE_MS);
                }
                if (!right || in.read() >= 0) {
                    throw new IOException("not what was answered");
                }
            } catch (IOException e) {
                failure = e;
            } catch (InterruptedException e) {
                failure = new IOException(e);
            }
        }
    }
}
