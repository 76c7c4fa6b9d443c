package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.exsockets.api.Event;
import org.exsockets.api.EventQueue;
import org.exsockets.api.ExsMemory;
import org.exsockets.api.ExsServerSocket;
import org.exsockets.api.ExsSocket;
import org.exsockets.api.SocketType;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Face;
import org.exsockets.compat.harness.PeerJvm;
import org.exsockets.compat.harness.PeerListener;
import org.exsockets.compat.harness.PeerSocket;
import org.exsockets.compat.harness.TestHost;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Event queues of the ES-API over STREAM sockets, whose peers are channels of another process. */
@Tag("fallback")
@Tag("esapi")
class EventQueueContract extends EsContract {
    @Test
    void severalEventsAreTakenAtOnce() throws Exception {
        EsLink link = connected();
        ExsMemory memory = ExsMemory.allocate(1000);
        for (int i = 0; i < 10; i++) {
            link.local().receive(memory, i * 100, 100, ExsSocket.MSG_WAITALL, host.queue(), null);
        }
        link.remote().write(1000);
        Event[] batch = Event.array(4);
        int taken = 0;
        long last = 0;
        while (taken < 10) {
            int n = host.queue().dequeue(batch);
            for (int i = 0; i < n; i++) {
                assertTrue(batch[i].operation() > last);
                last = batch[i].operation();
            }
            taken += n;
        }
        assertEquals(10, taken);
        assertEquals(0, host.queue().dequeue(batch, 0, TimeUnit.NANOSECONDS));
    }

    @Test
    void aWaitEndsWhenItsTimeIsOver() throws Exception {
        EsLink link = connected();
        host.receive(link.local(), ExsMemory.allocate(10));
        long startNs = System.nanoTime();
        assertEquals(0, host.queue().dequeue(Event.array(1), 50, TimeUnit.MILLISECONDS));
        assertTrue(System.nanoTime() - startNs >= 50_000_000);
    }

    @Test
    void aSleepingThreadIsWokenByAnArrivalByAnotherThreadsSendAndByInterruption() throws Exception {
        EsLink link = connected();
        long received = host.receive(link.local(), ExsMemory.allocate(10));
        Background<Long> waiting = Background.start(() -> host.next().operation());
        waiting.awaitBlockedIn("dequeue");
        link.remote().write(10);
        assertEquals(received, waiting.result());

        Background<Long> second = Background.start(() -> host.next().operation());
        second.awaitBlockedIn("dequeue");
        long sent = host.send(link.local(), ExsMemory.allocate(10));
        assertEquals(sent, second.result());

        Background<Long> third = Background.start(() -> host.next().operation());
        third.awaitBlockedIn("dequeue");
        third.thread().interrupt();
        assertEquals(InterruptedException.class, third.thrown().getClass());
    }

    @Test
    void oneQueueServesManySocketsAndAListener() throws Exception {
        ExsServerSocket listener = listening(SocketType.STREAM);
        listener.accept(host.queue(), "listener");
        List<EsLink> links = new ArrayList<>();
        // The accept is still under way, so an event may be its own.
        try (EsHost connecting = new EsHost()) {
            for (int i = 0; i < 8; i++) {
                links.add(connected(connecting));
            }
        }
        ExsMemory memory = ExsMemory.allocate(100);
        for (int i = 0; i < links.size(); i++) {
            links.get(i).local().receive(memory, i, 1, 0, host.queue(), i);
        }
        for (int i = links.size() - 1; i >= 0; i--) {
            links.get(i).remote().write(1);
            assertEquals(i, host.next().context());
        }
        PeerSocket client =
                peer().connect(Face.NET, TestHost.NAME, listener.localAddress().getPort());
        closing(client::close);
        Event event = host.next();
        assertEquals("listener", event.context());
        closing(event.accepted());
    }

