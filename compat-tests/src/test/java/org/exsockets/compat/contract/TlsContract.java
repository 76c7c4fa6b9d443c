package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.TestHost;
import org.exsockets.compat.harness.TestKeys;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS with the JDK's {@code SSLSocket}, which is a socket itself and wraps others. */
@Tag("usual")
class TlsContract extends Contract {
    private SSLContext context;

    @BeforeAll
    void makeKeys(@TempDir Path directory) throws Exception {
        KeyStore keys = TestKeys.in(directory).load();
        KeyManagerFactory keyManagers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keyManagers.init(keys, TestKeys.PASSWORD.toCharArray());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(keys);
        context = SSLContext.getInstance("TLS");
        context.init(keyManagers.getKeyManagers(), trust.getTrustManagers(), null);
    }

    @Test
    void handshakeSucceedsAndBytesTravelBothWays() throws Exception {
        SocketPair pair = tlsPair();
        assertEquals(
                "CN=localhost",
                ((SSLSocket) pair.client()).getSession().getPeerPrincipal().getName());
        pair.client().getOutputStream().write(Pattern.bytes(0, 1000));
        Pattern.check(0, pair.server().getInputStream().readNBytes(1000), 0, 1000);
        pair.server().getOutputStream().write(Pattern.bytes(0, 1000));
        Pattern.check(0, pair.client().getInputStream().readNBytes(1000), 0, 1000);
    }

    @Test
    void bigTlsTransferIsComplete() throws Exception {
        SocketPair pair = tlsPair();
        Background<Boolean> writer = Background.start(() -> {
            pair.server().getOutputStream().write(Pattern.bytes(0, 4_000_000));
            pair.server().close();
            return true;
        });
        byte[] received = pair.client().getInputStream().readAllBytes();
        assertEquals(4_000_000, received.length);
        Pattern.check(0, received, 0, received.length);
        assertTrue(writer.result());
    }

    @Test
    void tlsIsLayeredOverAConnectedSocket() throws Exception {
        SocketPair plain = socketPair();
        SSLSocket client = closing((SSLSocket) context.getSocketFactory()
                .createSocket(plain.client(), "localhost", plain.client().getPort(), true));
        SSLSocket server = closing((SSLSocket)
                context.getSocketFactory().createSocket(plain.server(), InputStream.nullInputStream(), true));
        Background<Integer> serverRead =
                Background.start(() -> server.getInputStream().read());
        client.getOutputStream().write(42);
        assertEquals(42, serverRead.result());
        client.close();
        assertTrue(plain.client().isClosed());
    }

    @Test
    void tlsReadTimesOutAndLaterBytesAreRead() throws Exception {
        SocketPair pair = tlsPair();
        pair.client().setSoTimeout(60);
        InputStream in = pair.client().getInputStream();
        SocketTimeoutException timeout = assertThrowsA(SocketTimeoutException.class, in::read);
        assertEquals("Read timed out", timeout.getMessage());
        pair.server().getOutputStream().write(Pattern.bytes(0, 10));
        Pattern.check(0, in.readNBytes(10), 0, 10);
    }

    @Test
    void orderlyCloseOfTlsIsTheEndOfTheStream() throws Exception {
        SocketPair pair = tlsPair();
        pair.server().close();
        assertEquals(-1, pair.client().getInputStream().read());
    }

    private SocketPair tlsPair() throws Exception {
        SSLServerSocket listener = closing((SSLServerSocket) context.getServerSocketFactory()
                .createServerSocket(0, 10, testAddress(0).getAddress()));
        Background<Socket> accept = Background.start(() -> {
            SSLSocket server = (SSLSocket) listener.accept();
            server.startHandshake();
            return server;
        });
        SSLSocket client =
                closing((SSLSocket) context.getSocketFactory().createSocket(TestHost.NAME, listener.getLocalPort()));
        client.startHandshake();
        return new SocketPair(client, closing(accept.result()));
    }
}
