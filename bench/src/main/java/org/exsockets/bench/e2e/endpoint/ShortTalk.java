package org.exsockets.bench.e2e.endpoint;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** The program whose run shows what the first connection of a JVM costs: one with itself, and one byte each way. */
public final class ShortTalk {
    private ShortTalk() {}

    public static void main(String[] args) throws IOException {
        InetAddress here = InetAddress.getLoopbackAddress();
        try (ServerSocket server = new ServerSocket(0, 1, here);
                Socket client = new Socket(here, server.getLocalPort());
                Socket accepted = server.accept()) {
            client.getOutputStream().write(1);
            accepted.getOutputStream().write(accepted.getInputStream().read());
            if (client.getInputStream().read() != 1) {
                throw new IOException("not what was sent");
            }
        }
    }
}
