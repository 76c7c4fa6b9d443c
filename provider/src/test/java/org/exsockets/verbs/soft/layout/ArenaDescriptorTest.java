package org.exsockets.verbs.soft.layout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.exsockets.memory.Words;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArenaDescriptorTest {
    @Test
    void offsetsAreFixed() {
        assertEquals(0, ArenaDescriptor.MAGIC_OFFSET);
        assertEquals(8, ArenaDescriptor.LAYOUT_OFFSET);
        assertEquals(12, ArenaDescriptor.STATE_OFFSET);
        assertEquals(16, ArenaDescriptor.LENGTH_OFFSET);
        assertEquals(24, ArenaDescriptor.KEY_OFFSET);
        assertEquals(28, ArenaDescriptor.LENGTH);
    }

    @Test
    void aHeaderIsTheseBytes() {
        ByteBuffer header = header();
        ByteBuffer expected = ByteBuffer.allocate(ArenaDescriptor.LENGTH).order(ByteOrder.nativeOrder());
        expected.putLong(0x4558534152453031L)
                .putInt(2)
                .putInt(1)
                .putLong(1 << 28)
                .putInt(ArenaDescriptor.key(5));
        byte[] bytes = new byte[ArenaDescriptor.LENGTH];
        header.get(0, bytes);
        assertArrayEquals(expected.array(), bytes);
        byte[] magic = ByteBuffer.allocate(8).putLong(ArenaDescriptor.MAGIC).array();
        assertEquals("EXSARE01", new String(magic, StandardCharsets.US_ASCII));
    }

    @ParameterizedTest
    @ValueSource(ints = {ArenaDescriptor.MAGIC_OFFSET, ArenaDescriptor.LAYOUT_OFFSET, ArenaDescriptor.LENGTH_OFFSET})
    void anotherHeaderIsNoArenas(int changed) {
        ByteBuffer header = header();
        assertTrue(ArenaDescriptor.isArena(Words.of(header), 1 << 28));
        header.put(changed, (byte) ~header.get(changed));
        assertFalse(ArenaDescriptor.isArena(Words.of(header), 1 << 28));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void whateverAHeaderSaysIsAKeyOfArenas(int said) {
        ByteBuffer header = header().putInt(ArenaDescriptor.KEY_OFFSET, said);
        assertTrue(ArenaDescriptor.isKey(ArenaDescriptor.keyOf(Words.of(header))));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 12345, Integer.MAX_VALUE})
    void keysAreNumbersThatNoOtherRegionHas(int number) {
        assertTrue(ArenaDescriptor.isKey(ArenaDescriptor.key(number)));
        assertFalse(ArenaDescriptor.isKey(number));
    }

    private static ByteBuffer header() {
        ByteBuffer header = ByteBuffer.allocateDirect(64).alignedSlice(8).order(ByteOrder.nativeOrder());
        ArenaDescriptor.format(Words.of(header), ArenaDescriptor.key(5), 1 << 28);
        return header;
    }
}
