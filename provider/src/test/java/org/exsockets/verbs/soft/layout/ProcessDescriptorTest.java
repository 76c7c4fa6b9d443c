package org.exsockets.verbs.soft.layout;

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

class ProcessDescriptorTest {
    private final ByteBuffer memory = ByteBuffer.allocateDirect(ProcessDescriptor.LENGTH + 8)
            .alignedSlice(8)
            .order(ByteOrder.nativeOrder());

    @Test
    void offsetsAreThoseOfThePicture() {
        assertEquals(0, ProcessDescriptor.MAGIC_OFFSET);
        assertEquals(8, ProcessDescriptor.LAYOUT_OFFSET);
        assertEquals(16, ProcessDescriptor.TOKEN_OFFSET);
        assertEquals(4096, ProcessDescriptor.SIGNS_OFFSET);
        assertEquals(102_400, ProcessDescriptor.PAGES_OFFSET);
        assertEquals(102_400 + 255 * 128, ProcessDescriptor.pageOffset(255));
        assertEquals(135_168, ProcessDescriptor.LENGTH);
        assertEquals(0, ProcessDescriptor.KNOCK_OFFSET);
        assertEquals(8, ProcessDescriptor.LISTENING_OFFSET);
        assertEquals(16, ProcessDescriptor.FULL_OFFSET);
        byte[] magic = ByteBuffer.allocate(8).putLong(ProcessDescriptor.MAGIC).array();
        assertEquals("EXSPRC01", new String(magic, StandardCharsets.US_ASCII));
    }

    @ParameterizedTest
    @ValueSource(ints = {ProcessDescriptor.MAGIC_OFFSET, ProcessDescriptor.LAYOUT_OFFSET})
    void anotherHeaderIsNoProcess(int changed) {
        ProcessDescriptor.format(Words.of(memory), 77);
        assertTrue(ProcessDescriptor.isProcess(Words.of(memory)));
        assertEquals(77, ProcessDescriptor.token(Words.of(memory)));
        memory.put(changed, (byte) ~memory.get(changed));
        assertFalse(ProcessDescriptor.isProcess(Words.of(memory)));
    }

    @Test
    void aProcessWithoutATokenIsNone() {
        ProcessDescriptor.format(Words.of(memory), 0);
        assertFalse(ProcessDescriptor.isProcess(Words.of(memory)));
    }
}
