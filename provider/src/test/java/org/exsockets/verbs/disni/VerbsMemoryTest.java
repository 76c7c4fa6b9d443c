package org.exsockets.verbs.disni;

import static org.exsockets.verbs.disni.VerbsHandles.errno;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.exsockets.jdk.SmallFiles;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class VerbsMemoryTest {
    private static final int PAGE = 4096;

    @BeforeAll
    static void load() throws IOException {
        VerbsHandles.assumeUsable();
    }

    @Test
    void memoryIsZeroedAlignedAndWritable() throws VerbsException {
        ByteBuffer memory = Verbs.allocate(3 * PAGE + 1);
        assertEquals(3 * PAGE + 1, memory.capacity());
        assertEquals(0, Verbs.address(memory) % PAGE);
        for (int i = 0; i < memory.capacity(); i++) {
            assertEquals(0, memory.get(i));
            memory.put(i, (byte) i);
        }
        assertEquals((byte) PAGE, memory.get(PAGE));
        Verbs.free(memory);
    }

    @Test
    void memoryIsOutsideTheLimitOfDirectBuffers() throws VerbsException {
        ByteBuffer memory = Verbs.allocate(Integer.MAX_VALUE);
        memory.put(Integer.MAX_VALUE - 1, (byte) 1);
        Verbs.free(memory);
    }

    @Test
    void impossibleSizesAreRefused() {
        for (long bytes : new long[] {0, -1, Long.MIN_VALUE, Integer.MAX_VALUE + 1L, Long.MAX_VALUE}) {
            assertEquals(VerbsException.EINVAL, errno(() -> Verbs.allocate(bytes)));
        }
    }

    @Test
    void onlyWhatWasAllocatedCanBeFreedAndOnlyOnce() throws VerbsException {
        ByteBuffer memory = Verbs.allocate(2 * PAGE);
        assertRefused(null);
        assertRefused(ByteBuffer.allocate(8));
        assertRefused(ByteBuffer.allocateDirect(8));
        assertRefused(memory.slice(PAGE, PAGE));
        Verbs.free(memory);
        assertRefused(memory);
    }

    /** A child of a native fork(2) could take pages that the adapter writes to. */
    @Test
    void aForkDoesNotCopyIt() throws IOException {
        ByteBuffer memory = Verbs.allocate(2 * PAGE);
        String flags = "";
        for (String line : SmallFiles.read(Path.of("/proc/self/smaps")).split("\n")) {
            if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
                String[] bounds = line.split("[- ]");
                boolean inside = Long.parseUnsignedLong(bounds[0], 16) <= Verbs.address(memory)
                        && Long.parseUnsignedLong(bounds[1], 16) > Verbs.address(memory);
                flags = inside ? "of this mapping" : "";
            } else if (!flags.isEmpty() && line.startsWith("VmFlags:")) {
                flags = line;
                break;
            }
        }
        assertTrue(List.of(flags.split(" +")).contains("dc"), flags);
        Verbs.free(memory);
    }

    /** Who knows the address of some that was freed knows nothing of what is there next. */
    @Test
    void memoryLiesWhereNoOtherHasLain() throws VerbsException {
        Set<Long> addresses = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            ByteBuffer memory = Verbs.allocate(2 * PAGE);
            assertTrue(addresses.add(Verbs.address(memory)), addresses.toString());
            Verbs.free(memory);
        }
    }

    @Test
    void manyAllocationsAreFreedInAnyOrder() throws VerbsException {
        List<ByteBuffer> all = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            all.add(Verbs.allocate(PAGE));
        }
        Collections.shuffle(all, new Random(1));
        for (ByteBuffer memory : all) {
            Verbs.free(memory);
            assertRefused(memory);
        }
    }

    private static void assertRefused(ByteBuffer memory) {
        assertEquals(VerbsException.EINVAL, errno(() -> Verbs.free(memory)));
    }

    @Test
    void theAddressIsThatOfTheFirstByte() throws VerbsException {
        ByteBuffer memory = ByteBuffer.allocateDirect(100);
        long address = Verbs.address(memory);
        assertTrue(address != 0);
        assertEquals(address, Verbs.address(memory.position(10)));
        assertEquals(address + 10, Verbs.address(memory.slice()));
        assertEquals(address, Verbs.address(memory.asReadOnlyBuffer()));
        assertThrows(IllegalArgumentException.class, () -> Verbs.address(null));
        assertThrows(IllegalArgumentException.class, () -> Verbs.address(ByteBuffer.allocate(1)));
    }
}
