package org.exsockets.bench.e2e.endpoint;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;

/**
 * A program whose whole life is its first seconds. As a server it answers each request with the request's first bytes,
 * and ends when it is told to; as a client it asks from several threads, and ends. Nothing here loads classes that a
 * plain program of this size would not: no lambdas, no concatenation, no formatting.
 *
 * <p>A request: its length (four bytes, big-endian), then its bytes. The answer: at most {@link #LARGEST_ANSWER} bytes.
 */
public final class FirstTalk {
    static final int LARGEST_ANSWER = 5700;

    /** Prime to the largest answer, so that lengths differ from request to request. */
    private static final int STEP = 1117;

    private static final int BACKLOG = 64;

    private FirstTalk() {}

    /** {@code server}; or {@code client PORT THREADS EXCHANGES FRESH LARGEST}, with lengths in bytes. */
    public static void main(String[] args) throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        if (args[0].equals("server")) {
            ServerSocket server = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
            serve(server);
            serveUntilTold(server);
        }
        Talk talk = new Talk(
                Integer.parseInt(args[1]),
                Integer.parseInt(args[3]),
                Boolean.parseBoolean(args[4]),
                Integer.parseInt(args[5]));
        long slowestFirstNs = ask(talk, Integer.parseInt(args[2]));
        tell("client firstNs=", slowestFirstNs, " mainNs=", System.nanoTime() - startNs);
    }

    /** Tells the parent the port, and ends this program when the parent says a line, or ends. */
    static void serveUntilTold(ServerSocket server) throws IOException {
        tell("port port=", server.getLocalPort());
        while (System.in.read() > '\n') {}
        System.exit(0);
    }

    static void tell(Object... words) {
        StringBuilder line = new StringBuilder(Endpoint.REPLY);
        for (Object word : words) {
            line.append(word);
        }
        System.out.println(line);
        System.out.flush();
    }

    /** Accepts until the server socket is closed, in a daemon thread, with another one for each connection. */
    static void serve(ServerSocket server) {
        Thread acceptor = new Thread("acceptor") {
            @Override
            public void run() {
                try {
                    while (true) {
                        answer(server.accept());
                    }
                } catch (IOException closed) {
                    return;
                }
            }
        };
        acceptor.setDaemon(true);
        acceptor.start();
    }

    private static void answer(Socket connection) {
        Thread thread = new Thread("connection") {
            @Override
            public void run() {
                try (connection) {
                    DataInputStream in = new DataInputStream(connection.getInputStream());
                    while (true) {
                        byte[] request = new byte[in.readInt()];
                        in.readFully(request);
                        connection.getOutputStream().write(request, 0, Math.min(request.length, LARGEST_ANSWER));
                    }
                } catch (IOException ended) {
                    return;
                }
            }
        };
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * @return the longest time, in nanoseconds, that a thread took to connect and to have its first answer
     * @throws IOException if not all exchanges came to a right answer
     */
    static long ask(Talk talk, int threads) throws IOException, InterruptedException {
        Asker[] askers = new Asker[threads];
        for (int i = 0; i < threads; i++) {
            askers[i] = new Asker(talk, i);
            askers[i].start();
        }
        long slowestNs = 0;
        for (Asker asker : askers) {
            asker.join();
            if (asker.failure != null) {
                throw asker.failure;
            }
            slowestNs = Math.max(slowestNs, asker.firstNs);
        }
        return slowestNs;
    }

    /**
     * What each thread does.
     *
     * @param fresh whether each exchange has a connection of its own
     * @param largestBytes of a request; the first one is as long, the others shorter
     */
    static final class Talk {
        final int port;
        final int exchanges;
        final boolean fresh;
        final int largestBytes;

        Talk(int port, int exchanges, boolean fresh, int largestBytes) {
            this.port = port;
            this.exchanges = exchanges;
            this.fresh = fresh;
            this.largestBytes = largestBytes;
        }

        private int length(int thread, int exchange) {
            return exchange == 0 ? largestBytes : largestBytes - (thread + exchange) * STEP % largestBytes;
        }
    }

    private static final class Asker extends Thread {
        private final Talk talk;
        private final int number;

        /** Both are read after {@link #join}. */
        private long firstNs;

        private IOException failure;

        Asker(Talk talk, int number) {
            this.talk = talk;
            this.number = number;
        }

        @Override
        public void run() {
            try {
                askAll();
            } catch (IOException e) {
                failure = e;
            }
        }

        private void askAll() throws IOException {
            long startNs = System.nanoTime();
            InetAddress here = InetAddress.getLoopbackAddress();
            Socket connection = new Socket(here, talk.port);
            for (int exchange = 0; exchange < talk.exchanges; exchange++) {
                if (exchange > 0 && talk.fresh) {
                    connection.close();
                    connection = new Socket(here, talk.port);
                }
                exchange(connection, talk.length(number, exchange));
                firstNs = exchange == 0 ? System.nanoTime() - startNs : firstNs;
            }
            connection.close();
        }

        private void exchange(Socket connection, int length) throws IOException {
            // One write: two would have TCP wait for an acknowledgement between them.
            byte[] request = new byte[Integer.BYTES + length];
            Arrays.fill(request, (byte) (length + number));
            for (int i = 0; i < Integer.BYTES; i++) {
                request[i] = (byte) (length >> Byte.SIZE * (Integer.BYTES - 1 - i));
            }
            connection.getOutputStream().write(request);
            byte[] answer = new byte[Math.min(length, LARGEST_ANSWER)];
            new DataInputStream(connection.getInputStream()).readFully(answer);
            if (!Arrays.equals(answer, 0, answer.length, request, Integer.BYTES, Integer.BYTES + answer.length)) {
                throw new IOException("not what was sent");
            }
        }
    }
}
