package org.exsockets.verbs.soft.meet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import org.exsockets.verbs.ConnectFailure;
import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.soft.SoftDevice;
import org.exsockets.verbs.soft.SoftDevices;
import org.exsockets.verbs.soft.host.MachineMemory;
import org.exsockets.verbs.soft.host.SystemFailure;
import org.exsockets.verbs.soft.host.UnixSockets;
import org.exsockets.verbs.soft.layout.HelloDescriptor;
import org.exsockets.verbs.soft.shared.PeerMappings;
import org.exsockets.verbs.soft.shared.Segment;
import org.exsockets.verbs.soft.shared.SegmentCache;
import org.exsockets.verbs.soft.shared.SharedBudget;
import org.junit.jupiter.api.Test;

/** A process that can map no further segment: who has connected waits, as in TCP's backlog, and later ones need not. */
class FullListenerTest extends OwnListenerFixture {
    private static final EndpointParameters PARAMETERS = new EndpointParameters(4096, 4096, 8, 1, 1);

    private static final long LIMIT = 10 * Segment.USUAL_BYTES;

    private SoftDevice clients;
    private boolean full;

    FullListenerTest() {
        super(PARAMETERS);
    }

    @Override
    SoftListener listen() throws IOException {
        clients = SoftDevices.open();
        SharedBudget budget = new SharedBudget(new MachineMemory(), LIMIT);
        SegmentCache cache = new SegmentCache(new PeerMappings<>(Integer.MAX_VALUE), budget) {
            @Override
            public Segment map(HelloDescriptor.Hello hello, int descriptor, int process, boolean sharesProcess)
                    throws IOException {
                if (full) {
                    throw SystemFailure.of(-SystemFailure.NO_MEMORY);
                }
                return super.map(hello, descriptor, process, sharesProcess);
            }
        };
        OwnEnds ends = new OwnEnds(budget, UnixSockets.effectiveUser(), SoftDevices.NO_OTHERS, cache);
        return new SoftListener(ends, address(), false, 50, PARAMETERS, new LocalAddresses());
    }

    private void assertFull() {
        IOException none = assertThrows(IOException.class, listener::tryAccept);
        assertEquals("Cannot allocate memory", none.getMessage(), "as over TCP");
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
    void ofThoseWhoDoNotKnowTheListenerOneMayWait() throws Exception {
        full = true;
        connect(clients);
        assertFull();
        connect(SoftDevices.open());
        for (int i = 0; i < 2; i++) {
            assertEquals(ConnectFailure.Kind.BACKLOG_FULL, failure(SoftDevices.open()));
            assertFull();
        }
        full = false;
        accept();
        connect(SoftDevices.open());
        for (int i = 0; i < 2; i++) {
            accept();
        }
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
