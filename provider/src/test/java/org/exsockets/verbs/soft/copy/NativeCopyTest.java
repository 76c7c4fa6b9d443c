package org.exsockets.verbs.soft.copy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.util.Random;
import java.util.stream.IntStream;
import org.exsockets.jdk.Futex;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every method of copying that this processor has, at every alignment, between guard bytes. */
class NativeCopyTest {
    private static final int LINE = 64;
    private static final int GUARD = 2 * LINE;
    private static final byte UNTOUCHED = (byte) 0xA5;

    static IntStream methods() {
        return IntStream.range(NativeCopy.BASELINE, NativeCopy.METHODS);
    }

    @BeforeEach
    void assumeAvailable() {
        assumeTrue(NativeCopy.available(), NativeCopy.obstacle());
    }

    @Test
    void theBaselineIsSupportedEverywhereAndNothingBeyondTheMethods() {
        assertTrue(NativeCopy.supports(NativeCopy.BASELINE));
        assertFalse(NativeCopy.supports(NativeCopy.METHODS));
        assertFalse(NativeCopy.supports(-1));
    }

    @ParameterizedTest
    @MethodSource("methods")
    void everyAlignmentAndShortLengthIsCopiedExactly(int method) {
        assumeTrue(NativeCopy.supports(method), "this processor has no stores of method " + method);
        Room room = new Room(300);
        for (int skew = 0; skew < LINE; skew++) {
            for (int length = 0; length <= 300; length++) {
                room.copyAndCheck(method, (skew * 7 + length) % LINE, skew, length);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("methods")
    void everyPairOfAlignmentsIsCopiedExactly(int method) {
        assumeTrue(NativeCopy.supports(method), "this processor has no stores of method " + method);
        Room room = new Room(3 * LINE + 5);
        for (int from = 0; from < LINE; from++) {
            for (int to = 0; to < LINE; to++) {
                room.copyAndCheck(method, from, to, 3 * LINE + 5);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("methods")
    void longCopiesAreExact(int method) {
        assumeTrue(NativeCopy.supports(method), "this processor has no stores of method " + method);
        Room room = new Room(1 << 20);
        for (int length : new int[] {4096, 8191, 65536, 100_001, (1 << 20) - 1, 1 << 20}) {
            room.copyAndCheck(method, 3, 61, length);
            room.copyAndCheck(method, 0, 0, length);
        }
    }

    @Test
    void theAddressIsThatOfTheFirstByteWhateverThePosition() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(100);
        long address = Futex.address(buffer);
        buffer.position(10);
        assertEquals(address, Futex.address(buffer));
        assertEquals(address + 10, Futex.address(buffer.slice()));
    }

    /** A source of random bytes, and a target that is watched around what is copied. */
    private static final class Room {
        private final ByteBuffer source;
        private final ByteBuffer target;

        Room(int longest) {
            source = ByteBuffer.allocateDirect(longest + 3 * LINE).alignedSlice(LINE);
            byte[] bytes = new byte[source.capacity()];
            new Random(longest).nextBytes(bytes);
            source.put(0, bytes);
            target = ByteBuffer.allocateDirect(longest + 2 * GUARD + 2 * LINE).alignedSlice(LINE);
            for (int i = 0; i < target.capacity(); i++) {
                target.put(i, UNTOUCHED);
            }
        }

        void copyAndCheck(int method, int from, int toSkew, int length) {
            int to = GUARD + toSkew;
            NativeCopy.copy(method, Futex.address(source) + from, Futex.address(target) + to, length);
            String what = "method " + method + " from " + from + " to " + toSkew + " length " + length;
            assertEquals(-1, target.slice(to, length).mismatch(source.slice(from, length)), what);
            for (int i = to - GUARD; i < to; i++) {
                assertEquals(UNTOUCHED, target.get(i), what);
            }
            for (int i = to + length; i < Math.min(to + length + GUARD, target.capacity()); i++) {
                assertEquals(UNTOUCHED, target.get(i), what);
            }
            for (int i = to; i < to + length; i++) {
                target.put(i, UNTOUCHED);
            }
        }
    }
}
