package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.exsockets.api.Event;
import org.exsockets.api.Export;
import org.exsockets.api.ExsMemory;
import org.exsockets.api.ExsServerSocket;
import org.exsockets.api.ExsSocket;
import org.exsockets.api.ExsUnavailableException;
import org.exsockets.api.SocketType;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Face;
import org.exsockets.compat.harness.NotOver;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.PeerJvm;
import org.exsockets.compat.harness.PeerListener;
import org.exsockets.compat.harness.TestHost;
import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.harness.TruncatedFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SEQPACKET sockets of the ES-API, in this process and in the peer process. */
@Tag("esapi")
class EsPacketContract extends EsContract {
    private static final int MAX_STAGED = 128 * 1024;
    private static final int WINDOW = 8;

    /** Both ends in this process. */
    private record Pair(ExsSocket client, ExsSocket server) {}

    @Override
    @BeforeEach
    void createQueue() throws IOException {
        host = closing(new EsHost(4096));
    }

    private Pair pair() throws Exception {
        ExsServerSocket listener = listening(SocketType.SEQPACKET);
        ExsSocket client = closing(host.connect(SocketType.SEQPACKET, listener.localAddress()));
        return new Pair(client, closing(host.accept(listener)));
    }

    private long send(ExsSocket socket, ExsMemory memory, int length) throws IOException {
        return socket.send(memory, 0, length, 0, host.queue(), null);
    }

    /** Sends packets of all lengths to the peer process, which sends them back, and checks each. */
    private void echo(Random random, int packets, int window, int maxLength) throws Exception {
        ExsServerSocket listener = listening(SocketType.SEQPACKET);
        CompletableFuture<String> program = peer().run(
                        EchoPackets.class,
                        TestHost.NAME,
                        listener.localAddress().getPort(),
                        window,
                        maxLength);
        ExsSocket socket = closing(host.accept(listener));
        ExsMemory out = pattern(0, 2 * maxLength);
        ExsMemory in = ExsMemory.allocate(window * maxLength);
        for (int i = 0; i < window; i++) {
            socket.receive(in, i * maxLength, maxLength, 0, host.queue(), i);
        }
        ArrayDeque<Integer> lengths = new ArrayDeque<>();
        ArrayDeque<Integer> offsets = new ArrayDeque<>();
        int sent = 0;
        int received = 0;
        Event[] batch = Event.array(window);
        while (received < packets) {
            while (sent < packets && sent - received < 2 * window) {
                int length = random.nextInt(4) == 0 ? random.nextInt(maxLength + 1) : random.nextInt(200);
                length = random.nextInt(50) == 0 ? maxLength : length;
                int offset = random.nextInt(maxLength);
                lengths.add(length);
                offsets.add(offset);
                socket.send(out, offset, length, 0, host.queue(), null);
                sent++;
            }
            int n = host.queue().dequeue(batch);
            for (int i = 0; i < n; i++) {
                Event event = batch[i];
                assertEquals(Event.Status.DONE, event.status(), event::toString);
                if (event.type() == Event.Type.RECEIVE) {
                    int slot = (Integer) event.context();
                    assertFalse(event.endOfStream());
                    assertFalse(event.truncated());
                    assertEquals(lengths.poll(), event.length());
                    Pattern.check(offsets.poll(), in.buffer(), slot * maxLength, event.length());
                    received++;
                    socket.receive(in, slot * maxLength, maxLength, 0, host.queue(), slot);
                }
            }
        }
        socket.shutdownOutput();
        assertEquals(Integer.toString(packets), PeerJvm.await(program));
    }

    @Test
    void packetsOfAllLengthsKeepBoundariesAndOrder() throws Exception {
        long seed = Long.getLong("exs.test.seed", 1);
        System.out.println("EsPacketContract: seed=" + seed);
        echo(new Random(seed), 2_000, WINDOW, 30_000);
    }

    @Test
    void packetsOfTheGreatestLengthToo() throws Exception {
        long seed = Long.getLong("exs.test.seed", 1);
        System.out.println("EsPacketContract: seed=" + seed);
        echo(new Random(seed), 300, WINDOW, MAX_STAGED);
    }

