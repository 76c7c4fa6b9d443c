package org.exsockets.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.exsockets.config.Face;
import org.exsockets.verbs.DeviceListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On which devices a listener listens beside TCP. */
class ListenTest {
    private static final InetSocketAddress ANY = new InetSocketAddress("0.0.0.0", 5000);

    @TempDir
    private Path directory;

    private static List<DeviceListener> listen(RendezvousFixture fixture, InetSocketAddress local) {
        return fixture.rendezvous.tryListen(Protocol.STREAM, local, true, 50, Face.NET);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                // device, rule, address: listeners of soft and of disni, reason if there are none
                "auto,  -,    0.0.0.0,   1, 0, -",
                "auto,  exs,  0.0.0.0,   1, 1, -",
                "auto,  exs,  192.0.2.1, 1, 1, -",
                "auto,  exs,  127.0.0.1, 1, 0, -",
                "auto,  tcp,  0.0.0.0,   0, 0, rule",
                "soft,  exs,  0.0.0.0,   1, 0, -",
                "disni, exs,  0.0.0.0,   0, 1, -",
                "disni, exs,  127.0.0.1, 0, 1, -",
                "disni, -,    0.0.0.0,   0, 0, no-rule",
                "none,  exs,  0.0.0.0,   0, 0, disabled",
            })
    void theListenersFollowSettingsAndRules(
            String device, String verdict, String address, int soft, int disni, String reason) {
        RendezvousFixture fixture = verdict == null
                ? RendezvousFixture.of(directory, device)
                : RendezvousFixture.of(directory, device, "listen * * " + verdict);
        long[] before = RendezvousFixture.counts();
        assertEquals(
                soft + disni,
                listen(fixture, new InetSocketAddress(address, 5000)).size());
        assertEquals(soft, fixture.soft.listeners.size());
        assertEquals(disni, fixture.disni.listeners.size());
        assertEquals(reason, RendezvousFixture.counted(before));
        assertEquals(disni == 0, fixture.opened.get("disni") == null);
        assertEquals(Math.min(1, soft + disni), fixture.firstListeners);
    }

    /** Whoever connects after TCP listens and before they are open stays on TCP. */
    @Test
    void adaptersAreOpenedBeforeTcpListens() {
        RendezvousFixture fixture = RendezvousFixture.of(directory, "auto", "listen * 5001 exs");
        fixture.rendezvous.beforeListening(null, Face.NET);
        fixture.rendezvous.beforeListening(new InetSocketAddress("0.0.0.0", 5000), Face.NET);
        assertNull(fixture.opened.get("disni"));
        fixture.rendezvous.beforeListening(new InetSocketAddress("0.0.0.0", 5001), Face.NET);
        assertEquals(1, fixture.opened.get("disni"));
        assertEquals(0, fixture.disni.listeners.size());
    }

    @Test
    void theFirstListenerIsToldOnce() {
        RendezvousFixture fixture = RendezvousFixture.of(directory, "auto", "listen * 5001 tcp");
        assertEquals(
                0, listen(fixture, new InetSocketAddress("127.0.0.1", 5001)).size());
        assertEquals(0, fixture.firstListeners);
        assertEquals(
                1, listen(fixture, new InetSocketAddress("127.0.0.1", 5002)).size());
        assertEquals(
                1, listen(fixture, new InetSocketAddress("127.0.0.1", 5003)).size());
        assertEquals(1, fixture.firstListeners);
    }

    @Test
    void aDeviceThatCannotListenLeavesTheOthersAlone() {
        RendezvousFixture fixture = RendezvousFixture.of(directory, "auto", "listen * * exs");
        fixture.disni.listenFailure = new IOException("address in use");
        long[] before = RendezvousFixture.counts();
        assertEquals(1, listen(fixture, ANY).size());
        assertNull(RendezvousFixture.counted(before));
        fixture.disni.listenFailure = null;
        fixture.soft.listenFailure = new IOException("no name");
        assertEquals(1, listen(fixture, ANY).size());
        assertEquals(1, fixture.disni.listeners.size());
    }

    @Test
    void aDeviceThatCannotBeOpenedLeavesTheOthersAlone() {
        RendezvousFixture fixture = RendezvousFixture.of(directory, "auto", "listen * * exs");
        fixture.disniObstacle = new IOException("no RDMA adapter");
        assertEquals(1, listen(fixture, ANY).size());
    }

    @Test
    void noDeviceAtAllIsCounted() {
        RendezvousFixture fixture = RendezvousFixture.of(directory, "auto", "listen * * exs");
        fixture.soft.listenFailure = new IOException("no name");
        fixture.disniObstacle = new IOException("no RDMA adapter");
        long[] before = RendezvousFixture.counts();
        assertTrue(listen(fixture, ANY).isEmpty());
        assertEquals("device-unavailable", RendezvousFixture.counted(before));
    }
}
