package org.exsockets.jdk;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectBufferOwnerTest {
    @Test
    void allocatedMemoryIsKnownByAllItsViews() {
        ByteBuffer whole = ByteBuffer.allocateDirect(100);
        assertTrue(DirectBufferOwner.isAllocated(whole));
        assertTrue(DirectBufferOwner.isAllocated(whole.duplicate()));
        assertTrue(DirectBufferOwner.isAllocated(whole.slice(10, 20)));
        assertTrue(DirectBufferOwner.isAllocated(whole.asReadOnlyBuffer()));
        assertTrue(DirectBufferOwner.isAllocated(
                whole.order(ByteOrder.LITTLE_ENDIAN).duplicate().slice(5, 50).slice(1, 2)));
    }

    @Test
    void memoryOnTheHeapIsNot() {
        assertFalse(DirectBufferOwner.isAllocated(ByteBuffer.allocate(100)));
    }

    @Test
    void aMappedFileIsNot(@TempDir Path directory) throws IOException {
        try (FileChannel file = FileChannel.open(
                directory.resolve("mapped"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            ByteBuffer mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, 4096);
            assertFalse(DirectBufferOwner.isAllocated(mapped));
        }
    }
}
