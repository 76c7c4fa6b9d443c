package org.exsockets.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What every device does about events, the ends of connections, listeners and names; a subclass opens the device. */
public abstract class ConnectionContractTest extends DeviceFixture {

    @Test
    void anArrivalGivesAnEventOnlyAfterArming() throws Exception {
        Pair pair = connect();
        CompletionChannel channel = pair.b().queuePair().completionChannel();
        assertSendArrives(pair.a(), pair.b(), 1);
        assertEquals(0, channel.drain());

        pair.b().queuePair().completionQueue().requestNotification();
        assertEquals(0, channel.drain());
        assertSendArrives(pair.a(), pair.b(), 1);
        assertEquals(CompletionChannel.EVENT, waitFor(() -> channel.drain() == 0 ? null : CompletionChannel.EVENT));
        assertEquals(0, channel.drain());

        assertSendArrives(pair.a(), pair.b(), 1);
        assertEquals(0, channel.drain(), "one arming, one event");
    }

    /** Devices with windows need no answer of the peer's, and so no attendant. */
    @Test
    void whatIsSolicitedIsAttendedToWithoutArming() throws Exception {
        Pair pair = connect();
        assumeTrue(pair.a().direct().windows() == null, "the device has windows");
        AtomicInteger runs = new AtomicInteger();
        pair.b().attend(runs::incrementAndGet);
        for (int i = 1; i <= 3; i++) {
            assertSendArrives(pair.a(), pair.b(), 1);
            assertEquals(i - 1, runs.get(), "nothing is solicited");
            int next = i;
            postReceive(pair.b(), next);
            post(pair.a(), new WorkRequest().send(ByteBuffer.allocate(1), 0, 1).soliciting());
            waitFor(() -> runs.get() == next ? next : null);
            assertReceive(next, pair.b(), poll(pair.b()));
        }
    }

    @Test
    void anEventMakesTheChannelReadable() throws Exception {
        Pair pair = connect();
        CompletionChannel channel = pair.a().queuePair().completionChannel();
        try (Selector selector = Selector.open()) {
            SelectionKey key = channel.selectable().register(selector, SelectionKey.OP_READ);
            assertEquals(0, selector.selectNow());
            pair.a().queuePair().completionQueue().requestNotification();
            assertSendArrives(pair.b(), pair.a(), 1);
            assertEquals(1, selector.select());
            assertTrue(key.isReadable());
            assertEquals(CompletionChannel.EVENT, channel.drain());
            selector.selectedKeys().clear();
            assertEquals(0, selector.selectNow());
        }
    }

    @Test
    void armingWithCompletionsThereGivesNoEventForThem() throws Exception {
        Pair pair = connect();
        postReceive(pair.b(), 1);
        post(pair.a(), new WorkRequest().send(ByteBuffer.allocate(1), 0, 1));
        CompletionQueue queue = pair.b().queuePair().completionQueue();
        assertFalse(waitFor(() -> queue.isEmpty() ? null : false));
        queue.requestNotification();
        assertEquals(0, pair.b().queuePair().completionChannel().drain());
        assertFalse(queue.isEmpty(), "the poll after arming finds it");
        poll(pair.b());
    }

    @Test
    void anArrivalEndsTheSleepOnAWordAndGivesNoEvent() throws Exception {
        Pair pair = connect();
        CompletableFuture<Boolean> woken = sleepOnWord(pair.b());
        assertSendArrives(pair.a(), pair.b(), 1);
        assertTrue(woken.get());
        assertEquals(0, pair.b().queuePair().completionChannel().drain());
    }

    @Test
    void anArrivalEndsTheSleepOnAWordAndGivesTheEventThatWasAskedFor() throws Exception {
        Pair pair = connect();
        CompletionChannel channel = pair.b().queuePair().completionChannel();
        pair.b().queuePair().completionQueue().requestNotification();
        CompletableFuture<Boolean> woken = sleepOnWord(pair.b());
        assertSendArrives(pair.a(), pair.b(), 1);
        assertTrue(woken.get());
        assertEquals(CompletionChannel.EVENT, waitFor(() -> channel.drain() == 0 ? null : CompletionChannel.EVENT));
    }

