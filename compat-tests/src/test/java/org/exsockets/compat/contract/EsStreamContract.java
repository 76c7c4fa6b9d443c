package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetConnectedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.exsockets.api.Event;
import org.exsockets.api.EventQueue;
import org.exsockets.api.ExsMemory;
import org.exsockets.api.ExsServerSocket;
import org.exsockets.api.ExsSocket;
import org.exsockets.api.SocketType;
import org.exsockets.compat.harness.Face;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.PeerJvm;
import org.exsockets.compat.harness.PeerListener;
import org.exsockets.compat.harness.PeerSocket;
import org.exsockets.compat.harness.TestHost;
import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.harness.TruncatedFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A STREAM socket of the ES-API here, an ordinary channel or socket in the peer process. */
@Tag("fallback")
@Tag("esapi")
class EsStreamContract extends EsContract {
    private static final int PIECE = 100_000;

    @Test
    void connectsOverTheTransport() throws Exception {
        EsLink link = connected();
        assertEquals(transport().counter(), link.local().transport());
        assertEquals(link.remote().remoteAddress(), link.local().localAddress());
        assertEquals(link.remote().localAddress(), link.local().remoteAddress());
    }

    @Test
    void acceptsAnOrdinarySocket() throws Exception {
        ExsServerSocket listener = listening(SocketType.STREAM);
        PeerSocket remote =
                peer().connect(Face.NET, TestHost.NAME, listener.localAddress().getPort());
        ExsSocket local = closing(host.accept(listener));
        closing(remote::close);
        assertEquals(transport().counter(), local.transport());
        CompletableFuture<String> written = remote.startWrite(PIECE);
        ExsMemory memory = ExsMemory.allocate(PIECE);
        long operation = local.receive(memory, 0, PIECE, ExsSocket.MSG_WAITALL, host.queue(), null);
        assertEquals(PIECE, host.done(operation).length());
        Pattern.check(0, memory.buffer(), 0, PIECE);
        PeerJvm.await(written);
    }

