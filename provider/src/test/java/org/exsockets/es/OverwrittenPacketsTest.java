package org.exsockets.es;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.exsockets.api.Event;
import org.exsockets.api.EventQueue;
import org.exsockets.api.ExsMemory;
import org.exsockets.connection.ConnectedEndpoints;
import org.exsockets.connection.LiveConnections;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.soft.SoftDevices;
import org.exsockets.verbs.soft.ring.SharedWords;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Something writes over the memory that both ends of a connection of packets share, while a thread waits for events.
 * Without a look the tests do not end. The background thread is kept from looking.
 */
class OverwrittenPacketsTest {
    private static final EndpointParameters PARAMETERS = new EndpointParameters(64 << 10, 64 << 10, 16, 1, 1);
    private static final int LENGTH = 4096;

    private final EsApi api = new EsApi();
    private PacketSocket a;
    private PacketSocket b;
    private SharedWords shared;
    private EventQueue ofA;
    private EventQueue ofB;
    private ExsMemory memory;

    @BeforeEach
    void connect() throws Exception {
        ConnectedEndpoints ends = ConnectedEndpoints.onLoopback(SoftDevices.open(), PARAMETERS);
        shared = new SharedWords(ends.connected());
        a = new PacketSocket(ends.connected());
        b = new PacketSocket(ends.accepted());
        LiveConnections.remove(a);
        LiveConnections.remove(b);
        ofA = api.createQueue(10);
        ofB = api.createQueue(10);
        memory = api.allocate(LENGTH);
    }

    @AfterEach
    void close() throws Exception {
        a.close();
        b.close();
        ofA.close();
        ofB.close();
    }

    private CompletableFuture<Event> dequeueSleeping() throws InterruptedException {
        CompletableFuture<Event> first = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                Event[] events = api.events(1);
                ofB.dequeue(events, -1, TimeUnit.SECONDS);
                first.complete(events[0]);
            } catch (InterruptedException | RuntimeException e) {
                first.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        while (!shared.isArmed(false)) {
            Thread.sleep(1);
        }
        return first;
    }

    private void lookUntil(CompletableFuture<Event> there) throws InterruptedException {
        while (!there.isDone()) {
            a.lookForLosses();
            b.lookForLosses();
            ofA.dequeue(api.events(1), 10, TimeUnit.MILLISECONDS);
        }
    }

    @Test
    void aPacketIsDeliveredThoughNobodyWasWoken() throws Exception {
        b.receive(memory, 0, LENGTH, 0, ofB, null);
        CompletableFuture<Event> first = dequeueSleeping();
        shared.wipeSleep(false);
        a.send(memory, 0, 100, 0, ofA, null);
        lookUntil(first);
        assertEquals(Event.Status.DONE, first.get().status());
    }

    @Test
    void aLostMessageIsAReset() throws Exception {
        a.receive(memory, 0, LENGTH, 0, ofA, null); // Its ADVERT is a message.
        b.receive(memory, 0, LENGTH, 0, ofB, null);
        assertTrue(shared.header(false, 0) != 0, "the ADVERT is there");
        shared.header(false, 0, 0);
        CompletableFuture<Event> first = dequeueSleeping();
        lookUntil(first);
        assertEquals(Event.Status.FAILED, first.get().status());
    }
}
