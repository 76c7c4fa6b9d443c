package org.exsockets.compat.programs.jdk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.exsockets.compat.programs.driver.Content;
import org.exsockets.compat.programs.driver.Driver;
import org.exsockets.compat.programs.driver.Expect;
import org.exsockets.compat.programs.driver.Ports;
import org.exsockets.compat.programs.driver.Results;

/** {@code SSLSocket}s: many connections, some of them resumed sessions, one with much each way at once. */
public final class TlsClient {
    private static final int CONNECTIONS = 30;
    private static final int LARGE_BYTES = 8_000_000;

    private TlsClient() {}

    /** Argument: the server's port. */
    public static void main(String[] arguments) {
        int port = Integer.parseInt(arguments[0]);
        Driver.work(results -> {
            for (String protocol : new String[] {"TLSv1.2", "TLSv1.3"}) {
                for (int i = 1; i <= CONNECTIONS; i++) {
                    exchange(port, protocol, i, results);
                }
                exchange(port, protocol, LARGE_BYTES, results);
            }
            results.put("connections", 2 * CONNECTIONS + 2);
        });
    }

    private static void exchange(int port, String protocol, int length, Results results) throws Exception {
        byte[] sent = Content.bytes(length, length);
        try (SSLSocket socket = (SSLSocket) SSLSocketFactory.getDefault().createSocket(Ports.HOST, port)) {
            socket.setEnabledProtocols(new String[] {protocol});
            socket.startHandshake();
            Expect.equal(protocol, socket.getSession().getProtocol(), "protocol");
            CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> {
                try {
                    socket.getOutputStream().write(sent);
                    socket.shutdownOutput();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            Expect.equal(sent, socket.getInputStream().readAllBytes(), "echo of " + length + " bytes");
            writing.get();
        }
        results.toServer(length);
        results.toClient(length);
    }
}
