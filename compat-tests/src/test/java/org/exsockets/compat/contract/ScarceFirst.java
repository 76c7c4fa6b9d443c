package org.exsockets.compat.contract;

import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.Deque;
import org.exsockets.compat.harness.PeerProgram;

/** Opens its first sockets when few descriptors are left, and others when there are enough again. Tells how the latter went. */
public final class ScarceFirst implements PeerProgram {
    @Override
    public String run(String[] arguments) throws Exception {
        new DatagramSocket().close(); // Classes of the JDK that are loaded without descriptors are broken for good.
        Deque<FileInputStream> open = new ArrayDeque<>();
        try {
            fill(open);
            for (int free = Integer.parseInt(arguments[0]); free > 0; free--) {
                open.pop().close();
            }
            try {
                talk();
            } catch (IOException few) {
                // As may happen over TCP.
            }
        } finally {
            for (FileInputStream each : open) {
                each.close();
            }
        }
        return talk();
    }

    private static void fill(Deque<FileInputStream> open) throws IOException {
        while (true) {
            try {
                open.push(new FileInputStream("/dev/null"));
            } catch (FileNotFoundException none) {
                return;
            }
        }
    }

    private static String talk() throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort());
                Socket server = listener.accept()) {
            client.getOutputStream().write(1);
            return "read " + server.getInputStream().read();
        }
    }
}
