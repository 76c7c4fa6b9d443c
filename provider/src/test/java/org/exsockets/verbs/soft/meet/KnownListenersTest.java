package org.exsockets.verbs.soft.meet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import org.exsockets.verbs.ConnectFailure;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.DeviceListener;
import org.exsockets.verbs.soft.SoftDevices;
import org.exsockets.verbs.soft.shared.PeerProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Listeners that a device has connected to before: as long as they are there, and when they are not. */
class KnownListenersTest extends SoftFixture {
    @Test
    void moreListenersThanAreRememberedAreReached() throws Exception {
        makeKnown();
        for (int i = 0; i < KnownListeners.MAX_ENTRIES + 10; i++) {
            InetSocketAddress any =
                    new InetSocketAddress("127.0.1." + i % 256, address().getPort());
            try (DeviceListener each = device().listen(any, false, 5, PARAMETERS)) {
                release(device().connect(client(1), any, PARAMETERS));
                release(waitFor(each::tryAccept));
            }
        }
        connectOnly(PARAMETERS);
        accept(listener());
    }

    @Test
    void aKnownListenerThatHasClosedIsNotTriedAgain() throws Exception {
        makeKnown();
        assertTrue(ends().listeners.isKnown(address()));
        listener().close();
        assertFalse(device().listens(address(), PARAMETERS));
        assertThrows(ConnectFailure.class, () -> device().connect(client(2), address(), PARAMETERS));
        assertFalse(ends().listeners.isKnown(address()));
        try (DeviceListener successor = device().listen(address(), false, 5, PARAMETERS)) {
            assertTrue(device().listens(address(), PARAMETERS));
            connectOnly(PARAMETERS);
            assertNotNull(accept(successor));
        }
    }

    /** A process that is killed cannot say that it does not listen any more. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aKnownListenerThatWasKilledMakesRoomForItsSuccessor(boolean sameProcessId) throws Exception {
        makeKnown();
        KnownListeners.Listener known = ends().listeners.find(address());
        listener().close();
        known.page().setListening(true); // As if it had been killed.
        if (!sameProcessId) {
            PeerProcess other =
                    processes().keep(PeerProcess.open(1, ownProcess().descriptor()));
            ends().listeners.remember(address(), new KnownListeners.Listener(known.name(), 1, other, known.page()));
            processes().release(other);
        }
        ends().listeners.release(known);
        if (sameProcessId) {
            ConnectFailure killed =
                    assertThrows(ConnectFailure.class, () -> device().connect(client(2), address(), PARAMETERS));
            assertEquals(ConnectFailure.Kind.REFUSED, killed.kind());
        }
        Device another = SoftDevices.open();
        try (DeviceListener successor = another.listen(address(), false, 5, PARAMETERS)) {
            connectOnly(PARAMETERS);
            assertNotNull(accept(successor));
        }
    }
}
