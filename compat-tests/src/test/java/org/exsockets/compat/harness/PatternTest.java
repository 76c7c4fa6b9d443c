package org.exsockets.compat.harness;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PatternTest {
    @Test
    void bytesDependOnTheirPositionAlone() {
        byte[] whole = Pattern.bytes(0, 10_000);
        assertArrayEquals(Arrays.copyOfRange(whole, 1234, 1334), Pattern.bytes(1234, 100));
        assertEquals(Pattern.at(77), whole[77]);
    }

    @Test
    void displacedPieceIsFound() {
        byte[] bytes = Pattern.bytes(0, 1000);
        Pattern.check(0, bytes, 0, 1000);
        for (int displacement = 1; displacement <= 65_536; displacement *= 2) {
            assertFalse(Arrays.equals(bytes, Pattern.bytes(displacement, 1000)));
        }
        AssertionError wrong = assertThrows(AssertionError.class, () -> Pattern.check(1, bytes, 0, 1000));
        assertTrue(wrong.getMessage().startsWith("stream: wrong byte: position="));
    }

    @Test
    void changedByteIsFoundAtItsPosition() {
        byte[] bytes = Pattern.bytes(500, 100);
        bytes[40]++;
        AssertionError wrong = assertThrows(AssertionError.class, () -> Pattern.check(500, bytes, 0, 100));
        assertTrue(wrong.getMessage().contains("position=540"));
    }
}
