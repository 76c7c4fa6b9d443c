package org.exsockets.verbs.soft.copy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.exsockets.adapt.SharedTrials;
import org.exsockets.adapt.Trials;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RegionWriterTest {
    private static final byte UNTOUCHED = 0x5A;
    private static final int GUARD = 200;
    private static final int LONGEST = 70_000;
    private static final int RING_BYTES = 256 << 10;
    private static final int LINE = 64;

    private final ByteBuffer memory =
            ByteBuffer.allocateDirect(LONGEST + 3 * GUARD + LINE).alignedSlice(LINE);

    enum Kind {
        DIRECT,
        HEAP,
        HEAP_SLICE,
        DIRECT_READ_ONLY,
        HEAP_READ_ONLY;

        ByteBuffer of(byte[] bytes) {
            return switch (this) {
                case DIRECT -> ByteBuffer.allocateDirect(bytes.length).put(0, bytes);
                case HEAP -> ByteBuffer.wrap(bytes);
                case HEAP_SLICE -> {
                    ByteBuffer larger = ByteBuffer.allocate(bytes.length + 20);
                    larger.put(13, bytes);
                    yield larger.slice(13, bytes.length);
                }
                case DIRECT_READ_ONLY -> DIRECT.of(bytes).asReadOnlyBuffer();
                case HEAP_READ_ONLY -> HEAP.of(bytes).asReadOnlyBuffer();
            };
        }
    }

    /** A writer that copies past the caches from the first byte on. */
    private static RegionWriter pastCaches() {
        assumeTrue(NativeCopy.available(), NativeCopy.obstacle());
        return new RegionWriter(endlessly(true));
    }

    private static RegionWriter ordinary() {
        return new RegionWriter(endlessly(false));
    }

    /** One way, and never a trial of the other. */
    private static Trials endlessly(boolean pastCaches) {
        return new Trials(RegionWriter.RULE, new SharedTrials(), Long.MAX_VALUE, pastCaches, () -> 0);
    }

    private void check(RegionWriter writer, Kind kind, int at, int length) {
        byte[] bytes = new byte[length + 11];
        new Random(at * 31L + length).nextBytes(bytes);
        ByteBuffer source = kind.of(bytes);
        byte[] expected = new byte[memory.capacity()];
        Arrays.fill(expected, UNTOUCHED);
        memory.put(0, expected);
        source.position(3);
        writer.put(memory, at, source, 7, length, RING_BYTES);
        assertEquals(3, source.position());
        System.arraycopy(bytes, 7, expected, at, length);
        assertEquals(-1, memory.mismatch(ByteBuffer.wrap(expected)), kind + " at " + at + " length " + length);
    }

    private void checkAll(RegionWriter writer, Kind kind) {
        for (int at : new int[] {GUARD, GUARD + 1, GUARD + 56, 256, 256 + 63}) {
            for (int length : new int[] {
                0, 1, 100, RegionWriter.MIN_BYTES - 1, RegionWriter.MIN_BYTES, 8191, 8192, 8193, 16384, 65536, LONGEST
            }) {
                check(writer, kind, at, length);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyKindOfBufferGoesPastTheCachesUnchanged(Kind kind) {
        checkAll(pastCaches(), kind);
    }

    @ParameterizedTest
    @EnumSource
    void everyKindOfBufferIsCopiedWithoutTheNativeHalf(Kind kind) {
        checkAll(ordinary(), kind);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nothingIsWrittenBeyondTheMemoryNorReadBeyondTheSource(boolean past) {
        RegionWriter writer = past ? pastCaches() : ordinary();
        ByteBuffer source = ByteBuffer.allocateDirect(4096);
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> writer.put(memory, memory.capacity() - 4095, source, 0, 4096, RING_BYTES));
        assertThrows(IndexOutOfBoundsException.class, () -> writer.put(memory, -1, source, 0, 4096, RING_BYTES));
        assertThrows(IndexOutOfBoundsException.class, () -> writer.put(memory, 0, source, 1, 4096, RING_BYTES));
        source.limit(4000);
        assertThrows(IndexOutOfBoundsException.class, () -> writer.put(memory, 0, source, 0, 4096, RING_BYTES));
        check(writer, Kind.DIRECT, GUARD, 4096);
    }

    @Test
    void anotherMemoryIsFollowed() {
        RegionWriter writer = pastCaches();
        ByteBuffer source = ByteBuffer.allocate(4096).put(0, (byte) 1);
        ByteBuffer other = ByteBuffer.allocateDirect(8192);
        for (int i = 1; i <= 3; i++) {
            source.put(0, (byte) i);
            writer.put(memory, 64, source, 0, 4096, RING_BYTES);
            assertEquals(i, memory.get(64));
            source.put(0, (byte) -i);
            writer.put(other, 64, source, 0, 4096, RING_BYTES);
            assertEquals(-i, other.get(64));
            assertEquals(i, memory.get(64));
        }
    }

    /** The segment, with room for reserves, is hundreds of times as long as the ring in it. */
    @Test
    void theOtherCopyIsTriedAsSoonInALongMemory() {
        assumeTrue(NativeCopy.available(), NativeCopy.obstacle());
        long[] nowNs = {0};
        RegionWriter writer = new RegionWriter(true, () -> nowNs[0] += 1_000);
        boolean first = writer.goesPastCaches();
        ByteBuffer segment = ByteBuffer.allocateDirect(64 << 20);
        ByteBuffer source = ByteBuffer.allocate(16 << 10);
        int bytes = 0;
        while (writer.goesPastCaches() == first) {
            writer.put(segment, 0, source, 0, source.capacity(), RING_BYTES);
            bytes += source.capacity();
            assertTrue(bytes <= 8 * RegionWriter.MIN_SAMPLE_BYTES, "not tried");
        }
    }
}
