package org.exsockets.compat.seams.programs;

import java.io.IOException;
import java.net.DatagramSocket;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/**
 * Opens sockets and channels, exchanges bytes, and does so again and again while something is used up but for a little, each time a little more, so that it
 * runs out everywhere on the way (asynchronous channels not: the JDK's lose what is under way then). Then it gives everything back, and goes on until the
 * connections of each kind go over EXS again, or, over {@code tcp}, come about. One connection is used throughout.
 *
 * <p>Arguments: {@code heap}, {@code threads} or {@code files} (their size); {@code first} if nothing is opened before, or {@code later}; {@code tcp}
 * or {@code soft}.
 */
public final class Without {
    private static final int ROUNDS = 13;

    private Without() {}

    private interface Opening {
        /** {@return whether it was over EXS} */
        boolean run() throws Exception;
    }

    /** What runs out. */
    private interface Want {
        /** Uses it up, but for a little, which is more from round to round. */
        void begin(int round) throws Exception;

        void end() throws Exception;
    }

    public static void main(String[] arguments) throws Exception {
        Want want = switch (arguments[0]) {
            case "heap" -> new Heap();
            case "threads" -> new Threads();
            default -> new FileSizes();
        };
        new DatagramSocket().close(); // Classes of the JDK that are loaded in want are broken for good.
        if (arguments[1].equals("later")) {
            openBoth();
            try (ServerSocket listener = new ServerSocket(0, 5, host());
                    Socket client = new Socket(host(), listener.getLocalPort());
                    Socket server = listener.accept()) {
                inWant(want, client, server);
                exchange(client, server);
                System.out.println("the connection goes on");
            }
        } else {
            inWant(want, null, null);
        }
        boolean exs = !arguments[2].equals("tcp");
        tell("sockets", Without::sockets, exs);
        tell("channels", Without::channels, exs);
        tell("asynchronous", Without::asynchronous, exs);
        System.exit(0);
    }