    @Test
    void withOneReceiveEachTheyWaitForEachOther() throws Exception {
        echo(new Random(1), 500, 1, 5_000);
    }

    @Test
    void aShortReceiveTruncatesAndSaysSo() throws Exception {
        Pair pair = pair();
        ExsMemory in = ExsMemory.allocate(MAX_STAGED);
        long first = pair.server.receive(in, 0, 100, 0, host.queue(), null);
        long second = pair.server.receive(in, 100, 1000, 0, host.queue(), null);
        long none = pair.server.receive(in, 0, 0, 0, host.queue(), null);
        long sent = send(pair.client, pattern(0, 1000), 1000);
        assertEquals(1000, host.done(sent).length());
        Event event = host.done(first);
        assertTrue(event.truncated());
        assertEquals(100, event.length());
        assertEquals(1000, event.packetLength());
        Pattern.check(0, in.buffer(), 0, 100);
        host.done(send(pair.client, pattern(0, 1000), 1000));
        event = host.done(second);
        assertFalse(event.truncated());
        assertEquals(1000, event.length());
        assertEquals(1000, event.packetLength());
        Pattern.check(0, in.buffer(), 100, 1000);
        host.done(send(pair.client, pattern(0, 1000), 1));
        event = host.done(none);
        assertTrue(event.truncated());
        assertEquals(1, event.packetLength());
    }

    @Test
    void aPacketWithoutBytesIsNotTheEnd() throws Exception {
        Pair pair = pair();
        long received = host.receive(pair.server, ExsMemory.allocate(10));
        host.done(send(pair.client, ExsMemory.allocate(1), 0));
        Event event = host.done(received);
        assertEquals(0, event.length());
        assertFalse(event.endOfStream());
        assertFalse(event.truncated());
        received = host.receive(pair.server, ExsMemory.allocate(10));
        pair.client.shutdownOutput();
        assertTrue(host.done(received).endOfStream());
        assertTrue(host.done(host.receive(pair.server, ExsMemory.allocate(10))).endOfStream());
        // The other direction goes on.
        received = host.receive(pair.client, ExsMemory.allocate(10));
        host.done(send(pair.server, ExsMemory.allocate(1), 1));
        assertEquals(1, host.done(received).length());
    }

    @Test
    @NotOver(value = Transport.DISNI, reason = "an adapter reaches any direct memory of the program")
    void memoryThatThePeerCannotWriteToTakesPacketsUpToALimit() throws Exception {
        Pair pair = pair();
        ExsMemory in =
                ExsMemory.register(ByteBuffer.allocateDirect(MAX_STAGED + 2).slice(1, MAX_STAGED + 1));
        assertThrowsA(IllegalArgumentException.class, () -> host.receive(pair.server, in));
        long received = pair.server.receive(in, 0, MAX_STAGED, 0, host.queue(), null);
        host.done(send(pair.client, pattern(0, MAX_STAGED), MAX_STAGED));
        assertEquals(MAX_STAGED, host.done(received).length());
        Pattern.check(0, in.buffer(), 0, MAX_STAGED);
        in.close();
    }

    @Test
    void sendsWaitForReceives() throws Exception {
        Pair pair = pair();
        int count = 1500;
        ExsMemory out = pattern(0, count);
        for (int i = 0; i < count; i++) {
            pair.client.send(out, i, 1, 0, host.queue(), null);
        }
        ExsMemory in = ExsMemory.allocate(count);
        for (int i = 0; i < count; i++) {
            pair.server.receive(in, i, 1, 0, host.queue(), null);
        }
        long lastReceived = 0;
        long lastSent = 0;
        for (int i = 0; i < 2 * count; i++) {
            Event event = host.next();
            assertEquals(Event.Status.DONE, event.status());
            assertEquals(1, event.length());
            if (event.type() == Event.Type.RECEIVE) {
                assertEquals(lastReceived == 0 ? event.operation() : lastReceived + 1, event.operation());
                lastReceived = event.operation();
            } else {
                assertTrue(event.operation() > lastSent);
                lastSent = event.operation();
            }
        }
        Pattern.check(0, in.buffer(), 0, count);
    }

