package org.exsockets.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectableChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.exsockets.config.Face;
import org.exsockets.rendezvous.Acceptor.Accepted;
import org.exsockets.rendezvous.LocalBinding;
import org.exsockets.rendezvous.Rendezvous;
import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.Endpoint;
import org.exsockets.waiting.Outcome;
import org.exsockets.waiting.Wait;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A {@link ListeningSide} by itself: where it listens, what it hands down, and that nothing of it stays. */
class ListeningSideTest {
    /** The JDK's, as far as the test does not replace it. */
    private static final class Plain implements PlainSockets.PlainListener {
        private final PlainSockets.PlainListener jdk = PlainSockets.CHANNELS.listener(null);
        private ServerSocket socket = jdk.socket();
        private IOException notSelectable;

        /** Happens when the devices listen and the owner does not know that yet. */
        private Runnable onSelectable = () -> {};

        Plain() throws IOException {}

        @Override
        public ServerSocket socket() {
            return socket;
        }

        @Override
        public SelectableChannel selectable() throws IOException {
            if (notSelectable != null) {
                throw notSelectable;
            }
            SelectableChannel selectable = jdk.selectable();
            onSelectable.run();
            return selectable;
        }

        @Override
        public Socket tryAccept() throws IOException {
            return jdk.tryAccept();
        }
    }

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    /** Of a client that has not bound its socket. */
    private static final LocalBinding UNBOUND = new LocalBinding() {
        @Override
        public InetSocketAddress bound() {
            return null;
        }

        @Override
        public InetSocketAddress bind() {
            return ANY_PORT;
        }
    };

    private final List<Endpoint> endpoints = new ArrayList<>();
    private Plain plain;
    private ListeningSide side;

    @BeforeEach
    void open() throws IOException {
        plain = new Plain();
        side = new ListeningSide(plain);
    }

    @AfterEach
    void close() throws IOException {
        side.close();
        for (Endpoint each : endpoints) {
            each.queuePair().disconnect(DisconnectReason.ABORT, 0);
            each.release();
        }
    }

    private void listen() throws IOException {
        side.bind(ANY_PORT);
        side.listen(50);
    }