    @Test
    void eachOperationNamesItsQueue() throws Exception {
        EsLink link = connected();
        EsHost other = closing(new EsHost());
        long received = host.receive(link.local(), ExsMemory.allocate(10));
        Background<Long> waiting = Background.start(() -> host.next().operation());
        long sent = other.send(link.local(), ExsMemory.allocate(10));
        assertEquals(sent, other.next().operation());
        waiting.awaitBlockedIn("dequeue");
        link.remote().write(10);
        assertEquals(received, waiting.result());
    }

    @Test
    void aFullQueueRefusesFurtherOperations() throws Exception {
        EsLink link = connected();
        EsHost small = closing(new EsHost(2));
        ExsMemory memory = ExsMemory.allocate(10);
        small.receive(link.local(), memory);
        small.receive(link.local(), memory);
        assertThrowsA(IllegalStateException.class, () -> small.receive(link.local(), memory));
        link.remote().write(1);
        small.next();
        small.receive(link.local(), memory);
    }

    @Test
    void aDeletedQueueLetsGoOfMemoryAndItsSocketsGoOn() throws Exception {
        EsLink link = connected();
        EsHost doomed = new EsHost();
        ExsMemory memory = ExsMemory.allocate(10);
        doomed.receive(link.local(), memory);
        assertThrowsA(IllegalStateException.class, memory::close);
        doomed.close();
        memory.close();
        assertThrowsA(IllegalStateException.class, () -> doomed.queue().dequeue(Event.array(1)));
        assertThrowsA(IllegalStateException.class, () -> doomed.receive(link.local(), ExsMemory.allocate(1)));
        long received = host.receive(link.local(), ExsMemory.allocate(10));
        link.remote().write(10);
        assertEquals(10, host.done(received).length());
    }

    @Test
    void aThreadThatWaitsIsToldOfTheDeletion() throws Exception {
        connected();
        Background<Long> waiting = Background.start(() -> host.next().operation());
        waiting.awaitBlockedIn("dequeue");
        host.close();
        assertEquals(IllegalStateException.class, waiting.thrown().getClass());
    }

    @Test
    void aSelectorReturnsForEventsAndForChannels() throws Exception {
        EsLink link = connected();
        ChannelLink other = connectedChannel();
        Selector selector = closing(Selector.open());
        SelectionKey key = register(other.local(), selector, SelectionKey.OP_READ);
        for (int round = 0; round < 20; round++) {
            long received = host.receive(link.local(), ExsMemory.allocate(10));
            host.queue().notifyOnce(selector::wakeup);
            Background<Integer> selecting = Background.start(selector::select);
            if (round % 2 == 0) {
                selecting.awaitBlockedIn("select");
            }
            link.remote().write(10);
            assertEquals(0, selecting.result());
            assertEquals(received, host.next().operation());

            Background<Integer> again = Background.start(selector::select);
            other.remote().write(5);
            assertEquals(1, again.result());
            selector.selectedKeys().clear();
            assertTrue(key.isReadable());
            assertEquals(5, other.local().read(ByteBuffer.allocate(5)));
        }
    }

    @Test
    void aNotificationComesAtOnceIfThereIsAnEventAndOnlyOnce() throws Exception {
        EsLink link = connected();
        AtomicInteger calls = new AtomicInteger();
        host.send(link.local(), ExsMemory.allocate(10));
        host.queue().notifyOnce(calls::incrementAndGet);
        await("the first notification", () -> calls.get() == 1);
        host.next();
        host.receive(link.local(), ExsMemory.allocate(10));
        host.receive(link.local(), ExsMemory.allocate(10));
        host.queue().notifyOnce(calls::incrementAndGet);
        link.remote().write(5);
        await("the second notification", () -> calls.get() == 2);
        link.remote().write(5);
        host.next();
        host.next();
        assertEquals(2, calls.get());
    }

