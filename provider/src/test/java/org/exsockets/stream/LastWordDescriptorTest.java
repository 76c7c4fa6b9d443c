package org.exsockets.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LastWordDescriptorTest {
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 0x7FFF_FFFFL, 0x8000_0000L, 0xFFFF_FFFFL, 0x1_0000_0000L, 0x7FFF_FFFF_FFFF_0000L})
    void positionsAreFoundAgainWhateverTheirUpperBits(long position) {
        long word = LastWordDescriptor.encode(position, ~position);
        for (long unknown : new long[] {0, 1, 65_536, Integer.MAX_VALUE}) {
            if (unknown <= position) {
                assertEquals(position, LastWordDescriptor.written(word, position - unknown));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 0x7FFF_FFFFL, 0x8000_0000L, 0xFFFF_FFFFL, 0x1_0000_0000L, 0x7FFF_FFFF_FFFF_0000L})
    void bytesBeyondThoseThatThePeerHasHeardOfAreMissed(long heard) {
        long word = LastWordDescriptor.encode(-1, heard);
        assertFalse(LastWordDescriptor.isMissed(word, heard));
        assertTrue(LastWordDescriptor.isMissed(word, heard + 1));
        assertTrue(LastWordDescriptor.isMissed(word, heard + 0x4000_0000L));
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 9, Long.MAX_VALUE})
    void wordsOfAHostilePeerMayEndBeforeWhatHasArrived(long word) {
        assertTrue(LastWordDescriptor.written(word, 10) < 10);
    }
}