    private static void inWant(Want want, Socket client, Socket server) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            boolean exchanged = true;
            try {
                want.begin(round);
                openBoth();
                exchanged = client == null || exchanged(client, server);
            } finally {
                want.end();
            }
            if (!exchanged) { // The byte may have been written, or not.
                if (server.getInputStream().available() == 0) {
                    client.getOutputStream().write(1);
                }
                server.getInputStream().read();
            }
        }
    }

    private static boolean exchanged(Socket client, Socket server) throws IOException {
        try {
            exchange(client, server);
            return true;
        } catch (OutOfMemoryError full) {
            return false;
        }
    }

    private static final class Heap implements Want {
        private static final int LEAST_FREE_BYTES = 256;

        /** Of arrays, in elements, until not even the shortest can be had. */
        private static final int[] PIECES = {16_384, 512, 16, 2};

        private static final int ELEMENT_BYTES = 4;

        /** The latest array that fills the heap; each holds the one before. */
        private Object[] held;

        @Override
        public void begin(int round) {
            for (int elements : PIECES) {
                fill(elements);
            }
            for (int given = 0; given < LEAST_FREE_BYTES << round; ) {
                given += held.length * ELEMENT_BYTES;
                held = (Object[]) held[0];
            }
        }

        private void fill(int elements) {
            try {
                while (true) {
                    Object[] piece = new Object[elements];
                    piece[0] = held;
                    held = piece;
                }
            } catch (OutOfMemoryError full) {
                // Smaller ones.
            }
        }

        @Override
        public void end() {
            held = null;
        }
    }

    private static final class Threads implements Want {
        private final List<Thread> all = new ArrayList<>();

        @Override
        public void begin(int round) throws InterruptedException {
            try {
                while (true) {
                    start();
                }
            } catch (OutOfMemoryError none) {
                end(round);
            }
        }

        private void start() {
            Thread thread = new Thread(() -> {
                while (!Thread.interrupted()) {
                    LockSupport.park();
                }
            });
            thread.setDaemon(true);
            thread.start();
            all.add(thread);
        }

        @Override
        public void end() throws InterruptedException {
            end(all.size());
        }

        private void end(int count) throws InterruptedException {
            for (int i = 0; i < count; i++) {
                Thread thread = all.remove(all.size() - 1);
                thread.interrupt();
                thread.join();
            }
        }
    }

    /** The limit is for memory without a name, too. */
    private static final class FileSizes implements Want {
        @Override
        public void begin(int round) throws Exception {
            limit(Integer.toString(4096 << round));
        }

        @Override
        public void end() throws Exception {
            limit("unlimited");
        }

        private static void limit(String bytes) throws Exception {
            String pid = Long.toString(ProcessHandle.current().pid());
            Process prlimit = new ProcessBuilder("prlimit", "--pid", pid, "--fsize=" + bytes + ":").start();
            if (prlimit.waitFor() != 0) {
                throw new IOException("prlimit: status=" + prlimit.exitValue());
            }
        }
    }

    private static void openBoth() {
        open(Without::sockets);
        open(Without::channels);
    }

    private static void open(Opening opening) {
        try {
            opening.run();
        } catch (Exception | OutOfMemoryError e) {
            // Nothing else was to be expected.
        }
    }

    /** Says of a kind that it works, when it does so over EXS; before that, for a while, over TCP. */
    private static void tell(String what, Opening opening, boolean exs) throws Exception {
        while (opening.run() != exs) {
            Thread.onSpinWait();
        }
        System.out.println(what + ": ok");
    }

    private static InetAddress host() {
        return InetAddress.getLoopbackAddress();
    }

    private static void exchange(Socket from, Socket to) throws IOException {
        from.getOutputStream().write(1);
        if (to.getInputStream().read() != 1) {
            throw new IllegalStateException("another byte");
        }
    }

    /** {@return whether the kernel does not know the connection} */
    private static boolean isExs(int localPort, int remotePort) throws IOException {
        String ports = String.format(Locale.ROOT, ":%04X [0-9A-F]+:%04X 01 ", localPort, remotePort);
        for (String family : new String[] {"tcp", "tcp6"}) {
            String all = Files.readString(Path.of("/proc/net", family));
            if (all.lines().anyMatch(line -> line.matches(".*" + ports + ".*"))) {
                return false;
            }
        }
        return true;
    }

    private static boolean sockets() throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 5, host());
                Socket client = new Socket(host(), listener.getLocalPort());
                Socket server = listener.accept()) {
            client.getOutputStream().write(1);
            server.getInputStream().read();
            return isExs(client.getLocalPort(), client.getPort());
        }
    }

    private static boolean channels() throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(new InetSocketAddress(host(), 0));
                SocketChannel client = SocketChannel.open(listener.getLocalAddress());
                SocketChannel server = listener.accept();
                Selector selector = Selector.open()) {
            server.configureBlocking(false);
            server.register(selector, SelectionKey.OP_READ);
            client.write(ByteBuffer.allocate(1));
            selector.select();
            return isExs(client.socket().getLocalPort(), client.socket().getPort());
        }
    }

    private static boolean asynchronous() throws Exception {
        try (AsynchronousServerSocketChannel listener =
                        AsynchronousServerSocketChannel.open().bind(new InetSocketAddress(host(), 0));
                AsynchronousSocketChannel client = AsynchronousSocketChannel.open()) {
            Future<AsynchronousSocketChannel> accepting = listener.accept();
            client.connect(listener.getLocalAddress()).get();
            try (AsynchronousSocketChannel server = accepting.get()) {
                client.write(ByteBuffer.allocate(1)).get();
                server.read(ByteBuffer.allocate(1)).get();
                return isExs(
                        ((InetSocketAddress) client.getLocalAddress()).getPort(),
                        ((InetSocketAddress) client.getRemoteAddress()).getPort());
            }
        }
    }
}
