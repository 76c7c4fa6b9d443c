package org.exsockets.compat.seams.programs;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A client of servers that send back what they get. It answers a line of input:
 *
 * <ul>
 *   <li>{@code tell PORT COUNT}: on how many of so many connections, one after the other, a secret has been {@code answered}, and which
 *       {@code failures} there were;
 *   <li>{@code select PORT COUNT}: the same, with a selector;
 *   <li>{@code visit PORT COUNT}: to how many connections, which stay open, it has written other bytes, without an answer;
 *   <li>{@code nudge 0 0}: to how many of these it has written once more, after a moment's wait for an answer;
 *   <li>{@code stream PORT MEBIBYTES}: how many of secrets it has {@code streamed}, each after an answer to the one before;
 *   <li>{@code leave 0 0}: how many of these it has {@code left}.
 * </ul>
 */
public final class Secrets {
    /** Far longer than an answer takes. */
    private static final int STANDSTILL_MS = 20_000;

    private static final int MOMENT_MS = 5;

    private static final InetAddress HOST = InetAddress.getLoopbackAddress();

    private final List<Socket> visited = new ArrayList<>();
    private int told;
    private String failures = "";

    private Secrets() {}

    public static void main(String[] args) throws Exception {
        Secrets client = new Secrets();
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ");
            client.work(words[0], Integer.parseInt(words[1]), Integer.parseInt(words[2]));
        }
    }

    private void work(String what, int port, int count) throws IOException, InterruptedException {
        switch (what) {
            case "visit" -> visit(port, count);
            case "nudge" -> nudge();
            case "stream" -> stream(port, count);
            case "leave" -> leave();
            default -> tell(what, port, count);
        }
    }

    private void tell(String what, int port, int count) {
        int answered = 0;
        for (int i = 0; i < count; i++) {
            byte[] secret = ("secret for B no " + told++ + ", and for nobody else, as long as this")
                    .getBytes(StandardCharsets.US_ASCII);
            try {
                byte[] answer = what.equals("tell") ? ask(port, secret) : askSelecting(port, secret);
                if (Arrays.equals(secret, answer)) {
                    answered++;
                } else {
                    failures += " other bytes: " + answer.length;
                }
            } catch (IOException e) {
                failures += " " + e;
            }
        }
        System.out.println("answered " + answered);
        System.out.println("failures" + (failures.isEmpty() ? " none" : failures));
    }

    private void visit(int port, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            Socket socket = new Socket(HOST, port);
            visited.add(socket);
            socket.getOutputStream().write(1);
        }
        System.out.println("visiting " + count);
    }

    private void nudge() throws IOException {
        for (Socket each : visited) {
            each.setSoTimeout(MOMENT_MS);
            try {
                each.getInputStream().read();
            } catch (SocketTimeoutException silent) {
                each.getOutputStream().write(2);
            }
        }
        System.out.println("nudged " + visited.size());
    }

    private static void stream(int port, int mebibytes) throws IOException, InterruptedException {
        ByteBuffer secrets = ByteBuffer.allocateDirect(SecretsReceiver.PART_BYTES);
        ByteBuffer answer = ByteBuffer.allocate(1);
        SecretsReceiver.fill(secrets);
        try (SocketChannel channel = SocketChannel.open(new InetSocketAddress(HOST, port))) {
            for (int i = 0; i < mebibytes; i++) {
                Thread.sleep(MOMENT_MS); // The reader waits for them by then; if it does not, they are not direct.
                secrets.clear();
                while (secrets.hasRemaining()) {
                    channel.write(secrets);
                }
                channel.read(answer.clear());
            }
        }
        System.out.println("streamed " + mebibytes);
    }

    private void leave() throws IOException {
        for (Socket each : visited) {
            each.close();
        }
        System.out.println("left " + visited.size());
    }

    private static byte[] ask(int port, byte[] secret) throws IOException {
        try (Socket socket = new Socket(HOST, port)) {
            socket.setSoTimeout(STANDSTILL_MS);
            socket.getOutputStream().write(secret);
            socket.shutdownOutput();
            return socket.getInputStream().readAllBytes();
        }
    }

    private static byte[] askSelecting(int port, byte[] secret) throws IOException {
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        ByteBuffer buffer = ByteBuffer.allocate(secret.length);
        try (Selector selector = Selector.open();
                SocketChannel channel = SocketChannel.open(new InetSocketAddress(HOST, port))) {
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            channel.write(ByteBuffer.wrap(secret));
            boolean shut = false;
            while (true) {
                if (selector.select(STANDSTILL_MS) == 0) {
                    throw new IOException("no answer");
                }
                selector.selectedKeys().clear();
                int n = channel.read(buffer.clear());
                if (n < 0) {
                    return answer.toByteArray();
                }
                answer.write(buffer.array(), 0, n);
                if (!shut && answer.size() == secret.length) { // Not before: the selector is to sleep twice.
                    channel.shutdownOutput();
                    shut = true;
                }
            }
        }
    }
}
