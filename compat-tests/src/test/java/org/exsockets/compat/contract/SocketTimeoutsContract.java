package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Set;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.TestHost;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Time-outs of {@code java.net}: connect, accept, read, and that nothing is lost or broken by one. */
@Tag("fallback")
class SocketTimeoutsContract extends Contract {
    private static final int TIMEOUT_MS = 60;

    @Test
    void readTimesOutAfterTheTimeSet() throws Exception {
        Socket local = connectedSocket().local();
        local.setSoTimeout(TIMEOUT_MS);
        long startNs = System.nanoTime();
        assertThrows(
                SocketTimeoutException.class,
                "Read timed out",
                () -> local.getInputStream().read());
        assertElapsed(startNs);
    }

    @Test
    void bytesThatComeAfterATimeoutAreRead() throws Exception {
        SocketLink link = connectedSocket();
        link.local().setSoTimeout(TIMEOUT_MS);
        InputStream in = link.local().getInputStream();
        assertThrows(SocketTimeoutException.class, "Read timed out", in::read);
        assertThrows(SocketTimeoutException.class, "Read timed out", () -> in.read(new byte[10]));
        link.remote().write(100);
        link.local().setSoTimeout(0);
        Pattern.check(0, in.readNBytes(100), 0, 100);
        assertTrue(link.local().isConnected());
        assertFalse(link.local().isClosed());
    }

    @Test
    void timeoutWithBytesAtHandReturnsThemAtOnce() throws Exception {
        SocketLink link = connectedSocket();
        link.remote().write(10);
        link.local().setSoTimeout(Patience.NEVER_MS);
        assertEquals(10, link.local().getInputStream().readNBytes(10).length);
    }

    @Test
    void bytesThatComeBeforeTheTimeoutEndTheRead() throws Exception {
        SocketLink link = connectedSocket();
        link.local().setSoTimeout(Patience.NEVER_MS);
        Background<Integer> read =
                Background.start(() -> link.local().getInputStream().read(new byte[10]));
        read.awaitBlockedIn("read");
        link.remote().write(3);
        assertEquals(3, read.result());
    }

    @Test
    void endOfStreamBeforeTheTimeoutEndsTheRead() throws Exception {
        SocketLink link = connectedSocket();
        link.local().setSoTimeout(Patience.NEVER_MS);
        Background<Integer> read = startRead(link.local());
        link.remote().close();
        assertEquals(-1, read.result());
    }

    @Test
    void closeDuringATimedReadThrowsSocketClosed() throws Exception {
        Socket local = connectedSocket().local();
        local.setSoTimeout(Patience.NEVER_MS);
        Background<Integer> read = startRead(local);
        local.close();
        assertThrown(SocketException.class, "Socket closed", read);
    }

    @Test
    void writeIsNotSubjectToTheReadTimeout() throws Exception {
        SocketLink link = connectedSocket();
        link.local().setSoTimeout(1);
        Background<Boolean> write = Background.start(() -> {
            link.local().getOutputStream().write(Pattern.bytes(0, 16 << 20));
            return true;
        });
        write.awaitBlockedIn("write");
        link.remote().read(16 << 20);
        assertTrue(write.result());
    }

    @Test
    void timeoutIsKeptAndNegativeOnesAreRefused() throws Exception {
        Socket local = connectedSocket().local();
        assertEquals(0, local.getSoTimeout());
        local.setSoTimeout(1234);
        assertEquals(1234, local.getSoTimeout());
        assertThrowsA(IllegalArgumentException.class, () -> local.setSoTimeout(-1));
    }

    @Test
    void acceptTimesOutAfterTheTimeSet() throws Exception {
        ServerSocket listener = listeningSocket();
        listener.setSoTimeout(TIMEOUT_MS);
        long startNs = System.nanoTime();
        assertThrows(SocketTimeoutException.class, "Accept timed out", listener::accept);
        assertElapsed(startNs);
    }

    @Test
    void connectionThatComesAfterAnAcceptTimeoutIsAccepted() throws Exception {
        ServerSocket listener = listeningSocket();
        listener.setSoTimeout(TIMEOUT_MS);
        assertThrows(SocketTimeoutException.class, "Accept timed out", listener::accept);
        listener.setSoTimeout(Patience.NEVER_MS);
        Background<Socket> accept = Background.start(listener::accept).awaitBlockedIn("accept");
        Socket client = closing(new Socket(TestHost.NAME, listener.getLocalPort()));
        Socket server = closing(accept.result());
        assertEquals(0, server.getSoTimeout());
        client.getOutputStream().write(Pattern.bytes(0, 10));
        Pattern.check(0, server.getInputStream().readNBytes(10), 0, 10);
    }

    @Test
    void closeDuringATimedAcceptThrowsSocketClosed() throws Exception {
        ServerSocket listener = listeningSocket();
        listener.setSoTimeout(Patience.NEVER_MS);
        Background<Socket> accept = Background.start(listener::accept).awaitBlockedIn("accept");
        listener.close();
        assertThrown(SocketException.class, "Socket closed", accept);
    }

    @Test
    void timedConnectToAListenerConnects() throws Exception {
        ServerSocket listener = listeningSocket();
        Socket client = closing(new Socket());
        client.connect(testAddress(listener.getLocalPort()), 5000);
        assertTrue(client.isConnected());
        Socket server = closing(listener.accept());
        client.getOutputStream().write(Pattern.bytes(0, 1000));
        Pattern.check(0, server.getInputStream().readNBytes(1000), 0, 1000);
    }

    @Test
    void timedConnectToNobodyIsRefused() throws Exception {
        Socket client = closing(new Socket());
        InetSocketAddress nobody = unusedAddress();
        assertThrows(ConnectException.class, waitedFor("Connection refused"), () -> client.connect(nobody, 5000));
        assertFalse(client.isConnected());
    }

    /** On Linux a listener with a full backlog does not answer, so the connection pends until the time-out. */
    @Test
    void connectToAListenerThatDoesNotAnswerTimesOut() throws Exception {
        ServerSocket listener = closing(new ServerSocket());
        listener.bind(testAddress(0), 1);
        SocketTimeoutException timeout = assertThrowsA(SocketTimeoutException.class, () -> {
            for (int i = 0; i < 10; i++) {
                closing(new Socket()).connect(testAddress(listener.getLocalPort()), 300);
            }
        });
        assertTrue(
                Set.of("Connect timed out", "connect timed out").contains(timeout.getMessage()), timeout.getMessage());
    }

    @Test
    void negativeConnectTimeoutIsRefused() throws Exception {
        Socket client = closing(new Socket());
        assertThrowsA(IllegalArgumentException.class, () -> client.connect(testAddress(1), -1));
    }

    private static void assertElapsed(long startNs) {
        long elapsedMs = (System.nanoTime() - startNs) / 1_000_000;
        assertTrue(elapsedMs >= TIMEOUT_MS - 2, "elapsed ms: " + elapsedMs);
    }
}
