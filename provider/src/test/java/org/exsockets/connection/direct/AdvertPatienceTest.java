package org.exsockets.connection.direct;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import org.exsockets.connection.ConnectedEndpoints;
import org.exsockets.stream.StreamEngine;
import org.exsockets.stream.direct.Receive;
import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.ProgramMemory;
import org.exsockets.verbs.soft.SoftDevice;
import org.exsockets.verbs.soft.SoftDevices;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which writes wait for an ADVERT, and that a wait ends. */
class AdvertPatienceTest {
    private static final EndpointParameters PARAMETERS = new EndpointParameters(4096, 16, 1, 1);
    private static final int LARGE = DirectReadPolicy.MIN_POSTED_BYTES;

    private ConnectedEndpoints ends;
    private StreamEngine writer;
    private StreamEngine reader;
    private ByteBuffer memory;
    private ProgramMemory registration;
    private final Receive receive = new Receive();
    private AdvertPatience patience;

    @BeforeEach
    void connect() throws Exception {
        SoftDevice device = SoftDevices.open();
        ends = ConnectedEndpoints.onLoopback(device, PARAMETERS);
        writer = new StreamEngine(ends.connected());
        reader = new StreamEngine(ends.accepted());
        memory = device.programAllocator().allocate(LARGE);
        registration = ends.accepted().direct().lease(memory, 0, LARGE);
        assumeTrue(registration != null && registration.advertisable(memory, 0, LARGE) == LARGE, "no native library");
        patience = new AdvertPatience(writer.outgoing);
    }

    @AfterEach
    void close() {
        ends.connected().queuePair().disconnect(DisconnectReason.ABORT, 0);
        ends.accepted().queuePair().disconnect(DisconnectReason.ABORT, 0);
        ends.connected().release();
        ends.accepted().release();
    }

    private void advertise() {
        reader.post(receive.into(memory, 0, LARGE, true, registration));
        writer.progress();
        assertTrue(writer.outgoing.direct.hasAdverts());
    }

    private void use() {
        assertEquals(LARGE, writer.outgoing.trySend(ByteBuffer.allocate(LARGE)));
        reader.progress();
        assertTrue(receive.isDone());
        assertFalse(writer.outgoing.direct.hasAdverts());
    }

    private void awaitEnd() {
        while (patience.tryWait(LARGE)) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aPeerThatHasNeverAdvertisedIsNotWaitedFor() {
        assertFalse(patience.tryWait(LARGE));
        assertFalse(patience.tryWait(LARGE));
    }

    @Test
    void whileThereIsAnAdvertNobodyWaits() {
        advertise();
        assertFalse(patience.tryWait(LARGE));
    }

    @Test
    void aPeerThatHasAdvertisedIsWaitedForByLargeWrites() {
        advertise();
        use();
        assertFalse(patience.tryWait(LARGE - 1));
        assertTrue(patience.tryWait(LARGE));
        advertise();
        assertFalse(patience.tryWait(LARGE), "it is there");
        use();
        assertTrue(patience.tryWait(LARGE), "it paid");
    }

    @Test
    void aWaitInVainEndsAndNobodyWaitsUntilThePeerAdvertisesAgain() {
        advertise();
        use();
        assertTrue(patience.tryWait(LARGE));
        awaitEnd();
        assertFalse(patience.tryWait(LARGE));
        advertise();
        use();
        assertFalse(patience.tryWait(LARGE), "the last wait was in vain");
        assertTrue(patience.tryWait(LARGE));
    }

    @Test
    void whoDoesNotWaitAnyMoreGivesUpAsIfItHadBeenInVain() {
        advertise();
        use();
        patience.giveUp();
        assertTrue(patience.tryWait(LARGE), "nobody has waited");
        patience.giveUp();
        assertFalse(patience.tryWait(LARGE));
        assertFalse(patience.tryWait(LARGE));
    }

    @Test
    void whenAdvertsAreUsedAgainTheNextLargeWriteWaits() {
        advertise();
        use();
        assertTrue(patience.tryWait(LARGE));
        patience.giveUp();
        assertFalse(patience.tryWait(LARGE));
        patience.again();
        assertTrue(patience.tryWait(LARGE));
    }
}
