package org.exsockets.compat.seams.programs;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Connects for the first time to a thread that has been in its accept for a while. */
public final class SpinningAcceptor {
    private static final int MOMENT_MS = 100;

    private SpinningAcceptor() {}

    public static void main(String[] args) throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread acceptor = new Thread(() -> {
                try (Socket accepted = listener.accept()) {
                    System.out.println("accepted " + accepted.getInetAddress().getHostAddress());
                } catch (Exception e) {
                    System.out.println(e);
                }
            });
            acceptor.start();
            Thread.sleep(MOMENT_MS);
            try (Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort())) {
                acceptor.join();
                System.out.println("end " + client.getInputStream().read());
            }
        }
    }
}
