package org.exsockets.verbs.soft.meet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.Semaphore;
import org.exsockets.verbs.ConnectFailure;
import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.soft.SoftDevice;
import org.exsockets.verbs.soft.SoftDevices;
import org.exsockets.verbs.soft.host.MachineMemory;
import org.exsockets.verbs.soft.host.SystemFailure;
import org.exsockets.verbs.soft.layout.HelloDescriptor;
import org.exsockets.verbs.soft.shared.PeerMappings;
import org.exsockets.verbs.soft.shared.Segment;
import org.exsockets.verbs.soft.shared.SegmentCache;
import org.exsockets.verbs.soft.shared.SharedBudget;
import org.exsockets.waiting.ProgressThread;
import org.junit.jupiter.api.Test;

/** A process that can map no further segment: who has connected waits, as in TCP's backlog, and later ones need not. */
class FullListenerTest extends OwnListenerFixture {
    private static final EndpointParameters PARAMETERS = new EndpointParameters(4096, 4096, 8, 1, 1);

    private static final long LIMIT = 10 * Segment.USUAL_BYTES;

    private SoftDevice clients;
    private volatile boolean full;
    private volatile SystemFailure lack = SystemFailure.of(-SystemFailure.NO_MEMORY);

    FullListenerTest() {
        super(PARAMETERS);
    }

    @Override
    SoftListener listen() throws IOException {
        clients = SoftDevices.open();
        SharedBudget budget = new SharedBudget(new MachineMemory(), LIMIT);
        SegmentCache cache = new SegmentCache(new PeerMappings<>(Integer.MAX_VALUE), budget) {
            @Override
            public Segment map(
                    HelloDescriptor.Hello hello, int processId, int descriptor, int process, boolean sharesProcess)
                    throws IOException {
                if (full) {
                    throw lack;
                }
                return super.map(hello, processId, descriptor, process, sharesProcess);
            }
        };
        OwnEnds ends = new OwnEnds(budget, SoftDevices.onlyOwn(), cache);
        return new SoftListener(ends, address(), false, 50, PARAMETERS, new LocalAddresses());
    }

    private void assertFull() throws IOException {
        assertNull(listener.tryAccept());
        assertFalse(listener.hasLate(), "over TCP there is no such want: the program is told when there is room");
    }

    @Test
    void whoComesWhileOneWaitsForRoomIsToldBefore() throws Exception {
        Endpoint first = connect(clients);
        Endpoint firstAccepted = accept();
        first.queuePair().disconnect(DisconnectReason.ORDERLY, 0);
        first.release(); // From here on the client knows the listener.
        endpoints.remove(first);
        full = true;
        connect(SoftDevices.open());
        for (int i = 0; i < 2; i++) {
            assertFull();
            assertEquals(ConnectFailure.Kind.PEER_EXHAUSTED, failure(clients));
        }
        full = false;
        accept();
        connect(clients);
        accept();
        assertNotNull(firstAccepted);
    }

    @Test
    void thoseWhoDoNotKnowTheListenerWaitAndHoldUpNobody() throws Exception {
        connect(clients);
        accept();
        endAll();
        Endpoint early = connect(clients); // Its segment is mapped already.
        endpoints.remove(early);
        full = true;
        for (int i = 0; i < 2; i++) {
            connect(SoftDevices.open());
        }
        endpoints.add(early);
        accept();
        assertFull();
        connect(SoftDevices.open());
        assertFull();
        full = false;
        for (int i = 0; i < 3; i++) {
            accept();
        }
        assertNull(listener.tryAccept());
    }

    /** Over TCP this want is told, too. */
    @Test
    void whereDescriptorsAreMissingAcceptFails() throws Exception {
        lack = SystemFailure.of(-24);
        full = true;
        connect(clients);
        for (int i = 0; i < 2; i++) {
            IOException none = assertThrows(IOException.class, listener::tryAccept);
            assertEquals("Too many open files", none.getMessage());
            assertTrue(listener.hasLate());
        }
        full = false;
        accept();
        assertFalse(listener.hasLate());
    }

    /** A blocked accept is told by the background thread. */
    @Test
    void whoWaitsIsTriedAgainWithoutAnAccept() throws Exception {
        Semaphore told = new Semaphore(0);
        listener.attend(ProgressThread.background(), told::release);
        full = true;
        connect(clients);
        assertFull();
        full = false;
        told.acquire();
        assertTrue(listener.hasLate());
        accept();
    }

    @Test
    void whoLeavesWhileItWaitsIsAcceptedAllTheSame() throws Exception {
        full = true;
        Endpoint gone = connect(clients);
        assertFull();
        gone.queuePair().disconnect(DisconnectReason.ORDERLY, 0);
        full = false;
        assertEquals(DisconnectReason.ORDERLY, accept().queuePair().peerReason());
    }
}
