package org.exsockets.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SpareHeapTest {
    private int asked;
    private boolean full;

    private final SpareHeap heap = new SpareHeap() {
        @Override
        Object allocate(int bytes) {
            asked++;
            if (full) {
                throw new OutOfMemoryError("says a test");
            }
            assertEquals(ROOM_BYTES, bytes);
            return new Object();
        }
    };

    @Test
    void onlyTheFirstOnesAskForRoom() {
        for (int i = 0; i < 3 * SpareHeap.FIRST_USES; i++) {
            assertTrue(heap.hasRoom());
        }
        assertEquals(SpareHeap.FIRST_USES, asked);
    }

    @Test
    void oneWithoutRoomIsNoUse() {
        full = true;
        for (int i = 0; i < 3 * SpareHeap.FIRST_USES; i++) {
            assertFalse(heap.hasRoom());
        }
        full = false;
        assertTrue(heap.hasRoom());
        full = true;
        assertFalse(heap.hasRoom());
    }
}
