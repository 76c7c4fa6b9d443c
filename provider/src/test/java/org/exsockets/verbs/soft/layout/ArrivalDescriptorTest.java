package org.exsockets.verbs.soft.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArrivalDescriptorTest {
    @Test
    void offsetsAreThoseOfThePicture() {
        assertEquals(64, ArrivalDescriptor.LENGTH);
        assertEquals(64, 1 << ArrivalDescriptor.LENGTH_SHIFT);
        assertEquals(0, ArrivalDescriptor.HEADER_OFFSET);
        assertEquals(8, ArrivalDescriptor.IMMEDIATE_OFFSET);
        assertEquals(12, ArrivalDescriptor.BYTE_LENGTH_OFFSET);
        assertEquals(16, ArrivalDescriptor.PAYLOAD_OFFSET);
        assertEquals(48, ArrivalDescriptor.MAX_PAYLOAD);
        assertEquals(1, ArrivalDescriptor.KIND_SEND);
        assertEquals(2, ArrivalDescriptor.KIND_WRITE_WITH_IMM);
    }

    @ParameterizedTest
    @CsvSource({
        "0,              1, 1, 0000000100010001",
        "0,              1, 2, 0000000100010002",
        "41,         65535, 1, 0000002affff0001",
        "4294967294,     1, 2, ffffffff00010002",
        "4294967295, 32768, 1, 0000000080000001",
        "4294967296,     1, 2, 0000000100010002"
    })
    void headerIsSerialUseAndKind(long number, int use, int kind, String hex) {
        long header = ArrivalDescriptor.header(number, use, kind);
        assertEquals(Long.parseUnsignedLong(hex, 16), header);
        assertEquals(kind, ArrivalDescriptor.kind(header));
        assertTrue(ArrivalDescriptor.isMessage(header, number, use));
        assertFalse(ArrivalDescriptor.isMessage(header, number + 1, use));
        assertFalse(ArrivalDescriptor.isMessage(header, number + 2048, use));
        assertFalse(ArrivalDescriptor.isMessage(header, number, use + 1));
        assertFalse(ArrivalDescriptor.isMessage(header, number, use - 1));
    }

    @Test
    void anUnusedSlotIsNoMessage() {
        assertFalse(ArrivalDescriptor.isMessage(0, 0, 1));
        assertFalse(ArrivalDescriptor.isMessage(0, 2047, 1));
    }
}
