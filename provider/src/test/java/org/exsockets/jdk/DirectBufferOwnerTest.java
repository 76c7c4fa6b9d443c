package org.exsockets.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
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

    /** Whether mapped files are told depends on java.nio being open, as the agent makes it. */
    @Test
    void aMappedFileIsNotWhereItCanBeTold(@TempDir Path directory) throws IOException {
        boolean open = MappedByteBuffer.class.getModule().isOpen("java.nio", DirectBufferOwner.class.getModule());
        try (FileChannel file = FileChannel.open(
                directory.resolve("mapped"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            ByteBuffer mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, 4096);
            assertEquals(!open, DirectBufferOwner.isAllocated(mapped));
            assumeTrue(open, "java.nio is not open to the tests");
        }
    }
}