    @ParameterizedTest
    @EnumSource(names = {"ORDERLY", "ABORT"})
    void theEndOfTheConnectionEndsTheSleepOnAWord(DisconnectReason reason) throws Exception {
        Pair pair = connect();
        CompletableFuture<Boolean> woken = sleepOnWord(pair.a());
        pair.b().queuePair().disconnect(reason, 0);
        assertTrue(woken.get());
        QueuePair ended = pair.a().queuePair();
        assertEquals(reason, waitFor(() -> {
            ended.completionQueue().look();
            return ended.peerReason() == DisconnectReason.NONE ? null : ended.peerReason();
        }));
    }

    @Test
    void anotherThreadEndsTheSleepOnAWordAlsoOneThatIsAboutToBegin() throws Exception {
        Pair pair = connect();
        CompletableFuture<Boolean> woken = sleepOnWord(pair.a());
        word(pair.a()).wake();
        assertTrue(woken.get());
        word(pair.a()).arm();
        word(pair.a()).wake();
        assertTrue(word(pair.a()).sleep(Long.MAX_VALUE));
    }

    @Test
    void theTimeEndsTheSleepOnAWord() throws Exception {
        Pair pair = connect();
        word(pair.a()).arm();
        while (word(pair.a()).sleep(1_000_000)) {
            word(pair.a()).arm(); // Woken for no reason.
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ORDERLY", "ABORT", "VIOLATION"})
    void aDisconnectReachesThePeerWithItsReasonBehindTheLastMessage(DisconnectReason reason) throws Exception {
        for (boolean aEnds : new boolean[] {true, false}) {
            Pair pair = connect();
            QueuePair ending = (aEnds ? pair.a() : pair.b()).queuePair();
            Endpoint peer = aEnds ? pair.b() : pair.a();
            postReceive(peer, 7);
            assertEquals(
                    QueuePair.POSTED,
                    new WorkRequest().send(ByteBuffer.allocate(2), 0, 2).postTo(ending));
            ending.disconnect(reason, 0x123456789ABCDEFL);

            assertTrue(ending.inError());
            assertEquals(
                    QueuePair.IN_ERROR,
                    new WorkRequest().send(ByteBuffer.allocate(2), 0, 2).postTo(ending));
            try (Selector selector = Selector.open()) {
                CompletionChannel channel = peer.queuePair().completionChannel();
                channel.selectable().register(selector, SelectionKey.OP_READ);
                assertEquals(1, selector.select());
                assertEquals(CompletionChannel.HANGUP, channel.drain());
                assertEquals(CompletionChannel.HANGUP, channel.drain());
            }
            assertEquals(reason, peer.queuePair().peerReason());
            assertEquals(0x123456789ABCDEFL, peer.queuePair().peerLastWord());
            assertEquals(7, poll(peer).wrId);
            assertNothing(peer);
        }
    }

    @Test
    void theFirstReasonCounts() throws Exception {
        Pair pair = connect();
        pair.a().queuePair().disconnect(DisconnectReason.ABORT, 0);
        pair.a().queuePair().disconnect(DisconnectReason.ORDERLY, 0);
        hangup(pair.b());
        assertEquals(DisconnectReason.ABORT, pair.b().queuePair().peerReason());
        assertEquals(DisconnectReason.NONE, pair.a().queuePair().peerReason());
    }

    @Test
    void postingToAPeerThatHasGoneIsHarmless() throws Exception {
        Pair pair = connect();
        pair.b().queuePair().completionQueue().requestNotification();
        pair.b().queuePair().disconnect(DisconnectReason.ABORT, 0);
        new WorkRequest().send(ByteBuffer.allocate(1), 0, 1).postTo(pair.a().queuePair());
        hangup(pair.a());
        pair.a().queuePair().disconnect(DisconnectReason.ORDERLY, 0);
    }

    @Test
    void releaseIsIdempotentAndLeavesThePeerItsMemory() throws Exception {
        Pair pair = connect();
        post(pair.a(), write(pair.a(), new byte[] {1, 2, 3}, 0));
        pair.a().queuePair().disconnect(DisconnectReason.ORDERLY, 0);
        pair.a().release();
        pair.a().release();
        hangup(pair.b());
        assertEquals(3, exposed(pair.b(), 0, 3)[2]);
        assertEquals(DisconnectReason.ORDERLY, pair.b().queuePair().peerReason());
    }

    @Test
    void aConnectionThatEndsBeforeItIsAcceptedCanStillBeRead() throws Exception {
        Endpoint a = connectOnly(PARAMETERS);
        post(a, write(a, new byte[] {9}, 0));
        assertEquals(
                QueuePair.POSTED,
                new WorkRequest().send(ByteBuffer.allocate(3), 0, 3).postTo(a.queuePair()));
        a.queuePair().disconnect(DisconnectReason.ORDERLY, 0);
        a.release();
        Endpoint b = accept(listener());
        postReceive(b, 4);
        assertEquals(3, poll(b).byteLength);
        assertEquals(9, exposed(b, 0, 1)[0]);
        hangup(b);
        assertEquals(DisconnectReason.ORDERLY, b.queuePair().peerReason());
    }

    @Test
    void connectionsOneAfterTheOtherSeeNothingOfEachOther() throws Exception {
        for (int i = 0; i < 40; i++) {
            Pair pair = connect();
            assertNothing(pair.a());
            assertNothing(pair.b());
            assertEquals(DisconnectReason.NONE, pair.b().queuePair().peerReason());
            assertEquals(0, pair.b().queuePair().completionChannel().drain());
            for (int k = 0; k < i % 10; k++) {
                assertSendArrives(pair.a(), pair.b(), k);
                assertSendArrives(pair.b(), pair.a(), k);
            }
            pair.a().queuePair().completionQueue().requestNotification();
            pair.b().queuePair().completionQueue().requestNotification();
            pair.a().queuePair().disconnect(DisconnectReason.ABORT, 0);
            pair.b().queuePair().disconnect(DisconnectReason.VIOLATION, 0);
            pair.a().release();
            pair.b().release();
        }
    }

    // Listeners.

    @Test
    void connectionsAreAcceptedInTheirOrder() throws Exception {
        Endpoint[] clients = {connectOnly(PARAMETERS), connectOnly(PARAMETERS), connectOnly(PARAMETERS)};
        for (Endpoint client : clients) {
            assertEquals(client.localAddress(), accept(listener()).remoteAddress());
        }
        assertNull(listener().tryAccept());
        assertFalse(listener().hasLate());
    }

    @Test
    void aWaitingConnectionMakesTheListenerAcceptable() throws Exception {
        try (Selector selector = Selector.open()) {
            SelectableChannel channel = listener().selectable();
            int ops = channel.validOps() & (SelectionKey.OP_ACCEPT | SelectionKey.OP_READ);
            SelectionKey key = channel.register(selector, ops);
            assertEquals(0, selector.selectNow());
            connectOnly(PARAMETERS);
            assertEquals(1, selector.select());
            assertEquals(ops, key.readyOps());
            accept(listener());
            selector.selectedKeys().clear();
            assertEquals(0, selector.selectNow());
        }
    }

    @Test
    void aClosedListenerResetsWhoWaitsAndRefusesWhoComes() throws Exception {
        Endpoint waiting = connectOnly(PARAMETERS);
        listener().close();
        listener().close();
        hangup(waiting);
        assertFalse(waiting.queuePair().peerReason() == DisconnectReason.ORDERLY);
        assertThrows(IOException.class, listener()::tryAccept);
        assertUnreachable(address());
    }

    @Test
    void aFullBacklogIsTold() throws Exception {
        try (ServerSocket port = new ServerSocket(0, 0, host());
                DeviceListener small =
                        device().listen((InetSocketAddress) port.getLocalSocketAddress(), false, 1, PARAMETERS)) {
            InetSocketAddress to = (InetSocketAddress) port.getLocalSocketAddress();
            ConnectFailure full = assertThrows(ConnectFailure.class, () -> {
                for (int i = 0; i < 10; i++) {
                    ended(device().connect(client(i), to, PARAMETERS));
                }
            });
            assertEquals(ConnectFailure.Kind.BACKLOG_FULL, full.kind());
            accept(small);
            ended(device().connect(client(20), to, PARAMETERS));
        }
    }

    /** {@return whether a listener is found by clients that do not speak its newest version} */
    protected boolean listensToOlderVersions() {
        return true;
    }

    @ParameterizedTest
    @CsvSource({
        // versions of the listener, of the client, common one
        "1, 1, 1, 1, 1",
        "1, 3, 1, 1, 1",
        "1, 1, 1, 3, 1",
        "1, 3, 2, 2, 2",
        "2, 3, 1, 5, 3",
        "1, 2, 3, 4, 0",
        "3, 4, 1, 2, 0"
    })
    void bothEndsSpeakTheNewestCommonVersion(int listenMin, int listenMax, int min, int max, int common)
            throws Exception {
        EndpointParameters ours = new EndpointParameters(EXPOSED_BYTES, DEPTH, min, max);
        EndpointParameters theirs = new EndpointParameters(EXPOSED_BYTES, DEPTH, listenMin, listenMax);
        try (ServerSocket port = new ServerSocket(0, 0, host())) {
            InetSocketAddress to = (InetSocketAddress) port.getLocalSocketAddress();
            try (DeviceListener several = device().listen(to, false, 5, theirs)) {
                if (common == 0 || listenMax > max && !listensToOlderVersions()) {
                    assertEquals(
                            place().seesListeners() ? ConnectFailure.Kind.REFUSED : ConnectFailure.Kind.VERSION,
                            failure(to, ours));
                } else {
                    assertTrue(device().leadsTo(to));
                    assertEquals(
                            common, ended(device().connect(client(1), to, ours)).version());
                    assertEquals(common, accept(several).version());
                }
            }
        }
    }

    @Test
    void aDeviceTellsWhereAConnectMayLead() throws Exception {
        assertTrue(device().leadsTo(address()));
        assertUnreachable(new InetSocketAddress(host(), 1));
        assertUnreachable(
                new InetSocketAddress(place().hostOverIpv6(), address().getPort()));
        assertUnreachable(new InetSocketAddress(place().otherHost(), address().getPort()));
        if (place().seesListeners()) {
            InetAddress elsewhere = InetAddress.getByName("192.0.2.1");
            InetSocketAddress to = new InetSocketAddress(elsewhere, address().getPort());
            assertFalse(device().leadsTo(to));
        }
    }

    private void assertUnreachable(InetSocketAddress to) throws IOException {
        assertTrue(device().leadsTo(to));
        assertEquals(!place().seesListeners(), device().listens(to, PARAMETERS));
        assertEquals(ConnectFailure.Kind.REFUSED, failure(to, PARAMETERS));
    }

    private InetAddress named(String name) throws IOException {
        return switch (name) {
            case "any4" -> InetAddress.getByName("0.0.0.0");
            case "any6" -> InetAddress.getByName("::");
            case "host" -> host();
            case "other" -> place().otherHost();
            default -> place().hostOverIpv6();
        };
    }

    @ParameterizedTest
    @CsvSource({
        // listener, dual stack, destination, reachable
        "any4, false, host,  true",
        "any4, false, other, true",
        "any4, false, ipv6,  false",
        "any6, true,  host,  true",
        "any6, true,  ipv6,  true",
        "ipv6, false, ipv6,  true",
        "ipv6, false, host,  false"
    })
    void wildcardsAreReachedAsOverTcp(String listener, boolean dualStack, String destination, boolean reachable)
            throws Exception {
        // The port is free on every address.
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        InetSocketAddress at = new InetSocketAddress(named(listener), port);
        try (DeviceListener wildcard = device().listen(at, dualStack, 5, PARAMETERS)) {
            InetSocketAddress to = new InetSocketAddress(named(destination), port);
            if (reachable) {
                assertTrue(device().listens(to, PARAMETERS));
                Endpoint a = ended(device().connect(new InetSocketAddress(to.getAddress(), 10_001), to, PARAMETERS));
                assertEquals(to, accept(wildcard).localAddress());
                assertEquals(to, a.remoteAddress());
            } else {
                assertUnreachable(to);
            }
        }
    }

    private ConnectFailure.Kind failure(InetSocketAddress to, EndpointParameters parameters) {
        return assertThrows(ConnectFailure.class, () -> device().connect(new InetSocketAddress(10_009), to, parameters))
                .kind();
    }
}
