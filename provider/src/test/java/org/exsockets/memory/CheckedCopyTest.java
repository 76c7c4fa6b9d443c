package org.exsockets.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.exsockets.jdk.BufferInside;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Copies are those of {@link ByteBuffer#put(int, ByteBuffer, int, int)}, between buffers of all kinds, also what it refuses. */
class CheckedCopyTest {
    private static final int CAPACITY = 64;
    private static final int LIMIT = 50;

    private enum Kind {
        HEAP,
        HEAP_SLICE,
        HEAP_READ_ONLY,
        DIRECT,
        DIRECT_SLICE,
        DIRECT_READ_ONLY;

        boolean isReadOnly() {
            return this == HEAP_READ_ONLY || this == DIRECT_READ_ONLY;
        }

        /** {@return a buffer with its limit before its capacity, and its position where nobody looks} */
        ByteBuffer make(int seed) {
            boolean direct = ordinal() >= DIRECT.ordinal();
            ByteBuffer whole = direct ? ByteBuffer.allocateDirect(CAPACITY + 24) : ByteBuffer.allocate(CAPACITY + 24);
            for (int i = 0; i < whole.capacity(); i++) {
                whole.put(i, (byte) (seed + 3 * i));
            }
            ByteBuffer made = this == HEAP_SLICE || this == DIRECT_SLICE
                    ? whole.slice(13, CAPACITY)
                    : whole.limit(CAPACITY).slice();
            made.limit(LIMIT).position(7);
            return isReadOnly() ? made.asReadOnlyBuffer() : made;
        }
    }

    private record Pair(Kind target, Kind source) {}

    static Stream<Pair> pairs() {
        return Stream.of(Kind.values())
                .flatMap(target -> Stream.of(Kind.values()).map(source -> new Pair(target, source)));
    }

    @BeforeAll
    static void theJdkIsOpen() {
        assertNotNull(BufferInside.open(), "--add-exports is missing: what is tested would be put itself");
    }

    private static List<Byte> bytes(ByteBuffer buffer) {
        List<Byte> all = new ArrayList<>();
        for (int i = 0; i < buffer.limit(); i++) {
            all.add(buffer.get(i));
        }
        return all;
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void copiesAsPut(Pair pair) {
        for (int[] each : new int[][] {{0, 0, 0}, {0, 0, LIMIT}, {LIMIT, LIMIT, 0}, {3, 11, 17}, {LIMIT - 1, 0, 1}}) {
            ByteBuffer expected = pair.target.make(1);
            ByteBuffer target = pair.target.make(1);
            ByteBuffer source = pair.source.make(2);
            if (pair.target.isReadOnly()) {
                assertThrows(
                        ReadOnlyBufferException.class,
                        () -> CheckedCopy.copy(target, each[0], source, each[1], each[2]));
            } else {
                expected.put(each[0], source, each[1], each[2]);
                CheckedCopy.copy(target, each[0], source, each[1], each[2]);
            }
            assertEquals(bytes(expected), bytes(target), pair::toString);
            assertEquals(7, target.position());
            assertEquals(7, source.position());
        }
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void refusesWhatPutRefuses(Pair pair) {
        for (int[] each : new int[][] {
            {-1, 0, 1},
            {0, -1, 1},
            {0, 0, -1},
            {1, 0, LIMIT},
            {0, 1, LIMIT},
            {Integer.MAX_VALUE, 0, 2},
            {0, 2, Integer.MAX_VALUE}
        }) {
            ByteBuffer target = pair.target.make(1);
            ByteBuffer source = pair.source.make(2);
            RuntimeException expected =
                    assertThrows(RuntimeException.class, () -> target.put(each[0], source, each[1], each[2]));
            assertThrows(expected.getClass(), () -> CheckedCopy.copy(target, each[0], source, each[1], each[2]));
            assertEquals(bytes(pair.target.make(1)), bytes(target), pair::toString);
        }
    }

    @Test
    void piecesOfOneBufferMayOverlap() {
        for (Kind kind : List.of(Kind.HEAP_SLICE, Kind.DIRECT_SLICE)) {
            for (int distance : new int[] {-5, 5}) {
                ByteBuffer expected = kind.make(4);
                ByteBuffer buffer = kind.make(4);
                expected.put(10 + distance, expected.duplicate(), 10, 30);
                CheckedCopy.copy(buffer, 10 + distance, buffer, 10, 30);
                assertEquals(bytes(expected), bytes(buffer), kind::name);
            }
        }
    }
}
