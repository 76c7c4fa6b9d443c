package org.exsockets.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImmediateDescriptorTest {
    @ParameterizedTest
    @CsvSource({
        "1, 0,    0,      10000000",
        "1, 1,    0,      10010000",
        "1, 4095, 0,      1fff0000",
        "2, 0,    0,      20000000",
        "2, 0,    1,      20000001",
        "2, 2748, 57072,  2abcdef0",
        "2, 4095, 65535,  2fffffff",
        "15, 0,   0,      f0000000"
    })
    void kindCreditsAndIdHaveTheirBits(int kind, int credits, int id, String hex) {
        int immediate = Integer.parseUnsignedInt(hex, 16);
        assertEquals(hex, Integer.toHexString(ImmediateDescriptor.encode(kind, credits, id)));
        assertEquals(kind, ImmediateDescriptor.kind(immediate));
        assertEquals(credits, ImmediateDescriptor.credits(immediate));
        assertEquals(id, ImmediateDescriptor.id(immediate));
    }

    @Test
    void numbersOfTheWireNeverChange() {
        assertEquals(1, ImmediateDescriptor.INDIRECT);
        assertEquals(2, ImmediateDescriptor.DIRECT);
        assertEquals(4095, ImmediateDescriptor.MAX_CREDITS);
        assertEquals(65536, ImmediateDescriptor.ID_LIMIT);
        assertEquals(0x8000, ImmediateDescriptor.WAITED);
        assertEquals(0x7FFF, ImmediateDescriptor.GENERATION_MASK);
    }
}
