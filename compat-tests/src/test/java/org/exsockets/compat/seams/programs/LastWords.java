package org.exsockets.compat.seams.programs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * A word over a connection that nobody closes before the JVM ends. The first argument says what this process does:
 *
 * <ul>
 *   <li>{@code listen}: says {@code serving} and its port, accepts one connection, and says {@code received}, how many bytes,
 *       and how it ended
 *   <li>{@code speak PORT}: connects, writes, and ends
 *   <li>{@code speak-at-exit PORT}: does so in a shutdown hook, with the first socket of the process
 * </ul>
 */
public final class LastWords {
    private static final byte[] WORD = {1, 2, 3};

    /** As long as the process is there. */
    private static Socket spoken;

    private LastWords() {}

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "listen" -> listen();
            case "speak" -> speak(Integer.parseInt(args[1]));
            case "speak-at-exit" -> {
                int port = Integer.parseInt(args[1]);
                Runtime.getRuntime().addShutdownHook(new Thread(() -> speak(port)));
            }
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private static void listen() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            System.out.println("serving " + server.getLocalPort());
            try (Socket accepted = server.accept()) {
                int received = 0;
                try {
                    while (accepted.getInputStream().read() >= 0) {
                        received++;
                    }
                    System.out.println("received " + received + " end of stream");
                } catch (IOException e) {
                    System.out.println("received " + received + " " + e.getMessage());
                }
            }
        }
    }

    private static void speak(int port) {
        try {
            spoken = new Socket(InetAddress.getLoopbackAddress(), port);
            spoken.getOutputStream().write(WORD);
        } catch (IOException e) {
            System.out.println("failed " + e);
        }
    }
}
