package org.exsockets.verbs.disni.data;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PeerProbeTest {
    private final PeerProbe probe = new PeerProbe();

    @Test
    void whoFindsNoRoomAsksOnce() {
        assertTrue(probe.await(9));
        assertFalse(probe.await(9));
        assertTrue(probe.isDue(9));
        assertFalse(probe.isDue(10));
    }

    @Test
    void whoHasWrittenAsksAgainWhenThereIsNoRoomAgain() {
        probe.await(9);
        assertFalse(probe.starvesAgain(() -> 10));
        assertTrue(probe.await(10));
    }

    @Test
    void whoFindsNoRoomWhileTheThreadLooksAsks() {
        probe.await(9);
        probe.starvesAgain(() -> {
            assertTrue(probe.await(10));
            return 10;
        });
        assertFalse(probe.await(10));
    }

    @Test
    void whoHasAskedJustBeforeIsSeen() {
        probe.await(9);
        probe.await(10);
        assertTrue(probe.starvesAgain(() -> 10));
    }
}
