package org.exsockets.verbs.soft.meet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.exsockets.verbs.ConnectFailure.Kind;
import org.exsockets.verbs.DeviceOptions;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.MoreRoom;
import org.exsockets.verbs.soft.SoftDevice;
import org.exsockets.verbs.soft.SoftDevices;
import org.exsockets.verbs.soft.host.MachineMemory;
import org.exsockets.verbs.soft.host.NativeMemory;
import org.exsockets.verbs.soft.host.OpenDescriptors;
import org.exsockets.verbs.soft.host.SpareMemory;
import org.exsockets.verbs.soft.layout.ProcessDescriptor;
import org.exsockets.verbs.soft.layout.SegmentDescriptor;
import org.exsockets.verbs.soft.shared.Segment;
import org.exsockets.verbs.soft.shared.SharedBudget;
import org.junit.jupiter.api.Test;

/** What a process shares is counted, and {@code exs.memory} bounds it: at either end of a connection the next one is TCP. */
class SharedBudgetTest extends OwnListenerFixture {
    private static final int REGION = 64 << 10;
    private static final EndpointParameters PARAMETERS = new EndpointParameters(REGION, 4 * REGION, 8, 1, 1);
    private static final long USUAL = Segment.USUAL_BYTES;
    private static final long FEW = 3;
    private static final long PAGE = 4096;

    private SoftDevice clients;
    private SoftDevice servers;

    SharedBudgetTest() {
        super(PARAMETERS);
    }

    @Override
    SoftListener listen() throws IOException {
        clients = device(FEW * USUAL);
        servers = device(FEW * USUAL);
        return listener(servers);
    }

    private static SoftDevice device(long limitBytes) throws IOException {
        return SoftDevices.open(new SharedBudget(new SpareMemory(Long.MAX_VALUE), limitBytes));
    }

    private SoftListener listener(SoftDevice of) throws IOException {
        return (SoftListener) of.listen(address(), false, 50, PARAMETERS);
    }

    private static MoreRoom.Shared shared(Endpoint end) {
        return (MoreRoom.Shared) end.moreRoom();
    }

    private static long shared(SoftDevice device) {
        return SoftDevices.ends(device).budget.sharedBytes();
    }

    @Test
    void aConnectionCountsAtEitherEndUntilItsSegmentGoes() throws Exception {
        connect(clients);
        accept();
        assertEquals(USUAL, shared(clients));
        assertEquals(USUAL, shared(servers));
        endAll();
        assertEquals(USUAL, shared(clients), "it waits for the next connection");
        assertEquals(USUAL, shared(servers));
        SoftDevices.ends(clients).pool.dropIdle();
        SoftDevices.ends(servers).cache.dropIdle();
        assertEquals(0, shared(clients));
        assertEquals(0, shared(servers));
    }

    @Test
    void whatIsThereCountsWhenSomebodyLooks() throws Exception {
        Endpoint a = connect(clients);
        Endpoint b = accept();
        shared(b).measure();
        long few = shared(servers);
        assertTrue(few > 0 && few < USUAL, "bytes: " + few);
        ByteBuffer memory = b.exposed();
        for (int i = 0; i < REGION; i += 1_000) {
            memory.put(i, (byte) 1);
        }
        shared(a).measure();
        shared(b).measure();
        assertEquals(few + REGION, shared(clients), 4096);
        assertEquals(few + REGION, shared(servers), 4096);
        shared(b).free(memory, 0, REGION);
        shared(b).measure();
        assertEquals(few, shared(servers), 4096);
    }

    @Test
    void aReserveCountsWhenItIsTakenAndIsNotTakenBeyondTheLimit() throws Exception {
        Endpoint a = connect(clients);
        connect(clients);
        assertEquals(REGION, shared(a).take(REGION).lengthBytes());
        assertEquals(FEW * USUAL, shared(clients));
        assertNull(shared(endpoints.get(1)).take(REGION));
        assertEquals(FEW * USUAL, shared(clients));
    }

    @Test
    void clientsBeyondTheLimitHaveNoSegment() throws Exception {
        for (int i = 0; i < FEW; i++) {
            connect(clients);
            accept();
        }
        assertEquals(Kind.MEMORY_LIMIT, failure(clients));
        endAll();
        connect(clients);
    }

    @Test
    void whoComesWhileTheServerIsAtItsLimitIsToldBefore() throws Exception {
        SoftDevice rich = device(Long.MAX_VALUE);
        connect(rich);
        accept();
        endAll(); // From here on the client knows the listener.
        for (int i = 0; i < FEW; i++) {
            connect(rich);
            accept();
        }
        assertNull(listener.tryAccept());
        assertEquals(Kind.PEER_EXHAUSTED, failure(rich));
        endAll();
        assertNull(listener.tryAccept());
        connect(rich);
        accept();
    }

