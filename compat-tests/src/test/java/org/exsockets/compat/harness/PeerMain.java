package org.exsockets.compat.harness;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The program of a peer process. It obeys lines from its standard input, {@code sequence command name
 * arguments...}, and answers each with {@code sequence ok value} or {@code sequence threw class message}, the
 * message in Base64. Commands for one name run in order on that name's own thread, so a blocked connection does not
 * hold up the others; {@code close} and {@code abort} run at once. End of input ends the process.
 *
 * <p>Standard input and output carry the commands because the connections under test must be the only sockets here.
 */
public final class PeerMain {
    /** Set to {@code true} in a process that is to use the JVM's default group, which then counts as there from the start. */
    public static final String DEFAULT_GROUP = "exs.test.group";

    private final PrintStream replies;

    /** Before the first command. */
    private final Remains first = Remains.now();

    private final Map<String, ExecutorService> workers = new ConcurrentHashMap<>();
    private final Map<String, Closeable> listeners = new ConcurrentHashMap<>();
    private final Map<String, PeerStream> streams = new ConcurrentHashMap<>();

    private PeerMain(PrintStream replies) {
        this.replies = replies;
    }

    /** Runs until {@code exit}, {@code halt}, {@code return} or the end of the input. */
    public static void main(String[] args) throws IOException {
        Patience.leaveToTheTest();
        PrintStream replies = System.out;
        System.setOut(System.err);
        if (Boolean.getBoolean(DEFAULT_GROUP)) {
            DefaultGroupThreads.prepare();
        }
        new PeerMain(replies).obey(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
    }

    private void obey(BufferedReader commands) throws IOException {
        String line;
        while ((line = commands.readLine()) != null) {
            String[] words = line.split(" ");
            String sequence = words[0];
            String command = words[1];
            switch (command) {
                case "return":
                    reply(sequence, "");
                    return;
                case "exit":
                    reply(sequence, "");
                    System.exit(0);
                    break;
                case "halt":
                    reply(sequence, "");
                    Runtime.getRuntime().halt(0);
                    break;
                case "closeall":
                    answer(sequence, this::closeAll);
                    break;
                case "remains":
                    answer(sequence, this::remains);
                    break;
                case "close":
                case "abort":
                    answer(sequence, () -> end(command, words[2]));
                    break;
                default:
                    String[] arguments = Arrays.copyOfRange(words, 3, words.length);
                    worker(words[2]).execute(() -> answer(sequence, () -> run(command, words[2], arguments)));
            }
        }
    }

    private ExecutorService worker(String name) {
        return workers.computeIfAbsent(
                name,
                key -> Executors.newSingleThreadExecutor(task -> {
                    Thread thread = new Thread(task, "peer-" + key);
                    thread.setDaemon(true);
                    return thread;
                }));
    }

    private void answer(String sequence, Callable<Object> command) {
        try {
            reply(sequence, String.valueOf(command.call()));
        } catch (Throwable thrown) {
            String message = String.valueOf(thrown.getMessage());
            String encoded = Base64.getEncoder().encodeToString(message.getBytes(StandardCharsets.UTF_8));
            print(sequence + " threw " + thrown.getClass().getName() + " " + encoded);
        }
    }

    private void reply(String sequence, String value) {
        print(sequence + " ok " + value);
    }

    private synchronized void print(String line) {
        replies.println(line);
        replies.flush();
    }

    /** Closes every listener and connection, and ends the threads of all names. */
    private String closeAll() throws IOException {
        for (Closeable listener : listeners.values()) {
            listener.close();
        }
        for (PeerStream stream : streams.values()) {
            stream.connection().close();
        }
        for (ExecutorService worker : workers.values()) {
            worker.shutdownNow();
        }
        listeners.clear();
        streams.clear();
        workers.clear();
        return "";
    }

    /** Closes everything. {@return how many ends of connections looking has made, and what is left then} */
    private String remains() throws Exception {
        closeAll();
        String left = Remains.awaitNothingBeyond(first);
        return Remains.endsMade() + " " + left;
    }

    private Object end(String command, String name) throws IOException {
        Closeable listener = listeners.remove(name);
        if (listener != null) {
            listener.close();
        } else if (command.equals("abort")) {
            streams.get(name).connection().abort();
        } else {
            streams.get(name).connection().close();
        }
        return "";
    }

    private Object run(String command, String name, String[] arguments) throws Exception {
        switch (command) {
            case "program":
                String[] rest = Arrays.copyOfRange(arguments, 1, arguments.length);
                return Class.forName(arguments[0])
                        .asSubclass(PeerProgram.class)
                        .getDeclaredConstructor()
                        .newInstance()
                        .run(rest);
            case "listen":
                return listen(name, Face.valueOf(arguments[0]), arguments[1], Integer.parseInt(arguments[2]));
            case "accept":
                return open(arguments[0], accept(name));
            case "connect":
                InetSocketAddress target = address(arguments[1], arguments[2]);
                return open(name, connect(Face.valueOf(arguments[0]), target));
            default:
                return streams.get(name).run(command, arguments);
        }
    }

    private int listen(String name, Face face, String host, int backlog) throws IOException {
        if (face == Face.NET) {
            ServerSocket listener = new ServerSocket();
            listeners.put(name, listener);
            listener.bind(address(host, "0"), backlog);
            return listener.getLocalPort();
        }
        ServerSocketChannel listener = ServerSocketChannel.open();
        listeners.put(name, listener);
        listener.bind(address(host, "0"), backlog);
        return ((InetSocketAddress) listener.getLocalAddress()).getPort();
    }

    private PeerConnection accept(String name) throws IOException {
        Closeable listener = listeners.get(name);
        if (listener instanceof ServerSocket) {
            return new PeerConnection.OverSocket(((ServerSocket) listener).accept());
        }
        return new PeerConnection.OverChannel(((ServerSocketChannel) listener).accept());
    }

    private static PeerConnection connect(Face face, InetSocketAddress target) throws IOException {
        if (face == Face.NET) {
            Socket socket = new Socket();
            socket.connect(target);
            return new PeerConnection.OverSocket(socket);
        }
        return new PeerConnection.OverChannel(SocketChannel.open(target));
    }

    private String open(String name, PeerConnection connection) throws IOException {
        streams.put(name, new PeerStream(connection));
        return describe(connection.localAddress()) + " " + describe(connection.remoteAddress());
    }

    private static InetSocketAddress address(String host, String port) throws IOException {
        return new InetSocketAddress(InetAddress.getByName(host), Integer.parseInt(port));
    }

    private static String describe(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + " " + address.getPort();
    }
}