    private InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), side.localPort());
    }

    /** {@return whether a client finds an EXS listener at the address} */
    private boolean connectsOverExs(InetSocketAddress address) {
        Endpoint endpoint = Rendezvous.get().tryConnect(address, 0, UNBOUND, Face.NET);
        if (endpoint != null) {
            endpoints.add(endpoint);
        }
        return endpoint != null;
    }

    private Accepted<Socket> accept() throws IOException {
        Accepted<Socket> accepted = side.accept(Wait.UNINTERRUPTIBLE);
        if (accepted.endpoint() != null) {
            endpoints.add(accepted.endpoint());
        }
        return accepted;
    }

    private void assertAcceptsOverTcp() throws IOException {
        try (Socket client = new Socket(address().getAddress(), address().getPort())) {
            Accepted<Socket> accepted = accept();
            assertNull(accepted.endpoint());
            assertEquals(client.getLocalPort(), accepted.tcp().getPort());
            accepted.tcp().close();
        }
    }

    // Listening.

    @Test
    void thePortIsTheOneWantedUntilItListens() throws IOException {
        assertEquals(0, side.localPort());
        side.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 12_345));
        assertEquals(12_345, side.localPort());
        listen();
        assertEquals(side.socket().getLocalPort(), side.localPort());
        assertFalse(side.localPort() == 0);
    }

    @Test
    void clientsComeOverExsAndOverTcp() throws IOException {
        listen();
        assertTrue(connectsOverExs(address()));
        Accepted<Socket> accepted = accept();
        assertNotNull(accepted.endpoint());
        assertNull(accepted.tcp());
        assertAcceptsOverTcp();
    }

    @Test
    void aPortThatIsTakenIsListenedAtByNobody() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            side.bind((InetSocketAddress) other.getLocalSocketAddress());
            assertThrows(SocketException.class, () -> side.listen(50));
            assertFalse(connectsOverExs((InetSocketAddress) other.getLocalSocketAddress()));
        }
    }

    /** Which of the processes a client reaches is the kernel's choice, connection by connection. */
    @Test
    void aSharedPortIsTcpsAlone() throws IOException {
        side.setOption(StandardSocketOptions.SO_REUSEPORT, true);
        listen();
        assertFalse(connectsOverExs(address()));
        assertAcceptsOverTcp();
    }

    /** Nobody could wait for both. */
    @Test
    void aListenerThatCannotBeSelectedIsTcpsAlone() throws IOException {
        plain.notSelectable = new IOException("no descriptors left");
        listen();
        assertFalse(connectsOverExs(address()), "it would wait for ever to be accepted");
        assertAcceptsOverTcp();
    }

    // Accepting without devices.

    @Test
    void withoutDevicesTheTimeOutIsThatOfTheSocket() throws IOException {
        plain.notSelectable = new IOException("no descriptors left");
        listen();
        side.setOption(SocketOptions.SO_TIMEOUT, 1);
        assertThrows(SocketTimeoutException.class, () -> side.accept(Wait.UNINTERRUPTIBLE));
    }

    // Options.

    @Test
    void acceptedConnectionsGetTheOptionsThatTcpHandsDownHoweverTheyWereSet() throws IOException {
        assertEquals(Map.of(), inheritable());
        side.setOption(StandardSocketOptions.SO_RCVBUF, 20_000);
        assertEquals(Map.of(StandardSocketOptions.SO_RCVBUF, 20_000), inheritable());
        side.setOption(SocketOptions.SO_RCVBUF, 30_000);
        side.setOption(SocketOptions.SO_TIMEOUT, 7);
        assertEquals(Map.of(StandardSocketOptions.SO_RCVBUF, 30_000), inheritable());
        listen();
        boolean reuses = side.socket().getReuseAddress();
        assertEquals(
                Map.of(StandardSocketOptions.SO_RCVBUF, 30_000, StandardSocketOptions.SO_REUSEADDR, reuses),
                inheritable());
    }

    @Test
    void anOptionThatTheSocketRefusesIsNotHandedDown() throws IOException {
        assertThrows(IllegalArgumentException.class, () -> side.setOption(StandardSocketOptions.SO_RCVBUF, -1));
        assertEquals(Map.of(), inheritable());
    }

    private Map<SocketOption<?>, Object> inheritable() throws IOException {
        Map<SocketOption<?>, Object> options = new HashMap<>();
        side.inheritable().applyTo(options::put);
        return options;
    }

    // Closing.

    @Test
    void behindACloseNobodyListens() throws IOException {
        listen();
        InetSocketAddress address = address();
        side.close();
        assertFalse(connectsOverExs(address));
        assertTrue(side.socket().isClosed());
        assertEquals(Outcome.CLOSED_BEFORE, side.accept(Wait.UNINTERRUPTIBLE).outcome());
        side.close();
    }

    @Test
    void whoIsClosedWhileItBindsListensNowhere() throws Exception {
        Thread closer = new Thread(this::closeSide);
        List<InetSocketAddress> addresses = new ArrayList<>();
        plain.onSelectable = () -> {
            addresses.add((InetSocketAddress) plain.socket().getLocalSocketAddress());
            closer.start();
            while (closer.getState() == Thread.State.NEW || closer.getState() == Thread.State.RUNNABLE) {
                Thread.onSpinWait();
            }
        };
        listen();
        closer.join();
        assertTrue(side.socket().isClosed());
        assertFalse(connectsOverExs(addresses.get(0)));
        assertThrows(SocketException.class, () -> side.listen(1));
    }

    private void closeSide() {
        try {
            side.close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The port's next owner may need the same names. */
    @Test
    void theNamesOfDevicesAreFreeBeforeThePortIs() throws IOException {
        List<Boolean> listensOverExs = new ArrayList<>();
        plain.socket = new ServerSocket() {
            @Override
            public void close() throws IOException {
                listensOverExs.add(connectsOverExs(address()));
                super.close();
            }
        };
        listen();
        assertTrue(connectsOverExs(address()));
        side.close();
        assertEquals(List.of(false), listensOverExs);
        plain.socket = plain.jdk.socket();
    }
}