    /** A send may be told to wait for the peer to advertise memory: only by who comes back without being woken. */
    @Test
    void aLargeSendIsOnItsWayThoughTheThreadThatDequeuesSleeps() throws Exception {
        ExsServerSocket listener = listening(SocketType.STREAM);
        ExsSocket local = closing(host.connect(SocketType.STREAM, listener.localAddress()));
        EsHost there = closing(new EsHost());
        ExsSocket remote = closing(there.accept(listener));
        ExsMemory large = ExsMemory.allocate(1 << 20);
        long whole = remote.receive(large, 0, 1 << 20, ExsSocket.MSG_WAITALL, there.queue(), null);
        host.send(local, ExsMemory.allocate(1 << 20));
        there.done(whole);
        host.next();
        host.receive(local, ExsMemory.allocate(8));
        Background<Long> waiting = Background.start(() -> host.next().operation());
        waiting.awaitBlockedIn("select");
        long received = there.receive(remote, ExsMemory.allocate(8));
        long sent = host.send(local, ExsMemory.allocate(128 * 1024));
        assertEquals(8, there.done(received).length());
        assertEquals(sent, waiting.result());
    }

    @Test
    void aListenerIsWatchedAgainThoughOneOfItsChannelsIsStill() throws Exception {
        ExsServerSocket listener = listening(SocketType.STREAM);
        for (int round = 0; round < 3; round++) {
            listener.accept(host.queue(), null);
            AtomicInteger calls = new AtomicInteger();
            host.queue().notifyOnce(calls::incrementAndGet);
            PeerSocket client = peer().connect(
                            Face.NIO, TestHost.NAME, listener.localAddress().getPort());
            closing(client::close);
            await("a notification of connection " + round, () -> calls.get() == 1);
            closing(host.next().accepted());
        }
    }

    /** The peer has no EXS. */
    @Test
    void overTcpASendThatBeginsToWaitIsWatchedForBesideAReceive() throws Exception {
        PeerJvm plain = closing(PeerJvm.start(List.of("-Xmx256m")));
        PeerListener there = plain.listen(Face.NIO);
        PeerSocket remote = there.accept();
        ExsSocket local = closing(host.connect(SocketType.STREAM, testAddress(there.port())));
        remote.awaitOpen();
        host.receive(local, ExsMemory.allocate(10));
        AtomicInteger calls = new AtomicInteger();
        host.queue().notifyOnce(() -> {});
        int length = 32 << 20;
        long sent = host.send(local, pattern(0, length));
        host.queue().notifyOnce(calls::incrementAndGet);
        remote.read(length);
        await("a notification of the send", () -> calls.get() == 1);
        assertEquals(length, host.done(sent).length());
    }

    @Test
    void aConnectionAcceptedIntoAQueueThatIsDeletedIsClosed() throws Exception {
        ExsServerSocket listener = listening(SocketType.STREAM);
        EsHost doomed = new EsHost();
        listener.accept(doomed.queue(), null);
        AtomicInteger calls = new AtomicInteger();
        doomed.queue().notifyOnce(calls::incrementAndGet);
        PeerSocket remote =
                peer().connect(Face.NIO, TestHost.NAME, listener.localAddress().getPort());
        closing(remote::close);
        remote.awaitOpen();
        await("the connection", () -> calls.get() == 1);
        CompletableFuture<String> read = remote.startReadToEnd();
        doomed.close();
        assertEquals("0", PeerJvm.await(read));
    }

    @Test
    void theQueueIsTheOneOfTheApi() {
        EventQueue foreign = new EventQueue() {
            @Override
            public int dequeue(Event[] into, long timeout, TimeUnit unit) {
                return 0;
            }

            @Override
            public void notifyOnce(Runnable callback) {
                callback.run();
            }

            @Override
            public void close() {
                // Nothing is open.
            }
        };
        ExsSocket socket = ExsSocket.open(SocketType.STREAM);
        assertThrowsA(IllegalArgumentException.class, () -> socket.connect(testAddress(1), 0, foreign, null));
        socket.close();
        assertThrowsA(IllegalArgumentException.class, () -> EventQueue.create(0));
    }
}
