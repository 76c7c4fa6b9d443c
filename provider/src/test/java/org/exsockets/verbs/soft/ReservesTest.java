package org.exsockets.verbs.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import org.exsockets.memory.SharedMapping;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory behind the regions of a segment: who takes it, what it costs, and what happens where there is none. */
class ReservesTest {
    private static final int REGION = 4096;
    private static final int RESERVE = 1 << 16;
    private static final int THERE = SegmentDescriptor.length(4, REGION);

    private MemoryFileSystem memory;
    private SoftDirectory directory;
    private Segment segment;
    private Path file;

    @BeforeEach
    void makeSegment() throws IOException {
        memory = MemoryFileSystem.create();
        directory = SoftDirectory.open(memory.root());
        String name = directory.newSegmentName();
        file = directory.segment(name);
        SharedMapping mapping = SharedMapping.create(file, THERE, SegmentDescriptor.length(4, REGION, RESERVE));
        segment = new Segment(name, mapping, 4, REGION, RESERVE);
        segment.format();
        segment.reset(1);
    }

    @AfterEach
    void removeFiles() throws IOException {
        segment.mapping().unmap();
        memory.close();
    }

    @Test
    void eachEndWritesToItsOwnAndReadsThePeers() {
        Reserves a = reserves(true);
        Reserves b = reserves(false);
        assertNull(a.ofPeer());
        WritableRegion ofA = a.take(RESERVE);
        WritableRegion ofB = b.take(RESERVE / 2);
        assertEquals(RESERVE, ofA.lengthBytes());
        assertEquals(RESERVE / 2, ofB.lengthBytes());
        ofA.memory().put(RESERVE - 1, (byte) 1);
        ofB.memory().put(0, (byte) 2);
        assertEquals(RESERVE, b.ofPeer().capacity());
        assertEquals(RESERVE / 2, a.ofPeer().capacity());
        assertEquals(1, b.ofPeer().get(RESERVE - 1));
        assertEquals(2, a.ofPeer().get(0));
        assertTrue(ofA.key() != ofB.key() && ofA.key() > 2 && ofB.key() > 2);
    }

    @Test
    void whatIsNotTakenHasNoPages() throws Exception {
        assertEquals(THERE, pagesBytes());
        assertEquals(THERE, segment.occupiedBytes());
        reserves(true).take(RESERVE / 2);
        assertEquals(THERE + RESERVE / 2, pagesBytes());
        assertEquals(THERE + RESERVE / 2, segment.occupiedBytes());
    }

    @Test
    void pagesAreThereForTheNextConnection() throws Exception {
        reserves(false).take(RESERVE);
        segment.reset(2);
        assertNull(reserves(true).ofPeer(), "taken by the connection before");
        FileTime written = Files.getLastModifiedTime(file);
        assertEquals(RESERVE, scarce(false).take(RESERVE).lengthBytes());
        assertEquals(written, Files.getLastModifiedTime(file));
    }

    @Test
    void whoComingBytesWaitsForFollowsIntoTheReserve() {
        Reserves a = reserves(true);
        Reserves b = reserves(false);
        WritableRegion ofA = a.take(RESERVE);
        b.ofPeer();
        a.coming().tell(ofA.memory(), RESERVE / 2, RESERVE / 4);
        assertEquals(RESERVE / 4, b.coming().bringNearer());
    }

    @Test
    void anEndThatMayHaveLessTakesLess() {
        assertEquals(RESERVE / 4, new Unscarce(true, RESERVE / 4).take(RESERVE).lengthBytes());
        assertEquals(RESERVE, new Unscarce(false, 2 * RESERVE).take(2 * RESERVE).lengthBytes());
    }

    @Test
    void anEndThatMayHaveNoMoreThanItsRegionHasNone() {
        Reserves none = new Unscarce(true, REGION);
        assertEquals(0, none.bytes());
        assertNull(none.take(RESERVE));
    }

    @Test
    void whereSharedMemoryIsScarceThereIsNoneForAWhile() {
        Reserves scarce = scarce(true);
        assertEquals(RESERVE, scarce.bytes());
        assertNull(scarce.take(RESERVE));
        assertEquals(0, scarce.bytes());
        assertNull(reserves(false).ofPeer());
    }

    @ParameterizedTest
    @ValueSource(strings = {"gone", "shorter", "longer", "a link"})
    void whereTheSegmentsNameLeadsElsewhereThereIsNone(String what) throws Exception {
        Path elsewhere = Files.move(file, memory.root().resolve("elsewhere"));
        switch (what) {
            case "gone" -> {}
            case "a link" -> Files.createSymbolicLink(file, elsewhere);
            default -> {
                try (FileChannel other = FileChannel.open(Files.createFile(file), StandardOpenOption.WRITE)) {
                    other.write(ByteBuffer.allocate(what.equals("shorter") ? 100 : THERE + 3 * RESERVE));
                }
            }
        }
        assertNull(reserves(true).take(RESERVE));
        assertEquals(THERE, segment.occupiedBytes());
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, 1, REGION / 2, REGION + 1, 2 * RESERVE, Integer.MAX_VALUE})
    void aPeerThatSaysItHasTakenWhatCannotBeHasTakenNothing(int bytes) {
        segment.taken(false, bytes);
        assertNull(reserves(true).ofPeer());
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, 2 * RESERVE, Integer.MAX_VALUE})
    void whatAPeerSaysOfItsPagesIsBounded(int bytes) {
        segment.there(false, bytes);
        assertEquals(THERE + RESERVE, segment.occupiedBytes());
    }

    @Test
    void aQuarterOfTheMemoryFileSystemIsLeftAlone() throws Exception {
        long total = memory.root().toFile().getTotalSpace();
        assumeTrue(memory.root().toFile().getUsableSpace() > total / 4 + (1 << 20), "the memory file system is full");
        assertTrue(directory.hasRoomFor(1));
        assertFalse(directory.hasRoomFor(total - total / 4 + (1 << 20)));
    }

    private class Unscarce extends Reserves {
        private Unscarce(boolean isA, int mostBytes) {
            super(directory, segment, isA, mostBytes);
        }

        @Override
        boolean hasRoomFor(int lengthBytes) {
            return true;
        }
    }

    private Reserves reserves(boolean isA) {
        return new Unscarce(isA, RESERVE);
    }

    private Reserves scarce(boolean isA) {
        return new Reserves(directory, segment, isA, RESERVE) {
            @Override
            boolean hasRoomFor(int lengthBytes) {
                return false;
            }
        };
    }

    /** {@return bytes of the segment's file that have been allocated: what stat(1) says} */
    private long pagesBytes() throws Exception {
        Process stat = new ProcessBuilder("stat", "-c", "%b", file.toString()).start();
        return 512 * Long.parseLong(new String(stat.getInputStream().readAllBytes()).trim());
    }
}
