package org.exsockets.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class FirstUsesTest {
    private int asked;
    private boolean full;

    private final FirstUses uses = new FirstUses(bytes -> {
        asked++;
        if (full) {
            throw new OutOfMemoryError("says a test");
        }
        assertEquals(FirstUses.ROOM_BYTES, bytes);
        return new Object();
    });

    @Test
    void onlyTheFirstOnesAskForRoom() {
        for (int i = 0; i < 3 * FirstUses.COUNT; i++) {
            assertTrue(uses.haveRoom());
        }
        assertEquals(FirstUses.COUNT, asked);
    }

    @Test
    void oneWithoutRoomIsNoUse() {
        full = true;
        for (int i = 0; i < 3 * FirstUses.COUNT; i++) {
            assertFalse(uses.haveRoom());
        }
        full = false;
        assertTrue(uses.haveRoom());
        full = true;
        assertFalse(uses.haveRoom());
    }
}