    @Test
    void aReceiveIsTakenBackAndThePacketGoesToTheNextOne() throws Exception {
        Pair pair = pair();
        ExsMemory in = ExsMemory.allocate(300);
        long first = pair.server.receive(in, 0, 100, 0, host.queue(), null);
        long second = pair.server.receive(in, 100, 100, 0, host.queue(), null);
        long third = pair.server.receive(in, 200, 100, 0, host.queue(), null);
        assertTrue(pair.server.cancel(second));
        Event event = host.next();
        assertEquals(second, event.operation());
        assertEquals(Event.Status.CANCELLED, event.status());
        assertTrue(pair.server.cancel(first));
        assertEquals(first, host.next().operation());
        host.done(send(pair.client, pattern(0, 100), 100));
        assertEquals(100, host.done(third).length());
        Pattern.check(0, in.buffer(), 200, 100);
        assertFalse(pair.server.cancel(first));
    }

    @Test
    void aSendThatWaitsIsTakenBack() throws Exception {
        Pair pair = pair();
        long first = send(pair.client, pattern(0, 10), 10);
        long second = send(pair.client, pattern(10, 10), 10);
        assertTrue(pair.client.cancel(first));
        Event event = host.next();
        assertEquals(first, event.operation());
        assertEquals(Event.Status.CANCELLED, event.status());
        ExsMemory in = ExsMemory.allocate(10);
        long received = host.receive(pair.server, in);
        for (int i = 0; i < 2; i++) {
            event = host.next();
            assertTrue(event.operation() == second || event.operation() == received);
            assertEquals(Event.Status.DONE, event.status());
        }
        Pattern.check(10, in.buffer(), 0, 10);
    }

    @Test
    void closingInOrderIsTheEndForThePeer() throws Exception {
        Pair pair = pair();
        ExsMemory in = ExsMemory.allocate(10);
        long first = host.receive(pair.server, in);
        long second = host.receive(pair.server, in);
        host.done(send(pair.client, pattern(0, 10), 10));
        long under = host.receive(pair.client, in);
        pair.client.close();
        Event event = host.next();
        while (event.operation() != first || event.socket() != pair.server) {
            assertEquals(under, event.operation());
            assertEquals(Event.Status.CLOSED, event.status());
            event = host.next();
        }
        assertEquals(10, event.length());
        event = host.next();
        if (event.socket() == pair.client) {
            event = host.next();
        }
        assertEquals(second, event.operation());
        assertTrue(event.endOfStream(), event::toString);
        long sent = send(pair.server, in, 10);
        event = host.next();
        assertEquals(sent, event.operation());
        assertEquals(Event.Status.FAILED, event.status());
        assertEquals("Broken pipe", event.failure().getMessage());
        pair.server.close();
        in.close();
    }

