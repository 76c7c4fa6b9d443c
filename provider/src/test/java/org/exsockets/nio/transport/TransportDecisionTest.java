package org.exsockets.nio.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.config.Face;
import org.exsockets.connection.Close;
import org.exsockets.connection.ConnectedEndpoints;
import org.exsockets.connection.ExsConnection;
import org.exsockets.jdk.JdkChannels;
import org.exsockets.nio.select.ChannelKeys;
import org.exsockets.nio.transport.TransportDecision.State;
import org.exsockets.rendezvous.Protocol;
import org.exsockets.rendezvous.Rendezvous;
import org.exsockets.verbs.DeviceListener;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.soft.SoftDevice;
import org.exsockets.verbs.soft.SoftDevices;
import org.exsockets.waiting.Outcome;
import org.exsockets.waiting.Wait;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The table of {@link TransportDecision}: each state with each call of the program and each result of a connect, those
 * that are refused, too.
 */
class TransportDecisionTest {
    private static final EndpointParameters PARAMETERS = new EndpointParameters(4096, 8, 1, 1);
    private static final IOException REFUSED = new ConnectException("Connection refused");

    private final List<AutoCloseable> opened = new ArrayList<>();
    private SoftDevice device;

    /** Where TCP listens, and EXS only if the test says so. */
    private ServerSocketChannel listener;

    private InetSocketAddress server;

    private SocketChannel channel;
    private ChannelTcp tcp;
    private TransportDecision decision;
    private ChannelConnector connector;
    private ConnectedEndpoints ends;

    @BeforeEach
    void open() throws IOException {
        device = SoftDevices.open();
        listener = closed(JdkChannels.openServerSocketChannel(null));
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        server = (InetSocketAddress) listener.getLocalAddress();
        channel = closed(JdkChannels.openSocketChannel(null));
        tcp = new ChannelTcp(channel, null);
        decision = new TransportDecision(channel, tcp);
        connector = new ChannelConnector(channel, Face.NIO, tcp, new ChannelKeys(), decision);
    }

