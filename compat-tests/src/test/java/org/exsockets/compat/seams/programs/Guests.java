package org.exsockets.compat.seams.programs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/**
 * Clients of {@link Besieged}. It answers a line of input:
 *
 * <ul>
 *   <li>{@code serve PORT}: when two connections are {@code connected}, which exchange messages from then on;
 *   <li>{@code connect COUNT}: how many of so many further ones, one after the other, are {@code answered}, until three fail; how long the
 *       {@code slowest} took, in milliseconds; which {@code failures} there were; and what the two have {@code exchanged} meanwhile;
 *   <li>{@code count MILLISECONDS}: what the two have {@code exchanged} in such a time.
 * </ul>
 *
 * <p>At the end of its input, which {@code failures} the two had.
 */
public final class Guests {
    private static final int MESSAGE_BYTES = 64;
    private static final int RESIDENTS = 2;
    private static final int MS = 1_000_000;

    /** Far longer than an answer takes. */
    private static final int STANDSTILL_MS = 30_000;

    private static final int MOST_FAILURES = 3;
    private static final InetAddress HOST = InetAddress.getLoopbackAddress();

    private final LongAdder exchanged = new LongAdder();
    private final Thread[] residents = new Thread[RESIDENTS];
    private volatile boolean ending;
    private int port;
    private int failed;
    private String firstFailure = "";

    private Guests() {}

    public static void main(String[] args) throws Exception {
        Guests guests = new Guests();
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ");
            int number = Integer.parseInt(words[1]);
            switch (words[0]) {
                case "serve" -> guests.settle(number);
                case "connect" -> guests.connect(number);
                default -> guests.count(number);
            }
        }
        guests.end();
    }

    private void settle(int number) throws IOException {
        port = number;
        for (int i = 0; i < RESIDENTS; i++) {
            Socket socket = new Socket(HOST, port);
            socket.setSoTimeout(STANDSTILL_MS);
            exchange(socket, i);
            residents[i] = new Thread(() -> stay(socket));
            residents[i].start();
        }
        System.out.println("connected " + RESIDENTS);
    }

    private void stay(Socket socket) {
        try (socket) {
            for (int i = 0; !ending; i++) {
                exchange(socket, i);
                exchanged.increment();
            }
        } catch (IOException e) {
            failed(e);
        }
    }

    private static void exchange(Socket socket, int number) throws IOException {
        byte[] sent = new byte[MESSAGE_BYTES];
        Arrays.fill(sent, (byte) number);
        socket.getOutputStream().write(sent);
        byte[] received = socket.getInputStream().readNBytes(MESSAGE_BYTES);
        if (!Arrays.equals(sent, received)) {
            throw new IOException("other bytes, or fewer: " + received.length);
        }
    }

    private synchronized void failed(IOException e) {
        failed++;
        if (failed == 1) {
            firstFailure = " " + e;
        }
    }

    private synchronized String failures() {
        return "failures " + failed + firstFailure;
    }

    private void connect(int count) {
        long before = exchanged.sum();
        long slowestNs = 0;
        int answered = 0;
        int failures = 0;
        for (int i = 0; i < count && failures < MOST_FAILURES; i++) {
            long startNs = System.nanoTime();
            try (Socket socket = new Socket(HOST, port)) {
                socket.setSoTimeout(STANDSTILL_MS);
                exchange(socket, i);
                answered++;
            } catch (IOException e) {
                failures++;
                failed(e);
            }
            slowestNs = Math.max(slowestNs, System.nanoTime() - startNs);
        }
        System.out.println("answered " + answered);
        System.out.println("slowest " + slowestNs / MS);
        System.out.println(failures());
        System.out.println("exchanged " + (exchanged.sum() - before));
    }

    private void count(int milliseconds) throws InterruptedException {
        long before = exchanged.sum();
        Thread.sleep(milliseconds);
        System.out.println("exchanged " + (exchanged.sum() - before));
    }

    private void end() throws InterruptedException {
        ending = true;
        for (Thread each : residents) {
            each.join();
        }
        System.out.println(failures());
    }
}