    @Test
    void whoKeepsItsConnectionsLearnsOfTheListenerWhenItLooks() throws Exception {
        SoftDevice rich = device(Long.MAX_VALUE);
        Endpoint kept = connect(rich);
        for (int i = 1; i < FEW; i++) {
            connect(rich);
        }
        for (int i = 0; i < FEW; i++) {
            accept();
        }
        assertNull(listener.tryAccept());
        shared(kept).measure();
        assertEquals(Kind.PEER_EXHAUSTED, failure(rich));
    }

    @Test
    void aStrangerThatHasConnectedIsAcceptedBeyondTheLimit() throws Exception {
        SoftDevice rich = device(Long.MAX_VALUE);
        for (int i = 0; i <= FEW; i++) {
            connect(rich);
        }
        for (int i = 0; i <= FEW; i++) {
            accept();
        }
        assertEquals((FEW + 1) * USUAL, shared(servers));
        connect(device(Long.MAX_VALUE));
        assertEquals(Kind.BACKLOG_FULL, failure(device(Long.MAX_VALUE)), "one may wait");
        accept();
    }

    @Test
    void segmentsThatNobodyUsesMakeRoom() throws Exception {
        SoftDevice rich = device(Long.MAX_VALUE);
        for (int i = 0; i < FEW; i++) {
            connect(rich);
            accept();
        }
        endAll();
        assertEquals(FEW * USUAL, shared(servers));
        assertNull(listener.tryAccept());
        assertEquals(0, shared(servers));
    }

    @Test
    void aListenerThatBeginsAtTheLimitSaysSo() throws Exception {
        listener.close();
        SoftDevices.ends(servers).budget.add(FEW * USUAL);
        listener = listener(servers);
        connect(device(Long.MAX_VALUE));
        assertEquals(Kind.BACKLOG_FULL, failure(device(Long.MAX_VALUE)), "one may wait");
    }

    @Test
    void arenasCountWhatTheProgramHasInThem() throws Exception {
        ByteBuffer buffer = clients.programAllocator().allocate((int) USUAL);
        assertEquals(USUAL, shared(clients));
        IOException refused =
                assertThrows(IOException.class, () -> clients.programAllocator().allocate((int) (FEW * USUAL)));
        assertTrue(refused.getMessage().contains("exs.memory=" + FEW * USUAL), refused.getMessage());
        clients.programAllocator().free(buffer);
        assertEquals(0, shared(clients));
    }

    @Test
    void withStrictOvercommitPagesAreMadeWhenMemoryIsTakenAndKept() throws Exception {
        long whole = SegmentDescriptor.length(PARAMETERS.receiveDepth(), REGION);
        SpareMemory machine = new SpareMemory(Long.MAX_VALUE, true);
        SoftDevice strict = SoftDevices.open(new SharedBudget(machine, 2 * whole + REGION + USUAL));
        int process = SoftDevices.ends(strict).process.descriptor();
        assertEquals(ProcessDescriptor.LENGTH, OpenDescriptors.usedBytes(process), PAGE);

        Endpoint a = connect(strict);
        assertEquals(whole, shared(strict), PAGE);
        Endpoint b = accept();
        a.exposed().put(new byte[REGION]);
        shared(a).free(a.exposed(), 0, REGION);
        assertEquals(REGION, present(a.exposed()));

        assertEquals(REGION, shared(a).take(REGION).lengthBytes());
        ByteBuffer reserve = shared(b).takenByPeer(1);
        assertEquals(REGION, reserve.capacity());
        assertEquals(REGION, present(reserve));

        connect(strict);
        assertEquals(Kind.MEMORY_LIMIT, failure(strict), "it would have all its pages");
    }

    private static long present(ByteBuffer memory) {
        return NativeMemory.presentBytes(memory, 0, memory.capacity());
    }

    @Test
    void theUsualLimitIsAQuarterOfTheMachines() {
        MachineMemory machine = new MachineMemory();
        SharedBudget usual = new SharedBudget(machine, DeviceOptions.AUTO);
        assertEquals(machine.totalBytes() / 4, usual.limitBytes());
        assertTrue(usual.allows(usual.limitBytes()));
        assertFalse(usual.allows(usual.limitBytes() + 1));
    }

    @Test
    void whereNothingMayBeSharedNothingIs() throws Exception {
        assertEquals(Kind.MEMORY_LIMIT, failure(device(0)));
    }
}
