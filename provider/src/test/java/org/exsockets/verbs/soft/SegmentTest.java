package org.exsockets.verbs.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.exsockets.memory.SharedMapping;
import org.exsockets.memory.Words;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SegmentTest {
    private static final int SLOTS = 8;
    private static final int REGION_BYTES = 4096;
    private static final int LAST_USE = 65535;

    private MemoryFileSystem files;
    private Segment segment;
    private ByteBuffer memory;

    @BeforeEach
    void createSegment() throws IOException {
        files = MemoryFileSystem.create();
        int length = SegmentDescriptor.length(SLOTS, REGION_BYTES);
        SharedMapping mapping = SharedMapping.create(files.root().resolve("s1"), length);
        segment = new Segment("s1", mapping, SLOTS, REGION_BYTES, 0);
        segment.format();
        memory = mapping.memory();
    }

    @AfterEach
    void removeSegment() throws IOException {
        segment.mapping().unmap();
        files.close();
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

        Words.intPlain(memory, SegmentDescriptor.USE_OFFSET, LAST_USE - 1);
        segment.reset(3);
        assertEquals(LAST_USE, use());
        assertEquals(2 * SLOTS, filledSlots());
        segment.reset(4);
        assertEquals(1, use());
        assertEquals(0, filledSlots());
    }

    private int use() {
        return Words.intPlain(memory, SegmentDescriptor.USE_OFFSET);
    }

    private void fillSlots() {
        for (int slot = 0; slot < 2 * SLOTS; slot++) {
            long header = ArrivalDescriptor.header(slot % SLOTS, use(), ArrivalDescriptor.KIND_SEND);
            Words.longPlain(memory, headerOffset(slot), header);
        }
    }

    private int filledSlots() {
        int filled = 0;
        for (int slot = 0; slot < 2 * SLOTS; slot++) {
            filled += Words.longPlain(memory, headerOffset(slot)) == 0 ? 0 : 1;
        }
        return filled;
    }

    private static int headerOffset(int slot) {
        return SegmentDescriptor.ARRIVALS_OFFSET + slot * ArrivalDescriptor.LENGTH + ArrivalDescriptor.HEADER_OFFSET;
    }
}