    @AfterEach
    void close() throws Exception {
        if (tcp.orNull() != null) {
            tcp.orNull().close();
        }
        if (decision.connection() != null) {
            decision.connection().close(Close.ABORT);
        }
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    private <T extends AutoCloseable> T closed(T resource) {
        opened.add(resource);
        return resource;
    }

    // The states, reached as ChannelConnector reaches them.

    private void go(State state) throws IOException {
        switch (state) {
            case UNDECIDED -> {}
            case CONNECTING -> {
                channel.configureBlocking(false);
                decision.begin(server);
            }
            case EXS_PENDING, EXS -> assertTrue(establish(state));
            case TCP_ENDED -> {
                decision.begin(server);
                assertTrue(tcp.get().connect(server));
                decision.decideForTcp(State.TCP_ENDED);
            }
            case TCP -> {
                assertTrue(tcp.get().connect(server));
                decision.becomeTcp();
            }
        }
        assertEquals(state, decision.state);
    }

    private boolean establish(State next) throws IOException {
        ends = ConnectedEndpoints.onLoopback(device, PARAMETERS);
        return decision.establish(ends.connected(), next);
    }

    // Questions.

    @ParameterizedTest
    @CsvSource({
        // state, connected, pending, a finishConnect ends, a connection over EXS, that is finished, has a target
        "UNDECIDED,   false, false, false, false, false, false",
        "CONNECTING,  false, true,  false, false, false, true",
        "EXS_PENDING, false, true,  true,  true,  false, false",
        "EXS,         true,  false, false, true,  true,  false",
        "TCP_ENDED,   false, true,  true,  false, false, true",
        "TCP,         true,  false, false, false, false, false",
    })
    void eachStateIsOneAnswerToEachQuestion(
            State state, boolean connected, boolean pending, boolean ends, boolean any, boolean exs, boolean target)
            throws IOException {
        go(state);
        assertEquals(connected, decision.isConnected());
        assertEquals(pending, decision.isPending());
        assertEquals(ends, decision.canFinishConnect());
        assertEquals(any, decision.connection() != null);
        assertSame(exs ? decision.connection() : null, decision.exs());
        assertEquals(target ? server : null, decision.pendingTarget());
        assertFalse(decision.hasFailed());
        assertSame(decision.connection(), decision.onClose(), "who closes it closes that");
    }

    @Test
    void aConnectThatTcpHasNotEndedIsPending() throws IOException {
        decision.begin(server);
        SocketChannel waits = tcp.get();
        waits.configureBlocking(false);
        boolean atOnce = waits.connect(server);
        decision.decideForTcp(State.TCP);
        assertEquals(!atOnce, decision.isPending());
        assertFalse(decision.canFinishConnect(), "TCP decides that");
        assertNull(decision.pendingTarget());
        while (!connector.finishConnect()) {
            Thread.onSpinWait();
        }
        assertTrue(decision.isConnected());
        assertFalse(decision.isPending());
    }

    @ParameterizedTest
    @EnumSource(State.class)
    void addressesAreThoseOfTheTransportThatWasChosen(State state) throws IOException {
        go(state);
        boolean connects = state != State.UNDECIDED;
        assertEquals(connects, decision.remoteAddress() != null);
        switch (state) {
            case UNDECIDED, CONNECTING -> assertNull(decision.localAddress());
            case EXS, EXS_PENDING -> assertEquals(ends.connected().localAddress(), decision.localAddress());
            default -> assertEquals(tcp.orNull().getLocalAddress(), decision.localAddress());
        }
        if (state == State.EXS || state == State.EXS_PENDING) {
            assertEquals(ends.connected().remoteAddress(), decision.remoteAddress());
        } else if (connects) {
            assertEquals(server, decision.remoteAddress());
        }
    }

    // Calls of the program.

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                // state, call: what it returns or throws, state afterwards
                "UNDECIDED,   bind,          done,                         UNDECIDED",
                "UNDECIDED,   finishConnect, NoConnectionPendingException, UNDECIDED",
                "UNDECIDED,   connect,       true,                         TCP",
                "UNDECIDED,   connectExs,    false,                        UNDECIDED",
                "CONNECTING,  bind,          ConnectionPendingException,   CONNECTING",
                "CONNECTING,  finishConnect, false,                        CONNECTING",
                "CONNECTING,  connect,       ConnectionPendingException,   CONNECTING",
                "CONNECTING,  connectExs,    ConnectionPendingException,   CONNECTING",
                "EXS_PENDING, bind,          ConnectionPendingException,   EXS_PENDING",
                "EXS_PENDING, finishConnect, true,                         EXS",
                "EXS_PENDING, connect,       ConnectionPendingException,   EXS_PENDING",
                "EXS_PENDING, connectExs,    ConnectionPendingException,   EXS_PENDING",
                "EXS,         bind,          AlreadyBoundException,        EXS",
                "EXS,         finishConnect, true,                         EXS",
                "EXS,         connect,       AlreadyConnectedException,    EXS",
                "TCP_ENDED,   bind,          ConnectionPendingException,   TCP_ENDED",
                "TCP_ENDED,   finishConnect, true,                         TCP",
                "TCP_ENDED,   connect,       ConnectionPendingException,   TCP_ENDED",
                "TCP_ENDED,   connectExs,    ConnectionPendingException,   TCP_ENDED",
                "TCP,         bind,          AlreadyBoundException,        TCP",
                "TCP,         finishConnect, true,                         TCP",
                "TCP,         connect,       AlreadyConnectedException,    TCP",
                "TCP,         connectExs,    false,                        TCP",
            })
    void eachCallIsTakenOrRefusedAsTheStateHasIt(State state, String call, String outcome, State next)
            throws IOException {
        go(state);
        assertEquals(outcome, outcomeOf(call));
        assertEquals(next, decision.state);
        assertTrue(channel.isOpen());
    }

    @ParameterizedTest
    @EnumSource(State.class)
    void aClosedChannelRefusesEveryCallAndStaysInItsState(State state) throws IOException {
        go(state);
        channel.close();
        assertThrows(ClosedChannelException.class, () -> connector.bind(null));
        assertThrows(ClosedChannelException.class, connector::finishConnect);
        assertThrows(ClosedChannelException.class, () -> connector.connect(server));
        assertEquals(state, decision.state);
    }

    private String outcomeOf(String call) {
        try {
            switch (call) {
                case "bind" -> {
                    connector.bind(null);
                    return "done";
                }
                case "finishConnect" -> {
                    return Boolean.toString(connector.finishConnect());
                }
                case "connect" -> {
                    return Boolean.toString(connector.connect(server));
                }
                default -> {
                    return Boolean.toString(connector.connectExs(server, 0));
                }
            }
        } catch (IOException | RuntimeException e) {
            return e.getClass().getSimpleName();
        }
    }

    @ParameterizedTest
    @CsvSource({
        // blocking mode, state after connect, after finishConnect
        "true,  EXS",
        "false, EXS_PENDING",
    })
    void whereExsListensAConnectGoesThere(boolean blocking, State next) throws Exception {
        listenOverExs();
        channel.configureBlocking(blocking);
        assertEquals(blocking, connector.connect(server), "as the JDK, it ends later in non-blocking mode");
        assertEquals(next, decision.state);
        assertTrue(connector.finishConnect());
        assertEquals(State.EXS, decision.state);
        assertNull(tcp.orNull(), "no descriptor was needed");
    }

    @Test
    void theExsHalfOfAConnectLeavesTheRestToItsCaller() throws Exception {
        assertFalse(connector.connectExs(server, 0), "nobody listens over EXS");
        listenOverExs();
        assertTrue(connector.connectExs(server, 0));
        assertEquals(State.EXS, decision.state);
    }

    @Test
    void aConnectOfTheAdaptorsIsKnownToTheChannel() throws IOException {
        assertTrue(tcp.get().connect(server));
        connector.connectedTcp();
        assertEquals(State.TCP, decision.state);
    }

    private void listenOverExs() {
        List<DeviceListener> listeners = Rendezvous.get().tryListen(Protocol.STREAM, server, true, 50, Face.NIO);
        assertFalse(listeners.isEmpty());
        listeners.forEach(each -> closed(each::close));
    }

    @Test
    void aPendingConnectionThatThePeerHasResetIsNotFinished() throws IOException {
        go(State.EXS_PENDING);
        new ExsConnection(ends.accepted()).close(Close.ABORT);
        assertThrows(IOException.class, connector::finishConnect);
        assertEquals(State.EXS_PENDING, decision.state);
        assertFalse(channel.isOpen());
    }

    @Test
    void aConnectInTheBackgroundThatHasFailedThrowsWhatTcpHasThrownAndCloses() throws IOException {
        go(State.CONNECTING);
        decision.tcpHasFailed(REFUSED);
        assertEquals(State.TCP_ENDED, decision.state);
        assertTrue(decision.hasFailed());
        assertTrue(decision.canFinishConnect());
        assertTrue(decision.isPending(), "until the program asks");
        assertSame(REFUSED, assertThrows(ConnectException.class, connector::finishConnect));
        assertFalse(channel.isOpen());
        assertEquals(State.TCP_ENDED, decision.state);
    }

    // Results of connects.

    @ParameterizedTest
    @CsvSource({
        // what the connect in the background came to, next
        "EXS has connected,          EXS_PENDING",
        "TCP's connect is pending,   TCP",
        "TCP's connect has ended,    TCP_ENDED",
        "TCP's connect has failed,   TCP_ENDED",
    })
    void whatAConnectInTheBackgroundComesToIsTheNextState(String result, State next) throws IOException {
        go(State.CONNECTING);
        assertTrue(tell(result));
        assertEquals(next, decision.state);
    }

    /** Who closes has looked for a connection to close; one that is made now would stay. */
    @ParameterizedTest
    @EnumSource(State.class)
    void behindACloseNothingChangesWhateverAConnectComesTo(State state) throws IOException {
        go(state);
        channel.close();
        ExsConnection before = decision.onClose();
        for (String result : List.of(
                "EXS has connected",
                "TCP's connect is pending",
                "TCP's connect has ended",
                "TCP's connect has failed")) {
            assertEquals(!result.startsWith("EXS"), tell(result), "it says that it was not taken");
            assertEquals(state, decision.state, result);
            assertSame(before, decision.connection(), result);
        }
        assertThrows(ClosedChannelException.class, () -> decision.begin(server));
        assertThrows(ClosedChannelException.class, () -> decision.change(State.EXS));
        assertEquals(state, decision.state);
    }

    private boolean tell(String result) throws IOException {
        switch (result) {
            case "EXS has connected" -> {
                return establish(State.EXS_PENDING);
            }
            case "TCP's connect is pending" -> decision.decideForTcp(State.TCP);
            case "TCP's connect has ended" -> decision.decideForTcp(State.TCP_ENDED);
            default -> decision.tcpHasFailed(REFUSED);
        }
        return true;
    }

    @Test
    void aConnectionThatComesTooLateIsClosedAndItsPeerSeesTheEnd() throws IOException {
        go(State.CONNECTING);
        channel.close();
        assertFalse(establish(State.EXS_PENDING));
        assertNull(decision.onClose());
        ExsConnection peer = new ExsConnection(ends.accepted());
        assertEquals(Outcome.END_OF_STREAM, peer.read(ByteBuffer.allocate(1), Wait.UNINTERRUPTIBLE));
        peer.close(Close.ABORT);
    }

    // Accepted channels.

    @Test
    void anAcceptedChannelIsConnectedFromTheStart() throws IOException {
        ends = ConnectedEndpoints.onLoopback(device, PARAMETERS);
        decision.startWith(new ExsConnection(ends.accepted()));
        assertEquals(State.EXS, decision.state);
        assertTrue(decision.isConnected());
        assertNotNull(decision.exs());
    }

    @Test
    void anAcceptedChannelOfTheJdkStaysWithTcp() throws IOException {
        SocketChannel client = closed(JdkChannels.openSocketChannel(null));
        client.connect(server);
        SocketChannel accepted = listener.accept();
        decision.startWith(accepted);
        assertEquals(State.TCP, decision.state);
        assertTrue(decision.isConnected());
        assertEquals(client.getLocalAddress(), decision.remoteAddress());
        assertSame(accepted, tcp.orNull());
    }
}
