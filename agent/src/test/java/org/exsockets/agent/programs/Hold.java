package org.exsockets.agent.programs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Holds a connection with itself, with 1,000 unread bytes, until its input ends. Prints the port that it listens on. */
public final class Hold {
    private Hold() {}

    public static void main(String[] arguments) throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket listener = new ServerSocket(0, 5, loopback);
                Socket client = new Socket(loopback, listener.getLocalPort());
                Socket server = listener.accept()) {
            client.getOutputStream().write(new byte[1_500]);
            server.getInputStream().readNBytes(500);
            System.out.println(listener.getLocalPort());
            System.in.read();
        }
    }
}
