package org.exsockets.verbs.soft.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SegmentDescriptorTest {
    @Test
    void offsetsAreThoseOfThePicture() {
        assertEquals(0, SegmentDescriptor.MAGIC_OFFSET);
        assertEquals(8, SegmentDescriptor.LAYOUT_OFFSET);
        assertEquals(12, SegmentDescriptor.LENGTH_OFFSET);
        assertEquals(16, SegmentDescriptor.SLOTS_OFFSET);
        assertEquals(20, SegmentDescriptor.REGION_OFFSET);
        assertEquals(24, SegmentDescriptor.PROOF_OFFSET);
        assertEquals(32, SegmentDescriptor.USE_OFFSET);
        assertEquals(36, SegmentDescriptor.PORT_OFFSET);
        assertEquals(40, SegmentDescriptor.RESERVE_OFFSET);
        assertEquals(128, SegmentDescriptor.CONTROL_A_OFFSET);
        assertEquals(512, SegmentDescriptor.CONTROL_B_OFFSET);
        assertEquals(384, SegmentDescriptor.CONTROL_LENGTH);
        assertEquals(0, SegmentDescriptor.ARMED_OFFSET);
        assertEquals(4, SegmentDescriptor.ASLEEP_OFFSET);
        assertEquals(8, SegmentDescriptor.SIGN_OFFSET);
        assertEquals(128, SegmentDescriptor.POSTED_OFFSET);
        assertEquals(256, SegmentDescriptor.REASON_OFFSET);
        assertEquals(260, SegmentDescriptor.ACCEPTOR_OFFSET);
        assertEquals(264, SegmentDescriptor.LAST_WORD_OFFSET);
        assertEquals(272, SegmentDescriptor.TAKEN_OFFSET);
        assertEquals(276, SegmentDescriptor.THERE_OFFSET);
        assertEquals(280, SegmentDescriptor.PAGE_OFFSET);
        assertEquals(4096, SegmentDescriptor.ARRIVALS_OFFSET);
        assertEquals(1280, SegmentDescriptor.windowsOffset(true));
        assertEquals(1536, SegmentDescriptor.windowsOffset(false));
        assertEquals(0, SegmentDescriptor.WITHIN_OFFSET);
        assertEquals(128, SegmentDescriptor.CLOSED_OFFSET);
        assertEquals(32, SegmentDescriptor.WINDOWS);
        assertEquals(10, SegmentDescriptor.LAYOUT);
    }

    @ParameterizedTest
    @CsvSource({"0, 0, false", "0, 0, true", "255, 65535, true", "7, 65535, false", "255, 0, false"})
    void aSignIsItsNumberAndItsCell(int number, int cell, boolean sets) {
        long sign = SegmentDescriptor.sign(number, cell, sets);
        assertEquals(number, SegmentDescriptor.signNumber(sign));
        assertEquals(cell, SegmentDescriptor.signCell(sign));
        assertEquals(sets, SegmentDescriptor.signSetsCell(sign));
        assertEquals(-1, SegmentDescriptor.signNumber(0));
    }

    @Test
    void magicIsTextReadAsBigEndian() {
        byte[] bytes = ByteBuffer.allocate(8)
                .order(ByteOrder.BIG_ENDIAN)
                .putLong(SegmentDescriptor.MAGIC)
                .array();
        assertEquals("EXSSEG01", new String(bytes, StandardCharsets.US_ASCII));
    }

    @ParameterizedTest
    @CsvSource({
        // slots, region, arrivals of A and B, region of A and B, length
        "4,    4096,     4096, 4352,   8192,   12288,    16384",
        "32,   4096,     4096, 6144,   8192,   12288,    16384",
        "64,   4096,     4096, 8192,   12288,  16384,    20480",
        "256,  524288,   4096, 20480,  36864,  561152,   1085440",
        "2048, 67108864, 4096, 135168, 266240, 67375104, 134483968"
    })
    void partsFollowEachOtherAlignedAndApart(
            int slots, int region, int arrivalsA, int arrivalsB, int regionA, int regionB, int length) {
        assertEquals(arrivalsA, SegmentDescriptor.arrivalsOffset(true, slots));
        assertEquals(arrivalsB, SegmentDescriptor.arrivalsOffset(false, slots));
        assertEquals(regionA, SegmentDescriptor.regionOffset(true, slots, region));
        assertEquals(regionB, SegmentDescriptor.regionOffset(false, slots, region));
        assertEquals(length, SegmentDescriptor.length(slots, region));
        assertEquals(0, regionA % SegmentDescriptor.ALIGNMENT);
    }

    @Test
    void reservesAreBehindAllElse() {
        assertEquals(16384, SegmentDescriptor.reserveOffset(true, 4, 4096, 65536));
        assertEquals(81920, SegmentDescriptor.reserveOffset(false, 4, 4096, 65536));
        assertEquals(147456, SegmentDescriptor.length(4, 4096, 65536));
        assertEquals(16384, SegmentDescriptor.length(4, 4096, 0));
    }

    @Test
    void lengthsBeyondAnIntAreRefused() {
        assertThrows(ArithmeticException.class, () -> SegmentDescriptor.length(4, 1 << 30));
        assertThrows(ArithmeticException.class, () -> SegmentDescriptor.length(4, 4096, 1 << 30));
    }
}
