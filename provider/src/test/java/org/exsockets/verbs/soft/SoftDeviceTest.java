package org.exsockets.verbs.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.jdk.JdkChannels;
import org.exsockets.verbs.ConnectFailure;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.DeviceListener;
import org.exsockets.verbs.DeviceOptions;
import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.WorkRequest;
import org.exsockets.verbs.soft.host.MachineMemory;
import org.exsockets.verbs.soft.host.OpenDescriptors;
import org.exsockets.verbs.soft.host.SpareMemory;
import org.exsockets.verbs.soft.meet.SoftFixture;
import org.exsockets.verbs.soft.shared.SharedBudget;
import org.junit.jupiter.api.Test;

/** Names and memory of the software device: what processes leave, and what is left of it. */
class SoftDeviceTest extends SoftFixture {
    @Test
    void aClientWithoutAPortHasOneWhenSomebodyAsks() throws Exception {
        Endpoint a = ended(device().connect(new InetSocketAddress(host(), 0), address(), PARAMETERS));
        Endpoint b = accept(listener());
        InetSocketAddress asked = b.remoteAddress();
        assertTrue(asked.getPort() > 0);
        assertEquals(asked, a.localAddress());
        assertEquals(address(), a.remoteAddress());
        assertEquals(address(), b.localAddress());

        b.queuePair().disconnect(DisconnectReason.ORDERLY, 0);
        a.queuePair().disconnect(DisconnectReason.ORDERLY, 0);
        b.release();
        a.release();
        Endpoint next = ended(device().connect(new InetSocketAddress(host(), 0), address(), PARAMETERS));
        accept(listener());
        next.localAddress();
        assertEquals(asked, a.localAddress(), "the segment is another connection's now");
        assertEquals(asked, b.remoteAddress());
    }

    @Test
    void whoAsksForAHostAloneFixesNoPort() throws Exception {
        Endpoint a = ended(device().connect(new InetSocketAddress(host(), 0), address(), PARAMETERS));
        Endpoint b = accept(listener());
        assertEquals(host(), b.remoteHost());
        assertEquals(host(), a.localHost());
        assertThrows(
                BindException.class, () -> new ServerSocket(a.localAddress().getPort()).close());
    }

    @Test
    void aListenerTellsOfArrivalsWithoutASystemCall() throws Exception {
        assertTrue(listener().tellsArrivals());
        assertFalse(listener().hasArrivals());
        makeKnown();
        connectOnly(PARAMETERS);
        assertTrue(listener().hasArrivals());
        connectOnly(PARAMETERS);
        assertTrue(listener().hasArrivals());
        accept(listener());
        assertTrue(listener().hasArrivals());
        accept(listener());
        assertFalse(listener().hasArrivals());
        assertNull(listener().tryAccept());
        assertFalse(listener().hasArrivals());
        connectOnly(PARAMETERS);
        assertTrue(listener().hasArrivals());
    }

