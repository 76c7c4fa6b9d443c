package org.exsockets.verbs.soft.shared;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.exsockets.memory.Words;
import org.exsockets.verbs.soft.layout.ArrivalDescriptor;
import org.exsockets.verbs.soft.layout.SegmentDescriptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SegmentTest {
    private static final int SLOTS = 8;
    private static final int REGION_BYTES = 4096;
    private static final int LAST_USE = 65535;

    private Segment segment;
    private ByteBuffer memory;

    @BeforeEach
    void createSegment() throws IOException {
        segment = SegmentFixture.newSegment(SLOTS, REGION_BYTES, 0);
        memory = segment.mapping().memory();
    }

    @AfterEach
    void removeSegment() {
        segment.mapping().unmap();
    }

    @Test
    void usesAreCountedFromOne() {
        assertEquals(0, use());
        segment.reset(7);
        assertEquals(1, use());
        assertEquals(7, segment.proof());
        segment.reset(8);
        assertEquals(2, use());
        assertEquals(8, segment.proof());
    }

    @Test
    void slotsAreEmptiedOnlyWhenUsesBeginAgain() {
        segment.reset(1);
        fillSlots();
        segment.reset(2);
        assertEquals(2 * SLOTS, filledSlots());

        Words.of(memory).intPlain(SegmentDescriptor.USE_OFFSET, LAST_USE - 1);
        segment.reset(3);
        assertEquals(LAST_USE, use());
        assertEquals(2 * SLOTS, filledSlots());
        segment.reset(4);
        assertEquals(1, use());
        assertEquals(0, filledSlots());
    }

    /** One of the two ends comes first: the other one finds it out. */
    @Test
    void whatIsReleasedIsClaimedOrDropped() {
        segment.reset(1);
        assertFalse(segment.isMappedByB());
        assertFalse(segment.dropByB(), "somebody is to accept it");
        assertTrue(segment.setMappedByB(new ListenerPage(Words.of(memory), 7)));
        assertFalse(segment.giveUpByA(), "it is accepted");
        assertTrue(segment.isMappedByB());
        assertEquals(7, segment.page());
        assertFalse(segment.claimByA(), "in use");
        assertFalse(segment.dropByB(), "in use");
        segment.setReleasedByB();
        assertTrue(segment.claimByA());
        assertFalse(segment.dropByB());
        assertFalse(segment.claimByA());
        segment.unclaimByA();
        assertTrue(segment.dropByB());
        assertFalse(segment.claimByA());
        segment.reset(2);
        assertTrue(segment.setMappedByB(null));
        assertEquals(-1, segment.page());
        segment.reset(3);
        assertTrue(segment.giveUpByA());
        assertFalse(segment.setMappedByB(null));
    }

    private int use() {
        return Words.of(memory).intPlain(SegmentDescriptor.USE_OFFSET);
    }

    private void fillSlots() {
        for (int slot = 0; slot < 2 * SLOTS; slot++) {
            long header = ArrivalDescriptor.header(slot % SLOTS, use(), ArrivalDescriptor.KIND_SEND);
            Words.of(memory).longPlain(headerOffset(slot), header);
        }
    }

    private int filledSlots() {
        int filled = 0;
        for (int slot = 0; slot < 2 * SLOTS; slot++) {
            filled += Words.of(memory).longPlain(headerOffset(slot)) == 0 ? 0 : 1;
        }
        return filled;
    }

    private static int headerOffset(int slot) {
        return SegmentDescriptor.ARRIVALS_OFFSET + slot * ArrivalDescriptor.LENGTH + ArrivalDescriptor.HEADER_OFFSET;
    }
}
