package org.exsockets.compat.programs.jdk;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSocket;
import org.exsockets.compat.programs.driver.Driver;
import org.exsockets.compat.programs.driver.Ports;

/** Sends back what it receives, by {@code SSLServerSocket} and a thread for each connection. */
public final class TlsServer {
    private static final int BUFFER_BYTES = 30_000;

    private TlsServer() {}

    public static void main(String[] arguments) {
        Driver.serve(() -> {
            ExecutorService threads = Executors.newCachedThreadPool();
            SSLServerSocket listener = (SSLServerSocket)
                    SSLServerSocketFactory.getDefault().createServerSocket(0, 50, InetAddress.getByName(Ports.HOST));
            // Whom it serves must have the key, too.
            listener.setNeedClientAuth(true);
            threads.submit(() -> {
                while (true) {
                    SSLSocket connection = (SSLSocket) listener.accept();
                    threads.submit(() -> echo(connection));
                }
            });
            return new Driver.Running(listener::close, listener.getLocalPort());
        });
    }

    private static Void echo(SSLSocket connection) throws IOException {
        try (connection) {
            InputStream in = connection.getInputStream();
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                connection.getOutputStream().write(buffer, 0, n);
            }
        }
        return null;
    }
}
