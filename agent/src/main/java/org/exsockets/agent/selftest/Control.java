package org.exsockets.agent.selftest;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What the commands on two hosts say to each other, in lines, over TCP:
 *
 * <pre>
 * both         {@value #GREETING}
 * listening    ports N ...          of the servers, TCP's first; or: error WHY
 *              about TEXT           lines on its host
 *              ready
 * testing      end                  or the end of the connection
 * listening    statistics JSON      of its servers
 *              said TEXT
 *              over
 * </pre>
 */
final class Control implements Closeable {
    /** The number changes with these lines or with the services of {@link Server}. */
    static final String GREETING = "exs-selftest 1";

    static final String PORTS = "ports ";
    static final String ERROR = "error ";
    static final String ABOUT = "about ";
    static final String READY = "ready";
    static final String END = "end";
    static final String STATISTICS = "statistics ";
    static final String SAID = "said ";
    static final String OVER = "over";

    private static final int PATIENCE_MS = 60_000;
    private static final int TEST_MS = 600_000;
    private static final int LONGEST_LINE = 100_000;

    private final Socket socket;
    private final BufferedReader in;
    private final PrintStream out;

    Control(Socket socket) throws IOException {
        this.socket = socket;
        socket.setKeepAlive(true);
        socket.setSoTimeout(PATIENCE_MS);
        in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        out = new PrintStream(socket.getOutputStream(), true, StandardCharsets.UTF_8);
    }

    /** Exchanges greetings. @throws IOException if the other one is no such command, or of another version */
    void greet() throws IOException {
        send(GREETING);
        String greeting = receive();
        if (!greeting.equals(GREETING)) {
            throw new IOException("what answers there is no selftest of this version: it says '" + greeting + "', not '"
                    + GREETING + "'");
        }
    }

    void send(String line) {
        out.println(line);
    }

    void sendAll(String key, Iterable<String> texts) {
        texts.forEach(text -> send(key + text));
    }

    String receive() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int letter = in.read(); letter != '\n'; letter = in.read()) {
            if (letter < 0 || line.length() == LONGEST_LINE) {
                throw new EOFException("the other host's command has ended, or is none");
            }
            line.append((char) letter);
        }
        return line.toString();
    }

    /** {@return the texts of all lines up to {@code last}, by their keys' order; each line has one of the keys} */
    List<List<String>> receiveUntil(String last, String... keys) throws IOException {
        List<List<String>> texts = new ArrayList<>();
        for (int i = 0; i < keys.length; i++) {
            texts.add(new ArrayList<>());
        }
        for (String line = receive(); !line.equals(last); line = receive()) {
            if (line.startsWith(ERROR)) {
                throw new IOException("the other host: " + line.substring(ERROR.length()));
            }
            for (int i = 0; i < keys.length; i++) {
                if (line.startsWith(keys[i])) {
                    texts.get(i).add(line.substring(keys[i].length()));
                }
            }
        }
        return texts;
    }

    /** Waits until the other command is done or gone, or should have been. */
    void awaitEnd() throws IOException {
        socket.setSoTimeout(TEST_MS);
        in.readLine();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