    /** Its memory is taken away from the peer as it closes, which over adapters ends everything under way. */
    @Test
    void allPacketsComeBeforeTheEndOfOneWhoseMemoryThePeerReaches() throws Exception {
        int count = 16;
        int length = 8 << 10;
        Pair pair = pair();
        ExsMemory reached = ExsMemory.allocate(64 << 10);
        long under = host.receive(pair.client, reached);
        ExsMemory in = ExsMemory.allocate(count * length + 1);
        List<Long> received = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            received.add(pair.server.receive(in, i * length, length, 0, host.queue(), null));
        }
        long last = pair.server.receive(in, count * length, 1, 0, host.queue(), null);
        ExsMemory out = pattern(0, count * length);
        Set<Long> sent = new HashSet<>();
        for (int i = 0; i < count; i++) {
            sent.add(pair.client.send(out, i * length, length, 0, host.queue(), null));
        }
        boolean closed = false;
        while (!received.isEmpty() || !closed) {
            Event event = host.next();
            if (event.socket() == pair.server) {
                assertEquals(received.remove(0), event.operation());
                assertEquals(Event.Status.DONE, event.status(), event::toString);
                assertEquals(length, event.length());
            } else if (event.operation() == under) {
                assertEquals(Event.Status.CLOSED, event.status());
            } else {
                assertTrue(sent.remove(event.operation()), event::toString);
            }
            if (sent.isEmpty() && !closed) {
                pair.client.close();
                closed = true;
            }
        }
        Event event = host.next();
        if (event.operation() == under && event.socket() == pair.client) {
            event = host.next();
        }
        assertEquals(last, event.operation());
        assertTrue(event.endOfStream(), event::toString);
        Pattern.check(0, in.buffer(), 0, count * length);
        pair.server.close();
        in.close();
        reached.close();
    }

    @Test
    void closingWithSendsUnderWayIsAReset() throws Exception {
        Pair pair = pair();
        long sent = send(pair.client, pattern(0, 10), 10);
        pair.client.close();
        Event event = host.next();
        assertEquals(sent, event.operation());
        assertEquals(Event.Status.CLOSED, event.status());
        host.receive(pair.server, ExsMemory.allocate(10));
        event = host.next();
        assertEquals(Event.Status.FAILED, event.status());
        assertEquals("Connection reset", event.failure().getMessage());
    }

    @Test
    void aKilledPeerFailsWhatIsUnderWay() throws Exception {
        ExsServerSocket listener = listening(SocketType.SEQPACKET);
        try (PeerJvm other = PeerJvm.start()) {
            CompletableFuture<String> program = other.run(
                    EchoPackets.class, TestHost.NAME, listener.localAddress().getPort(), 1, 100);
            ExsSocket socket = closing(host.accept(listener));
            long received = host.receive(socket, ExsMemory.allocate(100));
            host.done(send(socket, pattern(0, 100), 100));
            assertEquals(100, host.done(received).length());
            host.receive(socket, ExsMemory.allocate(100));
            other.kill();
            Event event = host.next();
            assertEquals(Event.Status.FAILED, event.status());
            assertEquals("Connection reset", event.failure().getMessage());
            assertThrowsA(IOException.class, () -> PeerJvm.await(program));
        }
    }

    @Test
    void typesDoNotMix() throws Exception {
        InetSocketAddress packets = listening(SocketType.SEQPACKET).localAddress();
        InetSocketAddress stream = listening(SocketType.STREAM).localAddress();
        refused(SocketType.STREAM, packets, "STREAM socket cannot connect to a listener of type SEQPACKET");
        refused(SocketType.SEQPACKET, stream, "SEQPACKET socket cannot connect to a listener of type STREAM");
        refused(SocketType.SEQPACKET, unusedAddress(), "no EXS for a SEQPACKET socket");
    }

    private void refused(SocketType type, InetSocketAddress there, String why) throws Exception {
        ExsSocket socket = closing(ExsSocket.open(type));
        socket.connect(there, 0, host.queue(), null);
        Event event = host.next();
        assertEquals(Event.Status.FAILED, event.status());
        assertEquals(ExsUnavailableException.class, event.failure().getClass());
        assertTrue(event.failure().getMessage().contains(why), event.failure().getMessage());
        assertTrue(event.failure().getMessage().contains(Integer.toString(there.getPort())));
    }

    @Test
    void anOrdinaryChannelIsReset() throws Exception {
        ExsServerSocket listener = listening(SocketType.SEQPACKET);
        listener.accept(host.queue(), null);
        SocketChannel plain = closing(SocketChannel.open(listener.localAddress()));
        Background<Integer> reading = Background.start(() -> plain.read(ByteBuffer.allocate(1)));
        // Resetting is done while somebody dequeues; there is no event for it.
        Background<Event> waiting = Background.start(() -> host.next());
        assertEquals("Connection reset", reading.thrown().getMessage());
        ExsSocket client = closing(ExsSocket.open(SocketType.SEQPACKET));
        try (EsHost other = new EsHost()) {
            other.done(client.connect(listener.localAddress(), 0, other.queue(), null));
        }
        closing(waiting.result().accepted());
    }

    @Test
    void aPeerWithoutExsIsNotReached() throws Exception {
        try (PeerJvm plain = PeerJvm.start(List.of("-Xmx256m"))) {
            PeerListener listener = plain.listen(Face.NIO);
            refused(SocketType.SEQPACKET, testAddress(listener.port()), "no EXS for a SEQPACKET socket");
        }
    }

    @Test
    void aDeletedQueueLetsGoOfMemoryAndTheSocketGoesOn() throws Exception {
        Pair pair = pair();
        EsHost doomed = new EsHost();
        ExsMemory memory = ExsMemory.allocate(1000);
        doomed.receive(pair.server, memory);
        doomed.receive(pair.server, memory);
        doomed.send(pair.server, memory);
        doomed.close();
        memory.close();
        ExsMemory in = ExsMemory.allocate(10);
        long received = host.receive(pair.server, in);
        // Both ends have to hear of the cancellation before the packet is on its way.
        host.receive(pair.client, in);
        host.queue().dequeue(Event.array(1), 10, TimeUnit.MILLISECONDS);
        long sent = send(pair.client, pattern(0, 10), 10);
        for (int i = 0; i < 2; i++) {
            Event event = host.next();
            assertTrue(event.operation() == sent || event.operation() == received, event::toString);
            assertEquals(10, event.length());
        }
        Pattern.check(0, in.buffer(), 0, 10);
    }

    /** What a deleted queue has left behind is answered first. */
    @Test
    void anExportIsNotTheProgramsBeforeThePeerHasAnsweredForThisVeryOne() throws Exception {
        ExsServerSocket listener = listening(SocketType.SEQPACKET);
        EsHost there = closing(new EsHost());
        ExsSocket client = closing(there.connect(SocketType.SEQPACKET, listener.localAddress()));
        ExsSocket server = closing(host.accept(listener));
        ExsMemory memory = ExsMemory.allocate(2 * ExsMemory.PAGE_BYTES);
        Export first = server.export(memory, 0, ExsMemory.PAGE_BYTES);
        Export second = server.export(memory, ExsMemory.PAGE_BYTES, ExsMemory.PAGE_BYTES);
        try (EsHost doomed = new EsHost()) {
            server.unexport(first, doomed.queue(), null);
        }
        there.receive(client, ExsMemory.allocate(1));
        assertEquals(0, there.queue().dequeue(Event.array(1), 100, TimeUnit.MILLISECONDS));
        long taken = server.unexport(second, host.queue(), null);
        assertEquals(0, host.queue().dequeue(Event.array(1), 100, TimeUnit.MILLISECONDS));
        assertThrowsA(IllegalStateException.class, memory::close);
        assertEquals(0, there.queue().dequeue(Event.array(1), 100, TimeUnit.MILLISECONDS));
        host.done(taken);
        memory.close();
    }

    @Test
    void afterThePeersOrderlyCloseReceivesMeetTheEndAndExportsAreGivenBack() throws Exception {
        Pair pair = pair();
        ExsMemory memory = ExsMemory.allocate(2 * ExsMemory.PAGE_BYTES);
        Export idle = pair.server.export(memory, 0, ExsMemory.PAGE_BYTES);
        Export asked = pair.server.export(memory, ExsMemory.PAGE_BYTES, ExsMemory.PAGE_BYTES);
        long taking = pair.server.unexport(asked, host.queue(), null);
        pair.client.close();
        long sent = send(pair.server, ExsMemory.allocate(10), 10);
        for (int i = 0; i < 2; i++) {
            Event event = host.next();
            assertTrue(event.operation() == sent || event.operation() == taking, event::toString);
            assertEquals(event.operation() == sent ? Event.Status.FAILED : Event.Status.DONE, event.status());
        }
        ExsMemory in = ExsMemory.allocate(10);
        for (int i = 0; i < 2; i++) {
            Event event = host.done(host.receive(pair.server, in));
            assertTrue(event.endOfStream(), event::toString);
            assertEquals(0, event.length());
        }
        memory.close();
        host.done(pair.server.unexport(idle, host.queue(), null));
        assertThrowsA(IllegalArgumentException.class, () -> pair.server.unexport(idle, host.queue(), null));
        assertThrowsA(IllegalArgumentException.class, () -> pair.server.unexport(asked, host.queue(), null));
    }

    @Test
    void afterAResetReceivesFailAndExportsAreGivenBack() throws Exception {
        Pair pair = pair();
        ExsMemory memory = ExsMemory.allocate(ExsMemory.PAGE_BYTES);
        Export export = pair.server.export(memory, 0, ExsMemory.PAGE_BYTES);
        send(pair.client, ExsMemory.allocate(10), 10);
        pair.client.close();
        assertEquals(Event.Status.CLOSED, host.next().status());
        for (int i = 0; i < 2; i++) {
            host.receive(pair.server, ExsMemory.allocate(10));
            Event event = host.next();
            assertEquals(Event.Status.FAILED, event.status());
            assertFalse(event.endOfStream());
        }
        memory.close();
        host.done(pair.server.unexport(export, host.queue(), null));
    }

    /** Where a wait spins, however many threads want to run. */
    @ParameterizedTest
    @ValueSource(strings = {"bytes", "end", "packet"})
    void aWaitSleepsThoughSomethingIsThereThatNoOperationIsFor(String what) throws Exception {
        List<String> arguments = new ArrayList<>(Transport.peerArguments());
        arguments.add("-Dexs.spin=100");
        PeerJvm spinning = closing(PeerJvm.start(arguments));
        assertEquals("sleeps, and was told: event queue: closed", PeerJvm.await(spinning.run(IdleWait.class, what)));
    }

    @Test
    @NotOver(value = Transport.DISNI, reason = "an adapter reaches any direct memory of the program")
    void placementNeedsMemoryThatThePeerCanWriteTo() throws Exception {
        Pair pair = pair();
        ExsMemory own = ExsMemory.register(ByteBuffer.allocateDirect(100).slice(1, 99));
        String message = assertThrowsA(IOException.class, () -> pair.server.export(own, 0, 99))
                .getMessage();
        assertTrue(message.contains("ExsMemory.allocate"), message);
        own.close();
    }

    // Memory that fails.

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5_000, 100_000})
    void aPacketThatCannotBeReadIsNotSent(int good) throws Exception {
        Pair pair = pair();
        EsHost receiving = closing(new EsHost());
        MappedByteBuffer failing = TruncatedFile.map(good, 20_000);
        ExsMemory registered = ExsMemory.register(failing);
        for (int length : new int[] {good + 1, MAX_STAGED}) {
            ExsMemory target = ExsMemory.allocate(length);
            long receive = receiving.receive(pair.server(), target);
            long failed =
                    pair.client().send(registered, failing.position(), failing.remaining(), 0, host.queue(), null);
            long sent = host.send(pair.client(), pattern(7, length));
            EsHost.assertBadAddress(failed, host.next());
            host.done(sent);
            assertEquals(length, receiving.done(receive).packetLength());
            Pattern.check(7, target.buffer(), 0, length);
        }
    }

    @Test
    void aPacketThatCannotBeStoredIsLost() throws Exception {
        Pair pair = pair();
        EsHost receiving = closing(new EsHost());
        MappedByteBuffer failing = TruncatedFile.map(0, 20_000);
        long failed = pair.server()
                .receive(
                        ExsMemory.register(failing),
                        failing.position(),
                        failing.remaining(),
                        0,
                        receiving.queue(),
                        null);
        ExsMemory target = ExsMemory.allocate(100);
        long receive = receiving.receive(pair.server(), target);
        host.done(send(pair.client(), pattern(0, 10), 10));
        host.done(send(pair.client(), pattern(10, 20), 20));
        EsHost.assertBadAddress(failed, receiving.next());
        assertEquals(20, receiving.done(receive).length());
        Pattern.check(10, target.buffer(), 0, 20);
    }
}
