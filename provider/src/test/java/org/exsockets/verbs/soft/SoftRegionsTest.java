package org.exsockets.verbs.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.exsockets.memory.SharedMapping;
import org.exsockets.verbs.ExposedRegion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Regions beyond the segment: their files and names, and what happens where there is no memory. */
class SoftRegionsTest {
    private static final int LENGTH = 1 << 16;

    private MemoryFileSystem memory;
    private SoftDirectory directory;
    private Segment segment;

    @BeforeEach
    void makeSegment() throws IOException {
        memory = MemoryFileSystem.create();
        directory = SoftDirectory.open(memory.root());
        String name = directory.newSegmentName();
        SharedMapping mapping = SharedMapping.create(directory.segment(name), SegmentDescriptor.length(4, 4096));
        segment = new Segment(name, mapping, 4, 4096);
        segment.format();
        directory.deleteSegment(name);
    }

    @AfterEach
    void removeFiles() throws IOException {
        segment.mapping().unmap();
        memory.close();
    }

    @Test
    void aRegionHasANameUntilThePeerHasMappedIt() throws Exception {
        SoftRegions a = regions(true);
        SoftRegions b = regions(false);
        for (SoftRegions[] way : new SoftRegions[][] {{a, b}, {b, a}}) {
            ExposedRegion region = way[0].expose(LENGTH);
            assertEquals(LENGTH, Files.size(memory.directory().resolve(onlyName())));
            WritableRegion reached = way[1].reach(region.address(), region.key(), LENGTH);
            assertEquals(List.of(), memory.names("s"));
            reached.memory().put(LENGTH - 1, (byte) 77);
            assertEquals(77, region.memory().get(LENGTH - 1));
            reached.unmap();
            region.release();
        }
    }

    @Test
    void aRegionThatNobodyReachesLeavesNothing() throws Exception {
        SoftRegions a = regions(true);
        a.expose(LENGTH).release();
        assertEquals(List.of(), memory.names("s"));
        a.expose(LENGTH);
        a.expose(2 * LENGTH);
        assertEquals(2, memory.names("s").size());
        a.releaseAll();
        a.releaseAll();
        assertEquals(List.of(), memory.names("s"));
    }

    @Test
    void whoWaitsFetchesFromTheRegionUntilItIsGivenBack() throws Exception {
        SoftRegions a = regions(true);
        SoftRegions b = regions(false);
        ExposedRegion region = a.expose(LENGTH);
        WritableRegion reached = b.reach(region.address(), region.key(), LENGTH);
        b.coming().tell(reached.memory(), LENGTH / 2, LENGTH / 4);
        assertEquals(LENGTH / 4, a.coming().bringNearer());
        region.release();
        b.coming().tell(reached.memory(), 0, LENGTH / 4);
        assertEquals(0, a.coming().bringNearer());
        reached.unmap();
    }

    @Test
    void whereSharedMemoryIsScarceThereIsNoRegion() throws Exception {
        SoftRegions scarce = new SoftRegions(directory, segment, true) {
            @Override
            boolean hasRoomFor(int lengthBytes) {
                return lengthBytes < LENGTH;
            }
        };
        assertNull(scarce.expose(LENGTH));
        assertEquals(List.of(), memory.names("s"));
        ExposedRegion smaller = scarce.expose(LENGTH / 2);
        assertNotNull(smaller);
        smaller.release();
    }

    @Test
    void whereAFileCannotBeMadeThereIsNoRegion() throws Exception {
        SoftRegions a = regions(true);
        Files.delete(memory.directory());
        assertNull(a.expose(LENGTH));
        Files.createDirectory(memory.directory());
    }

    @Test
    void aQuarterOfTheMemoryFileSystemIsLeftAlone() throws Exception {
        long total = memory.root().toFile().getTotalSpace();
        assumeTrue(memory.root().toFile().getUsableSpace() > total / 4 + (1 << 20), "the memory file system is full");
        assertTrue(directory.hasRoomFor(1));
        assertFalse(directory.hasRoomFor(total - total / 4 + (1 << 20)));
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "-1, 0", "0, 1", "0, -1", "0, 2"})
    void aRegionOfAnotherKeyOrAddressIsNotReached(long address, int keyOffset) throws Exception {
        ExposedRegion region = regions(true).expose(LENGTH);
        assertNull(regions(false).reach(address, region.key() + keyOffset, LENGTH));
        region.release();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "k1-2-3-4", "../s", "s/../k", "s-gone", "s\0/etc/passwd"})
    void aNameThatIsNoRegionsIsNotReached(String name) throws Exception {
        ExposedRegion region = regions(true).expose(LENGTH);
        segment.regionName(true, name);
        assertNull(regions(false).reach(0, region.key(), LENGTH));
        region.release();
    }

    @ParameterizedTest
    @ValueSource(ints = {LENGTH / 2, LENGTH * 2})
    void aFileOfAnotherSizeIsNotReached(int size) throws Exception {
        ExposedRegion region = regions(true).expose(LENGTH);
        Path file = memory.directory().resolve(onlyName());
        Files.delete(file);
        try (FileChannel other = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            other.write(ByteBuffer.allocate(size));
        }
        assertNull(regions(false).reach(0, region.key(), LENGTH));
        region.release();
    }

    @Test
    void aLinkIsNotFollowed() throws Exception {
        ExposedRegion region = regions(true).expose(LENGTH);
        Path file = memory.directory().resolve(onlyName());
        Path target = Files.move(file, memory.root().resolve("elsewhere"));
        Files.createSymbolicLink(file, target);
        assertNull(regions(false).reach(0, region.key(), LENGTH));
        region.release();
    }

    private SoftRegions regions(boolean isA) {
        return new SoftRegions(directory, segment, isA) {
            @Override
            boolean hasRoomFor(int lengthBytes) {
                return true;
            }
        };
    }

    private String onlyName() throws IOException {
        List<String> names = memory.names("s");
        assertEquals(1, names.size(), names.toString());
        return names.get(0);
    }
}
