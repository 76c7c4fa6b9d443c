package org.exsockets.agent.programs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;

/** Sends bytes both ways over java.net sockets, made in several ways, and prints {@code echo ok}. */
public final class Echo {
    private Echo() {}

    public static void main(String[] arguments) throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            talk(listener);
        }
        System.out.println("echo ok");
    }

    static void talk(ServerSocket listener) throws IOException {
        try (Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort());
                Socket server = listener.accept()) {
            exchange(client, server);
        }
        listener.setSoTimeout(3_600_000);
        try (Socket client = new Socket()) {
            client.setTcpNoDelay(true);
            client.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            client.connect(new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort()), 3_600_000);
            try (Socket server = listener.accept()) {
                check(client.getTcpNoDelay() && client.getOption(StandardSocketOptions.SO_KEEPALIVE), "options");
                exchange(client, server);
                client.shutdownOutput();
                check(server.getInputStream().read() == -1, "end of stream");
                client.setSoTimeout(1);
                try {
                    client.getInputStream().read();
                    throw new IllegalStateException("no timeout");
                } catch (SocketTimeoutException expected) {
                    check(expected.getMessage().equals("Read timed out"), "message of the timeout");
                }
            }
        }
    }

    private static void exchange(Socket client, Socket server) throws IOException {
        check(client.getPort() == server.getLocalPort() && client.getLocalPort() == server.getPort(), "ports");
        check(client.getInetAddress().equals(server.getLocalAddress()), "addresses");
        client.getOutputStream().write(7);
        check(server.getInputStream().read() == 7, "client to server");
        server.getOutputStream().write(new byte[] {8, 9});
        check(client.getInputStream().read() == 8 && client.getInputStream().available() == 1, "server to client");
        check(client.getInputStream().read() == 9, "server to client");
    }

    private static void check(boolean condition, String what) {
        if (!condition) {
            throw new IllegalStateException(what);
        }
    }
}