    @Test
    void newSegmentsOfConnectionsToAKnownListenerAreKept() throws Exception {
        makeKnown();
        assertEquals(1, pool().idle());
        List<Endpoint> all = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            all.add(connectOnly(PARAMETERS));
            all.add(accept(listener()));
        }
        for (Endpoint each : all) {
            each.queuePair().disconnect(DisconnectReason.ORDERLY, 0);
            each.release();
        }
        assertEquals(2, pool().idle());
    }

    @Test
    void whoClosesBeforeItIsAcceptedIsReadAllTheSame() throws Exception {
        postedAndClosed(connectOnly(PARAMETERS));
        Endpoint left = device().connect(client(7), address(), PARAMETERS);
        postedAndClosed(left);
        left.release();
        for (int i = 0; i < 2; i++) {
            Endpoint b = accept(listener());
            postReceive(b, 1);
            assertEquals(0, poll(b).byteLength);
        }
    }

    private static void postedAndClosed(Endpoint a) {
        post(a, new WorkRequest().send(ByteBuffer.allocate(0), 0, 0));
        a.queuePair().disconnect(DisconnectReason.ORDERLY, 0);
    }

    @Test
    void aNameIsOneListenersUntilItCloses() throws Exception {
        Device another = SoftDevices.open();
        IOException taken = assertThrows(IOException.class, () -> another.listen(address(), false, 5, PARAMETERS));
        assertTrue(taken.getMessage().contains("another process listens in its place"), taken.getMessage());
        listener().selectable(); // As if somebody had selected.
        listener().close();
        another.listen(address(), false, 5, PARAMETERS).close();
    }

    @Test
    void aNameIsFreeAtOnceThoughASelectorHasYetToLetGo() throws Exception {
        try (Selector selector = JdkChannels.openSelector()) {
            listener().selectable().register(selector, SelectionKey.OP_READ);
            assertEquals(0, selector.selectNow());
            connectOnly(PARAMETERS);
            assertEquals(1, selector.selectNow());
            accept(listener());
            listener().close();
            device().listen(address(), false, 5, PARAMETERS).close();
        }
    }

    @Test
    void segmentsAreUsedAgain() throws Exception {
        makeKnown();
        assertEquals(1, pool().idle());
        for (int i = 0; i < 100; i++) {
            Endpoint a = device().connect(client(1), address(), PARAMETERS);
            assertEquals(0, pool().idle());
            Endpoint b = waitFor(listener()::tryAccept);
            release(b);
            release(a);
            assertEquals(1, pool().idle());
        }
        assertEquals(1, processes().size(), "it is its own peer");
    }

    /** What a stranger has mapped nobody can know: the next connection has a new segment. */
    @Test
    void segmentsOfAnotherServersConnectionsAreNotUsed() throws Exception {
        makeKnown();
        SoftDevice another = SoftDevices.open();
        InetSocketAddress other = new InetSocketAddress("127.0.0.2", address().getPort());
        try (DeviceListener there = another.listen(other, false, 5, PARAMETERS)) {
            Endpoint a = device().connect(client(1), other, PARAMETERS);
            Endpoint b = waitFor(there::tryAccept);
            release(b);
            release(a);
            assertEquals(2, pool().idle());
            assertEquals(2, processes().size());
            release(device().connect(client(1), other, PARAMETERS));
            release(waitFor(there::tryAccept));
        }
    }

    @Test
    void failedConnectsLeaveOneSocketForTheNextOne() throws Exception {
        makeKnown();
        OpenDescriptors before = OpenDescriptors.now();
        InetSocketAddress nobody = new InetSocketAddress("127.0.0.2", address().getPort());
        for (int i = 0; i < 50; i++) {
            assertThrows(ConnectFailure.class, () -> device().connect(client(1), nobody, PARAMETERS));
        }
        assertEquals(1, OpenDescriptors.now().moreThan(before));
        assertEquals(1, pool().idle());
        connectOnly(PARAMETERS);
        accept(listener());
        assertEquals(2, OpenDescriptors.now().moreThan(before));
    }

    @Test
    void aConnectionTakesOneDescriptorAtEachEnd() throws Exception {
        makeKnown();
        OpenDescriptors before = OpenDescriptors.now();
        connectOnly(PARAMETERS);
        accept(listener());
        assertEquals(2, OpenDescriptors.now().moreThan(before));
        connectOnly(PARAMETERS); // With a segment of its own.
        accept(listener());
        assertEquals(4, OpenDescriptors.now().moreThan(before));
    }

    @Test
    void whereMemoryIsScarceThereIsNoSegment() throws Exception {
        SoftDevice poor = poor(new SpareMemory(4096), DeviceOptions.AUTO);
        ConnectFailure scarce =
                assertThrows(ConnectFailure.class, () -> poor.connect(client(1), address(), PARAMETERS));
        assertEquals(ConnectFailure.Kind.NO_MEMORY, scarce.kind());
        assertNull(listener().tryAccept());
    }

    @Test
    void roomIsWhatTheLimitLeaves() throws Exception {
        SoftDevice poor = poor(new MachineMemory(), 100_000);
        assertTrue(poor.hasRoomFor(100_000));
        assertFalse(poor.hasRoomFor(100_001));
    }

    private static SoftDevice poor(MachineMemory machine, long limitBytes) throws IOException {
        return SoftDevices.open(new SharedBudget(machine, limitBytes));
    }

    @Test
    void theMachineHasMemory() {
        MachineMemory machine = new MachineMemory();
        assertTrue(machine.hasRoomFor(1));
        assertFalse(machine.hasRoomFor(Long.MAX_VALUE - 1));
    }
}
