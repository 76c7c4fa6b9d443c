package org.exsockets.compat.machines;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.CRC32;

/**
 * Either end of connections that carry a checksummed body in each direction at the same time. What becomes of them is
 * planned: all arrives, or a fault breaks them and both calls fail as those of a TCP socket would, in time.
 */
final class Exchange {
    private static final long ENOUGH_BYTES = 4 << 20;
    private static final int PIECE_BYTES = 64 * 1024;
    private static final int SIGN_LOOK_MS = 20;
    private static final String ALL_SENT = "all sent";
    private static final String ALL_RECEIVED = "all received";
    private static final String CUT_SHORT = "end of stream";

    /**
     * Connections that are open at the same time.
     *
     * @param mebibytes length of the body of each direction
     * @param seconds what the calls may take once the fault has struck; 0 if all is to arrive
     * @param messages of exceptions that are right
     */
    private record Plan(int connections, int mebibytes, int seconds, List<String> messages) {
        /** As in {@link #main}. */
        static Plan of(String text) {
            String[] parts = text.split(":");
            int times = parts[0].indexOf('x');
            int connections = times < 0 ? 1 : Integer.parseInt(parts[0].substring(0, times));
            int mebibytes = Integer.parseInt(parts[0].substring(times + 1));
            return parts[1].equals("whole")
                    ? new Plan(connections, mebibytes, 0, List.of())
                    : new Plan(connections, mebibytes, Integer.parseInt(parts[1]), List.of(parts[2].split("\\|")));
        }

        boolean whole() {
            return seconds == 0;
        }
    }

    private final Path signs;
    private final boolean listens;
    private boolean right = true;

    private Exchange(Path signs, boolean listens) {
        this.signs = signs;
        this.listens = listens;
    }

    /**
     * Follows the plans in turn.
     *
     * @param arguments {@code listen} or {@code connect}; the address; the port; a directory for the files
     *     {@code serving}, created when clients may come, {@code flowing}, created in the middle of the first transfer,
     *     and {@code struck}, which tells that the fault has happened; plans: {@code MEBIBYTES:whole}, or
     *     {@code MEBIBYTES:SECONDS:MESSAGE|MESSAGE} for connections that are to break, or with {@code 5x} in front of
     *     either for five of them at once
     */
    public static void main(String[] arguments) throws Exception {
        boolean listens = arguments[0].equals("listen");
        InetSocketAddress at = new InetSocketAddress(arguments[1], Integer.parseInt(arguments[2]));
        Exchange exchange = new Exchange(Path.of(arguments[3]), listens);
        List<Plan> plans = List.of(arguments).subList(4, arguments.length).stream()
                .map(Plan::of)
                .toList();
        if (listens) {
            exchange.listen(at, plans);
        } else {
            exchange.connect(at, plans);
        }
        if (!exchange.right) {
            System.exit(1);
        }
    }

    private void listen(InetSocketAddress at, List<Plan> plans) throws Exception {
        try (ServerSocket listener = new ServerSocket(at.getPort(), 50, at.getAddress())) {
            Files.createFile(signs.resolve("serving"));
            for (Plan plan : plans) {
                follow(plan, listener::accept);
            }
        }
    }

    private void connect(InetSocketAddress at, List<Plan> plans) throws Exception {
        InetAddress host = at.getAddress();
        for (Plan plan : plans) {
            follow(plan, () -> new Socket(host, at.getPort()));
        }
    }

    private void follow(Plan plan, Callable<Socket> next) throws Exception {
        List<Socket> sockets = new ArrayList<>();
        List<FutureTask<String>> calls = new ArrayList<>();
        long startNs = System.nanoTime();
        try {
            for (int i = 0; i < plan.connections; i++) {
                sockets.add(next.call());
            }
            say("connected", plan.connections + " times", startNs);
            startNs = System.nanoTime();
            for (Socket socket : sockets) {
                calls.add(start("write", () -> write(socket, plan)));
                calls.add(start("read", () -> read(socket, plan)));
            }
            if (!plan.whole()) {
                awaitFault(calls);
                startNs = System.nanoTime();
            }
            for (int i = 0; i < calls.size(); i += 2) {
                String written = outcome("write", calls.get(i), startNs, plan);
                String read = outcome("read", calls.get(i + 1), startNs, plan);
                right &= plan.whole()
                        ? written.equals(ALL_SENT) && read.equals(ALL_RECEIVED)
                        : plan.messages.contains(written) && brokenAsOverTcp(read, written, plan);
            }
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    /** TCP tells a reset once: who reads after the writer was told finds the end of the stream. */
    private static boolean brokenAsOverTcp(String read, String written, Plan plan) {
        return plan.messages.contains(read) || read.equals(CUT_SHORT) && !written.equals("Broken pipe");
    }

    private static String write(Socket socket, Plan plan) throws IOException {
        Payload.write(socket.getOutputStream(), plan.mebibytes);
        socket.shutdownOutput();
        return ALL_SENT;
    }

    private String read(Socket socket, Plan plan) throws IOException {
        InputStream in = socket.getInputStream();
        byte[] piece = new byte[PIECE_BYTES];
        CRC32 checksum = new CRC32();
        long read = 0;
        int n;
        while ((n = in.read(piece)) >= 0) {
            checksum.update(piece, 0, n);
            if (listens && read < ENOUGH_BYTES && read + n >= ENOUGH_BYTES && !Files.exists(signs.resolve("flowing"))) {
                Files.createFile(signs.resolve("flowing"));
            }
            read += n;
        }
        if (read < (long) plan.mebibytes << 20) {
            return CUT_SHORT;
        }
        return checksum.getValue() == Payload.checksum(plan.mebibytes)
                ? ALL_RECEIVED
                : "wrong checksum of " + read + " bytes";
    }

    /** In a thread of its own; an {@link IOException} is told by its message. */
    static FutureTask<String> start(String name, Callable<String> call) {
        FutureTask<String> task = new FutureTask<>(() -> {
            try {
                return call.call();
            } catch (IOException e) {
                return e.getMessage();
            }
        });
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    /** The fault can be faster than its sign; what it did is checked all the same. */
    private void awaitFault(List<FutureTask<String>> calls) throws InterruptedException {
        while (!Files.exists(signs.resolve("struck")) && calls.stream().noneMatch(FutureTask::isDone)) {
            TimeUnit.MILLISECONDS.sleep(SIGN_LOOK_MS);
        }
    }

    private String outcome(String name, FutureTask<String> call, long startNs, Plan plan) throws Exception {
        String outcome;
        if (plan.whole()) {
            outcome = call.get();
        } else {
            try {
                long leftNs = startNs + TimeUnit.SECONDS.toNanos(plan.seconds) - System.nanoTime();
                outcome = call.get(leftNs, TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                outcome = "still inside";
            }
        }
        say(name, outcome, startNs);
        return outcome;
    }

    private void say(String what, String outcome, long startNs) {
        String end = listens ? "server" : "client";
        double seconds = (System.nanoTime() - startNs) / 1e9;
        // One write, as both ends may print to the same file.
        System.out.println(String.format("%s: %s: %s after %.1f s", end, what, outcome, seconds));
    }
}
