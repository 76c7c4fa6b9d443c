package org.exsockets.agent.programs;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * Connects through a SOCKS 5 proxy of its own, once as the property {@code socksProxyHost} says and once with an
 * explicit proxy, and prints what the proxy sent instead of the destination.
 */
public final class Socks {
    private Socks() {}

    public static void main(String[] arguments) throws Exception {
        try (ServerSocket proxy = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> serveTwo(proxy));
            server.setDaemon(true);
            server.start();
            String proxyHost = proxy.getInetAddress().getHostAddress();
            System.setProperty("socksProxyHost", proxyHost);
            System.setProperty("socksProxyPort", Integer.toString(proxy.getLocalPort()));
            System.setProperty("socksNonProxyHosts", "");
            InetSocketAddress nowhere = new InetSocketAddress("192.0.2.1", 9);
            try (Socket socket = new Socket()) {
                read(socket, nowhere);
            }
            System.clearProperty("socksProxyHost");
            Proxy explicit = new Proxy(Proxy.Type.SOCKS, new InetSocketAddress(proxyHost, proxy.getLocalPort()));
            try (Socket socket = new Socket(explicit)) {
                read(socket, nowhere);
            }
        }
    }

    private static void read(Socket socket, InetSocketAddress destination) throws IOException {
        socket.connect(destination, 10_000);
        System.out.println("proxy sent " + socket.getInputStream().read() + " for "
                + socket.getInetAddress().getHostAddress());
    }

    private static void serveTwo(ServerSocket proxy) {
        for (int i = 0; i < 2; i++) {
            try (Socket client = proxy.accept()) {
                DataInputStream in = new DataInputStream(client.getInputStream());
                in.readByte();
                in.readNBytes(in.readUnsignedByte());
                client.getOutputStream().write(new byte[] {5, 0});
                in.readNBytes(10);
                client.getOutputStream().write(new byte[] {5, 0, 0, 1, 127, 0, 0, 1, 0, 9, 42});
            } catch (IOException e) {
                e.printStackTrace();
            }
        }
    }
}
