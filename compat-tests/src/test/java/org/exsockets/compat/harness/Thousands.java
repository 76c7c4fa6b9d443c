package org.exsockets.compat.harness;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * A program: two thousand virtual threads block in a read of one byte each, all at once. When the last one waits, each gets
 * its byte and answers it. Pinned or blocked carriers show as a program that does not end.
 */
public final class Thousands {
    public static final String SERVED = "all served";

    private static final int THREADS = 2000;

    private Thousands() {}

    public static void main(String[] args) throws Exception {
        Patience.leaveToTheTest();
        // The first ones wait for classes to be initialised, which pins a virtual thread once in the life of a JVM.
        serve(1);
        try (PinnedThreads pinned = PinnedThreads.record()) {
            serve(THREADS);
            pinned.assertNone();
        }
        System.out.println(SERVED);
    }

    private static void serve(int threads) throws Exception {
        List<Socket> clients = new ArrayList<>();
        List<VirtualThread<Integer>> servers = new ArrayList<>();
        try (ServerSocket listener = new ServerSocket(0, 200, InetAddress.getByName(TestHost.NAME))) {
            for (int i = 0; i < threads; i++) {
                clients.add(new Socket(listener.getInetAddress(), listener.getLocalPort()));
                Socket server = listener.accept();
                servers.add(VirtualThread.start(() -> answer(server)));
            }
            servers.get(0).awaitBlockedIn("read");
            servers.get(threads - 1).awaitBlockedIn("read");
            for (int i = 0; i < threads; i++) {
                OutputStream out = clients.get(i).getOutputStream();
                out.write(i);
            }
            for (int i = 0; i < threads; i++) {
                check(i & 0xff, servers.get(i).result());
                try (Socket client = clients.get(i);
                        InputStream in = client.getInputStream()) {
                    check(255 - (i & 0xff), in.read());
                }
            }
        }
    }

    private static int answer(Socket server) throws Exception {
        try (server) {
            int value = server.getInputStream().read();
            server.getOutputStream().write(255 - value);
            return value;
        }
    }

    private static void check(int expected, int actual) {
        if (expected != actual) {
            throw new AssertionError("expected=" + expected + ", actual=" + actual);
        }
    }
}
