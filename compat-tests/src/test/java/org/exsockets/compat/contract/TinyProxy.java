package org.exsockets.compat.contract;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.exsockets.compat.harness.TestHost;

/**
 * A SOCKS 5 or HTTP proxy in the process of the test, for connections to this host. Names it cannot resolve are this
 * host's. It runs until it is closed, which closes its connections, too.
 */
final class TinyProxy implements Closeable {
    enum Kind {
        SOCKS,
        HTTP
    }

    private final Kind kind;
    private final ServerSocket listener;
    private final AtomicInteger connections = new AtomicInteger();
    private final Deque<Socket> open = new ConcurrentLinkedDeque<>();
    private volatile String lastHost;

    TinyProxy(Kind kind) throws IOException {
        this.kind = kind;
        this.listener = new ServerSocket(0, 10, InetAddress.getByName(TestHost.NAME));
        start(this::acceptAll);
    }

    Proxy asProxy() {
        return new Proxy(
                kind == Kind.SOCKS ? Proxy.Type.SOCKS : Proxy.Type.HTTP, TestHost.address(listener.getLocalPort()));
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Returns how many connections were asked for. */
    int connections() {
        return connections.get();
    }

    /** Returns the host that was asked for last, as the client has named it. */
    String lastHost() {
        return lastHost;
    }

    private void acceptAll() throws IOException {
        while (true) {
            Socket client = listener.accept();
            open.add(client);
            start(() -> serve(client));
        }
    }

    private void serve(Socket client) throws IOException {
        DataInputStream in = new DataInputStream(client.getInputStream());
        OutputStream out = client.getOutputStream();
        int port = kind == Kind.SOCKS ? socksRequest(in, out) : httpRequest(in);
        connections.incrementAndGet();
        Socket target = new Socket(Proxy.NO_PROXY);
        open.add(target);
        try {
            target.connect(TestHost.address(port));
        } catch (IOException refused) {
            out.write(
                    kind == Kind.SOCKS
                            ? new byte[] {5, 5, 0, 1, 0, 0, 0, 0, 0, 0}
                            : "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
            client.close();
            return;
        }
        out.write(
                kind == Kind.SOCKS
                        ? new byte[] {5, 0, 0, 1, 127, 0, 0, 1, 0, 9}
                        : "HTTP/1.1 200 Connection established\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        start(() -> copy(target, client));
        copy(client, target);
    }

    /** Answers the greeting and returns the port that is asked for. */
    private int socksRequest(DataInputStream in, OutputStream out) throws IOException {
        in.readByte();
        in.readNBytes(in.readUnsignedByte());
        out.write(new byte[] {5, 0});
        in.readNBytes(3);
        int type = in.readByte();
        int length = type == 1 ? 4 : type == 4 ? 16 : in.readUnsignedByte();
        byte[] host = in.readNBytes(length);
        lastHost = type == 3
                ? new String(host, StandardCharsets.US_ASCII)
                : InetAddress.getByAddress(host).toString();
        return in.readUnsignedShort();
    }

    /** Returns the port that is asked for. */
    private int httpRequest(DataInputStream in) throws IOException {
        StringBuilder request = new StringBuilder();
        while (request.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("proxy: request ended early");
            }
            request.append((char) next);
        }
        String destination = request.substring("CONNECT ".length(), request.indexOf(" HTTP/"));
        int colon = destination.lastIndexOf(':');
        lastHost = destination.substring(0, colon);
        return Integer.parseInt(destination.substring(colon + 1));
    }

    private static void copy(Socket from, Socket to) throws IOException {
        from.getInputStream().transferTo(to.getOutputStream());
        to.shutdownOutput();
    }

    private interface Task {
        void run() throws IOException;
    }

    private static void start(Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException closed) {
                        // The test is over, or it looks at what its own end is told.
                    }
                },
                "proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