    @Test
    void manyOutstandingSendsArriveInOrder() throws Exception {
        EsLink link = connected();
        int count = 16;
        CompletableFuture<String> read = link.remote().startRead((long) count * PIECE);
        List<Long> operations = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            operations.add(host.send(link.local(), pattern((long) i * PIECE, PIECE)));
        }
        for (long operation : operations) {
            assertEquals(PIECE, host.done(operation).length());
        }
        PeerJvm.await(read);
    }

    @Test
    void manyOutstandingReceivesAreFilledInOrder() throws Exception {
        EsLink link = connected();
        int count = 16;
        ExsMemory memory = ExsMemory.allocate(count * PIECE);
        List<Long> operations = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            operations.add(link.local().receive(memory, i * PIECE, PIECE, ExsSocket.MSG_WAITALL, host.queue(), i));
        }
        CompletableFuture<String> written = link.remote().startWrite((long) count * PIECE);
        for (int i = 0; i < count; i++) {
            Event event = host.done(operations.get(i));
            assertEquals(PIECE, event.length());
            assertEquals(i, event.context());
            assertSame(link.local(), event.socket());
            assertEquals(Event.Type.RECEIVE, event.type());
        }
        Pattern.check(0, memory.buffer(), 0, count * PIECE);
        PeerJvm.await(written);
    }

    @Test
    void bothDirectionsAtTheSameTime() throws Exception {
        EsLink link = connected();
        CompletableFuture<String> echo = link.remote().startEcho();
        int total = 8 << 20;
        int piece = 1 << 20;
        ExsMemory out = pattern(0, total);
        ExsMemory in = ExsMemory.allocate(total);
        for (int at = 0; at < total; at += piece) {
            link.local().send(out, at, piece, 0, host.queue(), null);
            link.local().receive(in, at, piece, ExsSocket.MSG_WAITALL, host.queue(), null);
        }
        for (int i = 0; i < 2 * total / piece; i++) {
            assertEquals(piece, host.next().length());
        }
        Pattern.check(0, in.buffer(), 0, total);
        link.local().shutdownOutput();
        assertTrue(host.done(host.receive(link.local(), in)).endOfStream());
        PeerJvm.await(echo);
    }

    @Test
    void withoutWaitAllAReceiveEndsWithWhatIsThere() throws Exception {
        EsLink link = connected();
        ExsMemory memory = ExsMemory.allocate(PIECE);
        long operation = host.receive(link.local(), memory);
        link.remote().write(10);
        assertEquals(10, host.done(operation).length());
        Pattern.check(0, memory.buffer(), 0, 10);
    }

    @Test
    void withWaitAllItWaitsForAll() throws Exception {
        EsLink link = connected();
        ExsMemory memory = ExsMemory.allocate(PIECE);
        long operation = link.local().receive(memory, 0, PIECE, ExsSocket.MSG_WAITALL, host.queue(), null);
        for (int i = 0; i < 10; i++) {
            link.remote().write(PIECE / 10);
        }
        assertEquals(PIECE, host.done(operation).length());
        Pattern.check(0, memory.buffer(), 0, PIECE);
    }

    @Test
    void theEndOfTheStreamEndsEveryReceiveWithWhatItHolds() throws Exception {
        EsLink link = connected();
        ExsMemory memory = ExsMemory.allocate(PIECE);
        long first = link.local().receive(memory, 0, 100, ExsSocket.MSG_WAITALL, host.queue(), null);
        long second = link.local().receive(memory, 100, 100, 0, host.queue(), null);
        link.remote().write(70);
        link.remote().shutdownOutput();
        Event event = host.done(first);
        assertEquals(70, event.length());
        assertTrue(event.endOfStream());
        event = host.done(second);
        assertEquals(0, event.length());
        assertTrue(event.endOfStream());
        Pattern.check(0, memory.buffer(), 0, 70);
        // The other direction goes on.
        CompletableFuture<String> read = link.remote().startRead(50);
        host.done(link.local().send(pattern(0, 50), 0, 50, 0, host.queue(), null));
        PeerJvm.await(read);
    }

    @Test
    void shutdownOutputComesBehindTheSendsUnderWay() throws Exception {
        EsLink link = connected();
        int count = 8;
        ExsMemory memory = pattern(0, count << 20);
        for (int i = 0; i < count; i++) {
            link.local().send(memory, i << 20, 1 << 20, 0, host.queue(), null);
        }
        link.local().shutdownOutput();
        assertThrowsA(IOException.class, () -> host.send(link.local(), memory));
        CompletableFuture<String> read = link.remote().startReadToEnd();
        for (int i = 0; i < count; i++) {
            assertEquals(Event.Status.DONE, host.next().status());
        }
        assertEquals((long) count << 20, Long.parseLong(PeerJvm.await(read)));
    }

    @Test
    void aReceiveIsCancelledAndTheNextOneGetsTheBytes() throws Exception {
        EsLink link = connected();
        ExsMemory memory = ExsMemory.allocate(PIECE);
        long first = host.receive(link.local(), memory);
        long second = link.local().receive(memory, 50, 50, 0, host.queue(), null);
        assertTrue(link.local().cancel(first));
        Event event = host.next();
        assertEquals(first, event.operation());
        assertEquals(Event.Status.CANCELLED, event.status());
        assertFalse(link.local().cancel(first));
        link.remote().write(50);
        assertEquals(50, host.done(second).length());
        Pattern.check(0, memory.buffer(), 50, 50);
    }

    @Test
    void aCancelledReceiveWithWaitAllTellsWhatItHolds() throws Exception {
        EsLink link = connected();
        ExsMemory memory = ExsMemory.allocate(PIECE);
        long whole = link.local().receive(memory, 0, 100, ExsSocket.MSG_WAITALL, host.queue(), null);
        link.remote().write(60);
        // The bytes are seen by no event: a second socket's round trip is no proof either. So it is cancelled, and what
        // it does not hold is for the next receive.
        assertTrue(link.local().cancel(whole));
        Event event = host.next();
        assertEquals(Event.Status.CANCELLED, event.status());
        int held = event.length();
        Pattern.check(0, memory.buffer(), 0, held);
        if (held < 60) {
            int rest = 60 - held;
            host.done(link.local().receive(memory, held, rest, ExsSocket.MSG_WAITALL, host.queue(), null));
        }
        Pattern.check(0, memory.buffer(), 0, 60);
    }

    @Test
    void closingEndsWhatIsUnderWayAndResetsTheRestOfWhatWasSent() throws Exception {
        EsLink link = connected();
        ExsMemory memory = pattern(0, 32 << 20);
        long received = host.receive(link.local(), ExsMemory.allocate(100));
        long sent = host.send(link.local(), memory);
        assertThrowsA(IllegalStateException.class, memory::close);
        link.local().close();
        memory.close();
        for (int i = 0; i < 2; i++) {
            Event event = host.next();
            assertEquals(Event.Status.CLOSED, event.status());
            assertTrue(event.operation() == received || event.operation() == sent);
        }
        assertThrowsA(ClosedChannelException.class, () -> host.receive(link.local(), ExsMemory.allocate(1)));
        assertThrowsA(IOException.class, link.remote()::readToEnd);
    }

    @Test
    void closingInOrderLetsThePeerReadToTheEnd() throws Exception {
        EsLink link = connected();
        host.done(host.send(link.local(), pattern(0, PIECE)));
        link.local().close();
        assertEquals(PIECE, link.remote().readToEnd());
    }

    @Test
    void aKilledPeerFailsWhatIsUnderWay() throws Exception {
        try (PeerJvm other = PeerJvm.start()) {
            PeerListener listener = other.listen(Face.NIO);
            PeerSocket remote = listener.accept();
            ExsSocket local = closing(host.connect(SocketType.STREAM, testAddress(listener.port())));
            remote.awaitOpen();
            long first = host.receive(local, ExsMemory.allocate(100));
            long second = host.receive(local, ExsMemory.allocate(100));
            other.kill();
            for (long operation : List.of(first, second)) {
                Event event = host.next();
                assertEquals(operation, event.operation());
                String outcome =
                        event.endOfStream() ? "end of stream" : event.failure().getMessage();
                assertTrue(transport().abruptDeathIs(outcome), outcome);
            }
        }
    }

    @Test
    void nobodyListens() throws Exception {
        ExsSocket socket = closing(ExsSocket.open(SocketType.STREAM));
        long operation = socket.connect(unusedAddress(), 0, host.queue(), "there");
        Event event = host.next();
        assertEquals(operation, event.operation());
        assertEquals(Event.Status.FAILED, event.status());
        assertInstanceOf(ConnectException.class, event.failure());
        assertEquals("there", event.context());
        assertNull(socket.remoteAddress());
    }

    @Test
    void acceptsAreCancelledAndClosed() throws Exception {
        ExsServerSocket listener = listening(SocketType.STREAM);
        long first = listener.accept(host.queue(), null);
        long second = listener.accept(host.queue(), null);
        assertTrue(listener.cancel(first));
        assertEquals(Event.Status.CANCELLED, host.next().status());
        listener.close();
        Event event = host.next();
        assertEquals(second, event.operation());
        assertEquals(Event.Status.CLOSED, event.status());
        assertThrowsA(ClosedChannelException.class, () -> listener.accept(host.queue(), null));
    }

    @Test
    void onlyWhatIsConnectedAndInBoundsIsTaken() throws Exception {
        ExsSocket socket = closing(ExsSocket.open(SocketType.STREAM));
        ExsMemory memory = ExsMemory.allocate(100);
        assertThrowsA(NotYetConnectedException.class, () -> host.receive(socket, memory));
        EsLink link = connected();
        EventQueue queue = host.queue();
        assertThrowsA(IndexOutOfBoundsException.class, () -> link.local().receive(memory, 50, 51, 0, queue, null));
        assertThrowsA(IllegalArgumentException.class, () -> link.local().receive(memory, 0, 0, 0, queue, null));
        assertThrowsA(IllegalArgumentException.class, () -> link.local().receive(memory, 0, 1, 8, queue, null));
        assertThrowsA(IllegalArgumentException.class, () -> ExsMemory.register(ByteBuffer.allocate(8)));
        memory.close();
        assertThrowsA(IllegalStateException.class, () -> host.receive(link.local(), memory));
        assertThrowsA(UnsupportedOperationException.class, () -> link.local().export(memory, 0, 1));
    }

    @Test
    void registeredMemoryOfTheProgramServesAsWell() throws Exception {
        EsLink link = connected();
        ByteBuffer own = ByteBuffer.allocateDirect(PIECE + 1).position(1).slice();
        ExsMemory memory = ExsMemory.register(own);
        long operation = link.local().receive(memory, 0, PIECE, ExsSocket.MSG_WAITALL, host.queue(), null);
        link.remote().write(PIECE);
        assertEquals(PIECE, host.done(operation).length());
        Pattern.check(0, own.duplicate().clear());
        memory.close();
    }

    @Test
    void aDeletedQueueWithASendHalfUnderWayResetsTheConnection() throws Exception {
        EsLink link = connected();
        EsHost doomed = new EsHost();
        long received = host.receive(link.local(), ExsMemory.allocate(10));
        doomed.send(link.local(), pattern(0, 32 << 20));
        doomed.close();
        Event event = host.next();
        assertEquals(received, event.operation());
        assertEquals(Event.Status.FAILED, event.status());
        assertEquals(0, host.queue().dequeue(Event.array(1), 10, TimeUnit.MILLISECONDS)); // Lets go of a TCP channel.
        assertThrowsA(IOException.class, link.remote()::readToEnd);
        for (int i = 0; i < 2; i++) {
            host.send(link.local(), ExsMemory.allocate(10));
            assertEquals(Event.Status.FAILED, host.next().status());
            host.receive(link.local(), ExsMemory.allocate(10));
            assertEquals(Event.Status.FAILED, host.next().status());
        }
        link.local().shutdownOutput();
        link.local().close();
    }

    @Test
    void aDeletedQueueWithAReceivePartlyFilledResetsTheConnection() throws Exception {
        EsLink link = connected();
        EsHost doomed = new EsHost();
        ExsMemory memory = ExsMemory.allocate(100);
        link.local().receive(memory, 0, 100, ExsSocket.MSG_WAITALL, doomed.queue(), null);
        link.remote().write(60);
        await("bytes in a receive", () -> {
            link.local().cancel(Long.MAX_VALUE); // Moves on what has come.
            return memory.buffer().get(59) != 0;
        });
        doomed.close();
        memory.close();
        assertEquals(0, host.queue().dequeue(Event.array(1), 10, TimeUnit.MILLISECONDS));
        assertThrowsA(IOException.class, link.remote()::readToEnd);
        host.receive(link.local(), ExsMemory.allocate(10));
        Event event = host.next();
        assertEquals(Event.Status.FAILED, event.status());
        assertFalse(event.endOfStream());
    }

    @Test
    void theEndOfTheStreamFollowsWhenTheQueueOfTheLastSendIsDeleted() throws Exception {
        EsLink link = connected();
        long filling = host.send(link.local(), pattern(0, 32 << 20));
        assertTrue(link.local().cancel(filling));
        long written = host.next().length();
        EsHost doomed = new EsHost();
        doomed.send(link.local(), ExsMemory.allocate(10));
        // Room of its own accord may have let it pass.
        boolean waits = doomed.queue().dequeue(Event.array(1), 0, TimeUnit.NANOSECONDS) == 0;
        link.local().shutdownOutput();
        doomed.close();
        CompletableFuture<String> read = link.remote().startReadToEnd();
        if (waits) {
            assertEquals(written, Long.parseLong(PeerJvm.await(read)));
        }
    }

    /** Over TCP, too: the peer has no EXS then. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatHasArrivedIsReceivedThoughThereIsNobodyToSendTo(boolean withoutExs) throws Exception {
        EsLink link = withoutExs ? connected(closing(PeerJvm.start(List.of("-Xmx256m")))) : connected();
        ExsMemory memory = ExsMemory.allocate(1_000);
        long first = link.local().receive(memory, 0, 60, ExsSocket.MSG_WAITALL, host.queue(), null);
        long second = link.local().receive(memory, 60, 900, ExsSocket.MSG_WAITALL, host.queue(), null);
        link.remote().write(100);
        link.remote().close();
        EsHost sending = closing(new EsHost());
        Event sent;
        do {
            sending.send(link.local(), ExsMemory.allocate(10));
            sent = sending.next();
        } while (sent.status() == Event.Status.DONE);
        assertEquals("Broken pipe", sent.failure().getMessage());
        assertEquals(60, host.done(first).length());
        Event event = host.done(second);
        assertEquals(40, event.length());
        assertTrue(event.endOfStream());
        Pattern.check(0, memory.buffer(), 0, 100);
        assertTrue(host.done(host.receive(link.local(), memory)).endOfStream());
        sending.send(link.local(), ExsMemory.allocate(10));
        assertEquals(Event.Status.FAILED, sending.next().status());
    }

    // Memory that fails.

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5_000, 300_000})
    void aSendOfMemoryThatIsNotThereFailsAlone(int good) throws Exception {
        EsLink link = connected();
        int total = good + PIECE;
        CompletableFuture<String> read = link.remote().startRead(total);
        MappedByteBuffer failing = TruncatedFile.map(good, PIECE);
        long operation = link.local()
                .send(ExsMemory.register(failing), failing.position(), failing.remaining(), 0, host.queue(), null);
        Event event = host.next();
        EsHost.assertBadAddress(operation, event);
        int sent = event.length();
        assertTrue(sent <= good, "sent=" + sent);
        host.done(host.send(link.local(), pattern(sent, total - sent)));
        PeerJvm.await(read);
        CompletableFuture<String> echo = link.remote().startEcho();
        host.done(host.send(link.local(), pattern(0, 10)));
        ExsMemory answer = ExsMemory.allocate(10);
        host.done(link.local().receive(answer, 0, 10, ExsSocket.MSG_WAITALL, host.queue(), null));
        Pattern.check(0, answer.buffer(), 0, 10);
        link.local().shutdownOutput();
        PeerJvm.await(echo);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5_000, 60_000})
    void aReceiveIntoMemoryThatIsNotThereFailsAlone(int good) throws Exception {
        EsLink link = connected();
        MappedByteBuffer failing = TruncatedFile.map(good, 2 * PIECE);
        int first = failing.position();
        long operation = link.local()
                .receive(
                        ExsMemory.register(failing),
                        first,
                        failing.remaining(),
                        ExsSocket.MSG_WAITALL,
                        host.queue(),
                        null);
        int total = good + PIECE;
        CompletableFuture<String> written = link.remote().startWrite(total);
        Event event = host.next();
        EsHost.assertBadAddress(operation, event);
        int received = event.length();
        assertTrue(received <= good, "received=" + received);
        Pattern.check(0, failing.limit(first + received));
        ExsMemory rest = ExsMemory.allocate(total - received);
        host.done(link.local().receive(rest, 0, rest.length(), ExsSocket.MSG_WAITALL, host.queue(), null));
        Pattern.check(received, rest.buffer(), 0, rest.length());
        PeerJvm.await(written);
        CompletableFuture<String> read = link.remote().startRead(10);
        host.done(host.send(link.local(), pattern(0, 10)));
        PeerJvm.await(read);
    }

    @Test
    void anArenaCannotBeClosedWhileItsMemoryIsRegistered() throws Exception {
        assumeTrue(Arenas.present(), "no arenas");
        AutoCloseable arena = Arenas.shared();
        ExsMemory memory = ExsMemory.register(Arenas.allocate(arena, 100));
        assertThrowsA(IllegalStateException.class, arena::close);
        memory.close();
        memory.close();
        arena.close();
        assertThrowsA(IllegalStateException.class, () -> ExsMemory.register(Arenas.confined()));
        assertThrowsA(IllegalStateException.class, () -> ExsMemory.register(Arenas.closed()));
    }

    private EsLink connected(PeerJvm other) throws Exception {
        PeerListener listener = other.listen(Face.NIO);
        PeerSocket remote = listener.accept();
        ExsSocket local = closing(host.connect(SocketType.STREAM, testAddress(listener.port())));
        return new EsLink(local, remote.awaitOpen());
    }

    @Test
    void withoutExsThePeerIsReachedOverTcpUnlessExsIsDemanded() throws Exception {
        try (PeerJvm plain = PeerJvm.start(List.of("-Xmx256m"))) {
            PeerListener listener = plain.listen(Face.NIO);
            ExsSocket demanding = closing(ExsSocket.open(SocketType.STREAM));
            demanding.connect(testAddress(listener.port()), ExsSocket.EXS_ONLY, host.queue(), null);
            Event event = host.next();
            assertEquals(Event.Status.FAILED, event.status());
            assertEquals(
                    "org.exsockets.api.ExsUnavailableException",
                    event.failure().getClass().getName());
            PeerSocket remote = listener.accept();
            ExsSocket local = closing(host.connect(SocketType.STREAM, testAddress(listener.port())));
            remote.awaitOpen();
            assertEquals(Transport.TCP.counter(), local.transport());
            CompletableFuture<String> echo = remote.startEcho();
            ExsMemory in = ExsMemory.allocate(4 << 20);
            local.send(pattern(0, 4 << 20), 0, 4 << 20, 0, host.queue(), null);
            local.receive(in, 0, 4 << 20, ExsSocket.MSG_WAITALL, host.queue(), null);
            assertEquals(4 << 20, host.next().length());
            assertEquals(4 << 20, host.next().length());
            Pattern.check(0, in.buffer(), 0, 4 << 20);
            local.shutdownOutput();
            assertTrue(host.done(host.receive(local, in)).endOfStream());
            assertNotNull(PeerJvm.await(echo));
        }
    }
}
