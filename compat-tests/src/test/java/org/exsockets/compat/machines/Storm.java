package org.exsockets.compat.machines;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * A server with many clients, which is killed and started again: all of them come at once, as soon as it listens. In the first
 * round they are sockets with a thread each, in the second non-blocking channels with one selector. One more is there before
 * them, and asks it something from time to time.
 */
final class Storm {
    private static final int BACKLOG = 1_024;
    private static final int STACK_BYTES = 256 << 10;
    private static final int PAUSE_MS = 20;

    private Storm() {}

    /**
     * Serves the clients of one round, or is all clients in both rounds.
     *
     * @param arguments {@code serve}, the address, the port, a directory for signs, how many clients come at once, and the
     *     round, 1 or 2; or {@code call} with the same but the last, and the traffic class of the second round
     */
    public static void main(String[] arguments) throws Exception {
        InetAddress host = InetAddress.getByName(arguments[1]);
        int port = Integer.parseInt(arguments[2]);
        Path signs = Path.of(arguments[3]);
        int clients = Integer.parseInt(arguments[4]);
        int last = Integer.parseInt(arguments[5]);
        if (arguments[0].equals("serve")) {
            serve(new ServerSocket(port, BACKLOG, host), signs, clients, last);
        } else {
            call(host, port, signs, clients, 1, 0);
            call(host, port, signs, clients, 2, last);
        }
    }

    private static void serve(ServerSocket listener, Path signs, int clients, int round) throws Exception {
        List<Socket> accepted = new ArrayList<>();
        Files.createFile(signs.resolve("serving" + round));
        Socket patient = accept(listener, round);
        FutureTask<Void> answering = new FutureTask<>(() -> answer(patient), null);
        new Thread(answering).start();
        while (accepted.size() < clients) {
            accepted.add(accept(listener, round));
        }
        answering.get();
        for (Socket each : accepted) {
            int end = each.getInputStream().read();
            if (end != -1) {
                throw new AssertionError("the client sends nothing: " + end);
            }
        }
    }

    private static Socket accept(ServerSocket listener, int round) throws IOException {
        Socket next = listener.accept();
        next.getOutputStream().write(round);
        return next;
    }

    private static void answer(Socket patient) {
        try (patient) {
            for (int next; (next = patient.getInputStream().read()) != -1; ) {
                patient.getOutputStream().write(next);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return how long the server took for requests of a client that was there before the others} */
    private static String ask(Socket patient, Path until) throws IOException, InterruptedException {
        List<Long> tookNs = new ArrayList<>();
        do {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MS); // Both ends fall asleep.
            long startNs = System.nanoTime();
            patient.getOutputStream().write(1);
            if (patient.getInputStream().read() != 1) {
                throw new AssertionError("no answer");
            }
            tookNs.add(System.nanoTime() - startNs);
        } while (!Files.exists(until));
        Collections.sort(tookNs);
        return String.format(
                "%d requests meanwhile: median %.1f ms, longest %.1f ms",
                tookNs.size(), tookNs.get(tookNs.size() / 2) / 1e6, tookNs.get(tookNs.size() - 1) / 1e6);
    }

    private static void call(InetAddress host, int port, Path signs, int clients, int round, int trafficClass)
            throws Exception {
        while (!Files.exists(signs.resolve("serving" + round))) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        Socket patient = connect(host, port, round, trafficClass);
        FutureTask<String> asking = new FutureTask<>(() -> ask(patient, signs.resolve("asked" + round)));
        new Thread(asking).start();
        long startNs = System.nanoTime();
        List<Socket> connected = round == 1
                ? connectInThreads(host, port, clients, round)
                : connectByKeys(new InetSocketAddress(host, port), clients, round, trafficClass);
        double seconds = (System.nanoTime() - startNs) / 1e9;
        Files.createFile(signs.resolve("asked" + round));
        String asked = asking.get();
        Files.createFile(signs.resolve("connected" + round)); // The server is killed then.
        System.out.printf("round %d: %d clients after %.1f s; %s%n", round, clients, seconds, asked);
        connected.add(patient);
        for (Socket each : connected) {
            if (round == 1) {
                awaitReset(each);
            }
            each.close();
        }
    }

    private static List<Socket> connectInThreads(InetAddress host, int port, int clients, int round) throws Exception {
        List<FutureTask<Socket>> connects = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            FutureTask<Socket> connect = new FutureTask<>(() -> connect(host, port, round, 0));
            connects.add(connect);
            new Thread(null, connect, "client-" + i, STACK_BYTES).start();
        }
        List<Socket> connected = new ArrayList<>();
        for (FutureTask<Socket> connect : connects) {
            connected.add(connect.get());
        }
        return connected;
    }

    private static List<Socket> connectByKeys(InetSocketAddress server, int clients, int round, int trafficClass)
            throws IOException {
        List<Socket> connected = new ArrayList<>();
        try (Selector selector = Selector.open()) {
            for (int i = 0; i < clients; i++) {
                SocketChannel channel = SocketChannel.open();
                channel.configureBlocking(false);
                channel.setOption(StandardSocketOptions.IP_TOS, trafficClass);
                channel.register(selector, channel.connect(server) ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT);
            }
            while (connected.size() < clients) {
                selector.select(key -> {
                    if (greeted(key, round)) {
                        connected.add(((SocketChannel) key.channel()).socket());
                    }
                });
            }
        }
        return connected;
    }

    private static boolean greeted(SelectionKey key, int round) {
        SocketChannel channel = (SocketChannel) key.channel();
        ByteBuffer greeting = ByteBuffer.allocate(1);
        try {
            if (key.isConnectable() && channel.finishConnect()) {
                key.interestOps(SelectionKey.OP_READ);
            } else if (key.isReadable() && channel.read(greeting) != 0) {
                key.cancel();
                if (greeting.position() == 0 || greeting.get(0) != round) {
                    throw new AssertionError("round=" + round + ", greeting=" + greeting);
                }
                return true;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return false;
    }

    private static Socket connect(InetAddress host, int port, int round, int trafficClass) throws IOException {
        Socket socket = new Socket();
        if (trafficClass != 0) {
            socket.setTrafficClass(trafficClass);
        }
        socket.connect(new InetSocketAddress(host, port));
        int greeting = socket.getInputStream().read();
        if (greeting != round) {
            throw new AssertionError("round=" + round + ", greeting=" + greeting);
        }
        return socket;
    }

    private static void awaitReset(Socket of) throws IOException {
        try {
            int more = of.getInputStream().read();
            throw new AssertionError("the server was killed, and sent " + more);
        } catch (SocketException reset) {
            // As expected.
        }
    }
}
