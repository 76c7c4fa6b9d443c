package org.exsockets.verbs.soft.arena;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.exsockets.jdk.DescriptorPoll;
import org.exsockets.jdk.Futex;
import org.exsockets.verbs.DeviceOptions;
import org.exsockets.verbs.soft.copy.NativeCopy;
import org.exsockets.verbs.soft.host.MachineMemory;
import org.exsockets.verbs.soft.host.NativeMemory;
import org.exsockets.verbs.soft.host.OpenDescriptors;
import org.exsockets.verbs.soft.host.SpareMemory;
import org.exsockets.verbs.soft.shared.PeerMappings;
import org.exsockets.verbs.soft.shared.PeerProcess;
import org.exsockets.verbs.soft.shared.SharedBudget;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Memory of the program in arenas: as good as any other, and gone when it is freed. */
class ArenasTest {
    private static final SharedBudget BUDGET = new SharedBudget(new MachineMemory(), Long.MAX_VALUE);

    private final PeerMappings<MappedArena.Name, MappedArena> peers = new PeerMappings<>(MappedArena.MAX_MAPPED);

    /** Calls after which every compiler has been asked for a method. */
    private static final int ASKED_TO_COMPILE = 20_000;

    private Arenas arenas;
    private int page;

    @BeforeEach
    void open() throws IOException {
        DescriptorPoll.require();
        assumeTrue(NativeCopy.available(), NativeCopy.obstacle());
        arenas = new Arenas(BUDGET);
        page = NativeMemory.pageBytes();
    }

    @Test
    void aBufferIsLikeAnyOther() throws Exception {
        ByteBuffer buffer = arenas.allocate(3 * page + 1);
        assertTrue(buffer.isDirect());
        assertEquals(ByteOrder.BIG_ENDIAN, buffer.order());
        assertEquals(3 * page + 1, buffer.capacity());
        assertEquals(buffer.capacity(), buffer.remaining());
        assertEquals(0, Futex.address(buffer) % page);
        for (int i = 0; i < buffer.capacity(); i++) {
            assertEquals(0, buffer.get(i));
        }
        buffer.putLong(8, 42);
        assertEquals(42, buffer.slice(8, 8).getLong());
        assertEquals(42, buffer.duplicate().position(8).getLong());
        assertEquals(42, buffer.asReadOnlyBuffer().getLong(8));
        arenas.free(buffer);
    }

    /**
     * It is done in the JVM's thread for references, when there may be none left. Whoever asks for a method to be compiled makes the strings of
     * all literals of its class, so that has to be over before.
     */
    @Test
    void freeingTakesNoMemoryOfTheHeap() throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long keeper = arenas.allocateAddress(page);
        for (int i = 0; i < ASKED_TO_COMPILE; i++) {
            arenas.freeAddress(arenas.allocateAddress(page));
        }
        long[] addresses = new long[20];
        for (int i = 0; i < addresses.length; i++) {
            addresses[i] = arenas.allocateAddress((1L + i) * page);
        }
        threads.getCurrentThreadAllocatedBytes();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (long address : addresses) {
            arenas.freeAddress(address);
        }
        assertEquals(0, threads.getCurrentThreadAllocatedBytes() - before);
        assertTrue(arenas.freeAddress(keeper));
        assertFalse(arenas.freeAddress(keeper));
    }

    @Test
    void memoryComesWhenItIsTouchedGoesBackAndIsZeroAgain() throws Exception {
        ByteBuffer keeper = arenas.allocate(page);
        int memory = descriptorOf(keeper);
        long before = OpenDescriptors.usedBytes(memory);
        for (int i = 0; i < 10; i++) {
            ByteBuffer buffer = arenas.allocate(64 * page);
            assertEquals(before, OpenDescriptors.usedBytes(memory), "nobody has touched it");
            for (int at = 0; at < 64; at++) {
                assertEquals(0, buffer.getLong(at * page));
                buffer.putLong(at * page, 77);
            }
            assertEquals(before + 64L * page, OpenDescriptors.usedBytes(memory));
            arenas.free(buffer);
            assertEquals(before, OpenDescriptors.usedBytes(memory), "given back");
        }
        arenas.free(keeper);
    }

    @Test
    void withStrictOvercommitMemoryIsThereBeforeItIsTouched() throws Exception {
        arenas = new Arenas(new SharedBudget(new SpareMemory(Long.MAX_VALUE, true), Long.MAX_VALUE));
        ByteBuffer keeper = arenas.allocate(page);
        int memory = descriptorOf(keeper);
        assertEquals(2L * page, OpenDescriptors.usedBytes(memory), "with the arena's own page");
        ByteBuffer buffer = arenas.allocate(64 * page - 1);
        assertEquals(66L * page, OpenDescriptors.usedBytes(memory));
        assertEquals(0, buffer.get(64 * page - 2));
        arenas.free(buffer);
        assertEquals(2L * page, OpenDescriptors.usedBytes(memory), "given back");
        arenas.free(keeper);
    }

    @Test
    void tenThousandAllocationsOfAllSizesAreFoundAndLeaveNothing() throws Exception {
        long seed = Long.getLong("exs.test.seed", 1);
        Random random = new Random(seed);
        List<ByteBuffer> live = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            if (live.size() < 50 && random.nextInt(3) != 0) {
                ByteBuffer buffer = arenas.allocate(1 + random.nextInt(20 * page));
                assertEquals(0, buffer.get(random.nextInt(buffer.capacity())), "seed " + seed);
                buffer.put(0, (byte) i).put(buffer.capacity() - 1, (byte) i);
                live.add(buffer);
            } else if (!live.isEmpty()) {
                ByteBuffer buffer = live.remove(random.nextInt(live.size()));
                long address = Futex.address(buffer);
                ArenaAllocation allocation = arenas.find(address + random.nextInt(buffer.capacity()));
                assertSame(arenas.find(address), allocation, "seed " + seed);
                assertEquals(buffer.get(0), buffer.get(buffer.capacity() - 1), "seed " + seed);
                arenas.free(buffer);
                assertNull(arenas.find(address), "seed " + seed);
            }
        }
        live.forEach(arenas::free);
        assertTrue(arenas.count() <= 1, "one stays for the next allocation");
    }

    @Test
    void aBufferThatNobodyRefersToIsFreed() throws Exception {
        long address = allocateAndForget();
        while (arenas.find(address) != null) {
            System.gc();
        }
    }

    @Test
    void aViewKeepsTheBuffer() throws Exception {
        ByteBuffer view = arenas.allocate(2 * page).putInt(page, 42).slice(page, 4);
        for (int i = 0; i < 5; i++) {
            System.gc();
        }
        assertEquals(42, view.getInt(0));
        assertNotNull(arenas.find(Futex.address(view)));
    }

    @Test
    void severalArenasAreMadeWhenOneIsFullAndGoWhenTheyAreEmpty() throws Exception {
        List<ByteBuffer> buffers = new ArrayList<>();
        int large = (int) Arenas.USUAL_BYTES / 2;
        for (int i = 0; i < 3; i++) {
            // No address space is left for a second one beside the header.
            buffers.add(sparse(large));
        }
        assertEquals(3, arenas.count());
        for (ByteBuffer buffer : buffers) {
            assertTrue(arenas.find(Futex.address(buffer)).contains(Futex.address(buffer) + large - 1));
        }
        buffers.forEach(arenas::free);
        assertEquals(1, arenas.count());
    }

    @Test
    void anAllocationLargerThanAnArenaGetsOneOfItsOwn() throws Exception {
        int large = (int) Arenas.USUAL_BYTES + 1;
        ByteBuffer buffer = sparse(large);
        assertEquals(0, buffer.get(large - 1));
        buffer.put(large - 1, (byte) 1);
        arenas.free(buffer);
    }

    @ParameterizedTest
    @CsvSource({"0", "-1", "2147483647", "4294967296"})
    void impossibleLengthsAreRefused(long length) throws Exception {
        assertThrows(IOException.class, () -> arenas.allocateAddress(length));
        assertEquals(0, arenas.count());
    }

    @Test
    void onlyWhatWasAllocatedIsFreedAndOnlyOnce() throws Exception {
        ByteBuffer buffer = arenas.allocate(2 * page);
        ByteBuffer other = arenas.allocate(page);
        assertThrows(IllegalArgumentException.class, () -> arenas.free(buffer.slice(page, page)));
        assertThrows(IllegalArgumentException.class, () -> arenas.free(buffer.slice(0, page)));
        assertThrows(IllegalArgumentException.class, () -> arenas.free(ByteBuffer.allocate(page)));
        assertThrows(IllegalArgumentException.class, () -> arenas.free(ByteBuffer.allocateDirect(page)));
        assertFalse(arenas.freeAddress(Futex.address(buffer) + page));
        assertFalse(arenas.freeAddress(1));
        arenas.free(buffer.duplicate());
        assertThrows(IllegalArgumentException.class, () -> arenas.free(buffer));
        arenas.free(other);
    }

    @ParameterizedTest
    @CsvSource({
        // pages of the buffer, bytes beyond; offset and length asked for; bytes that may be advertised
        "4, 0, 0, 0, 4, 0, 4, 0",
        "4, 0, 1, 0, 2, 0, 2, 0",
        "4, 0, 1, 0, 2, 1, 2, 0",
        "4, 0, 1, 0, 0, 4095, 0, 0",
        "4, 0, 0, 1, 3, 0, 0, 0",
        "4, 0, 1, -1, 3, 0, 0, 0",
        "4, 7, 0, 0, 4, 7, 4, 7",
        "4, 7, 0, 0, 4, 6, 4, 0",
        "4, 7, 4, 0, 0, 7, 0, 7",
        "4, 7, 4, 0, 0, 6, 0, 0"
    })
    void onlyWholePagesOfTheBufferMayBeAdvertised(
            int pages, int beyond, int fromPages, int from, int lengthPages, int length, int expectPages, int expect)
            throws Exception {
        ByteBuffer buffer = arenas.allocate(pages * page + beyond);
        ArenaAllocation allocation = arenas.find(Futex.address(buffer));
        int wanted = lengthPages * page + length;
        int offset = fromPages * page + from;
        assertEquals(expectPages * page + expect, allocation.advertisable(buffer, offset, wanted));
        ByteBuffer view = buffer.slice(page / 2, buffer.capacity() - page / 2);
        if (offset >= page / 2) {
            assertEquals(expectPages * page + expect, allocation.advertisable(view, offset - page / 2, wanted));
            assertEquals(allocation.remoteAddress(buffer, offset), allocation.remoteAddress(view, offset - page / 2));
        }
        arenas.free(buffer);
    }

    @Test
    void memoryOfAnotherBufferIsNotAdvertised() throws Exception {
        ByteBuffer buffer = arenas.allocate(page);
        ByteBuffer other = arenas.allocate(page);
        ArenaAllocation allocation = arenas.find(Futex.address(buffer));
        assertEquals(0, allocation.advertisable(other, 0, page));
        assertEquals(0, allocation.advertisable(ByteBuffer.allocateDirect(page), 0, page));
        assertEquals(0, allocation.advertisable(ByteBuffer.allocate(page), 0, page));
        arenas.free(buffer);
        arenas.free(other);
    }

    @Test
    void detachedPagesKeepTheirContentAndAreTheProgramsAlone() throws Exception {
        ByteBuffer buffer = arenas.allocate(4 * page + 9);
        byte[] content = new byte[buffer.capacity()];
        new Random(1).nextBytes(content);
        buffer.put(0, content);
        ArenaAllocation allocation = arenas.find(Futex.address(buffer));
        MappedArena peer = mapped(allocation);
        int at = (int) allocation.remoteAddress(buffer, 0);

        ByteBuffer old = allocation.detach(buffer, page, 2 * page);
        assertEquals(2 * page, old.capacity());
        peer.memory().put(at + page + 3, (byte) ~content[page + 3]);
        peer.memory().put(at + 3, (byte) ~content[3]);
        byte[] after = new byte[buffer.capacity()];
        buffer.get(0, after);
        assertEquals((byte) ~content[3], after[3], "a page that was not taken away");
        after[3] = content[3];
        assertArrayEquals(content, after);
        assertEquals((byte) ~content[page + 3], old.get(3));
        assertEquals(content[page + 4], old.get(4));

        assertEquals(page, allocation.advertisable(buffer, 0, buffer.capacity()));
        assertEquals(0, allocation.advertisable(buffer, page, page));
        assertEquals(page + 9, allocation.advertisable(buffer, 3 * page, page + 9));
        assertNull(allocation.detach(buffer, page, page), "already the program's");
        assertNotNull(allocation.detach(buffer, 3 * page, page + 9), "with the last page, which is not whole");
        peer.memory().put(at + 4 * page, (byte) ~content[4 * page]);
        assertEquals(content[4 * page], buffer.get(4 * page));
        peers.release(peer);
        arenas.free(buffer);
    }

    /** Exported to one peer, say, and advertised to another; the former's connection is lost. */
    @Test
    void pagesThatWereTakenAwayAreNotDetachedAndTheRestCanStillBeTakenAway() throws Exception {
        ByteBuffer buffer = arenas.allocate(5 * page);
        ArenaAllocation allocation = arenas.find(Futex.address(buffer));
        MappedArena peer = mapped(allocation);
        int at = (int) allocation.remoteAddress(buffer, 0);
        assertTrue(allocation.takeAway(buffer, page, 10));
        assertNotNull(allocation.detach(buffer, 3 * page, page));
        assertEquals(0, allocation.advertisable(buffer, page, page));

        assertNull(allocation.detach(buffer, 0, 3 * page), "a peer would write to pages that nobody reads");
        peer.memory().put(at, (byte) 1);
        assertEquals(1, buffer.get(0), "nothing has changed");

        assertTrue(allocation.takeAway(buffer, 0, 5 * page));
        for (int i = 0; i < 5; i++) {
            peer.memory().put(at + i * page, (byte) (i + 2));
            assertEquals(i == 0 ? 1 : 0, buffer.get(i * page), "page " + i);
        }
        assertTrue(allocation.takeAway(buffer, 0, 5 * page), "again");
        arenas.free(buffer);
        assertFalse(allocation.takeAway(buffer, 0, page), "somebody else's by now");
        peers.release(peer);
    }

    /** A receive that waits for all of its bytes has got some. */
    @Test
    void bytesAreDetachedFromWithinAPageOn() throws Exception {
        ByteBuffer buffer = arenas.allocate(3 * page);
        ArenaAllocation allocation = arenas.find(Futex.address(buffer));
        MappedArena peer = mapped(allocation);
        int at = (int) allocation.remoteAddress(buffer, 0);

        ByteBuffer old = allocation.detach(buffer, 1000, 2 * page - 1000);
        assertEquals(2 * page - 1000, old.capacity());
        for (int each : new int[] {0, 1000, page, 2 * page - 1}) {
            peer.memory().put(at + each, (byte) 7);
            assertEquals(0, buffer.get(each));
        }
        assertEquals(7, old.get(0));
        assertEquals(7, old.get(page - 1000));
        assertEquals(7, old.get(2 * page - 1 - 1000));
        peer.memory().put(at + 2 * page, (byte) 8);
        assertEquals(8, buffer.get(2 * page), "a page that was not taken away");
        peers.release(peer);
        arenas.free(buffer);
    }

    @Test
    void pagesThatAPeerMayStillWriteToAreNobodysUntilTheArenaIsGone() throws Exception {
        ByteBuffer keeper = arenas.allocate(page);
        ByteBuffer buffer = arenas.allocate(page);
        ArenaAllocation allocation = arenas.find(Futex.address(buffer));
        MappedArena peer = mapped(allocation);
        int at = (int) allocation.remoteAddress(buffer, 0);
        ByteBuffer old = allocation.detach(buffer, 0, page);
        arenas.free(buffer);
        for (int i = 0; i < 10; i++) {
            ByteBuffer next = arenas.allocate(page);
            peer.memory().put(at, (byte) i);
            assertEquals(0, next.get(0));
            assertEquals(i, old.get(0));
            assertFalse(arenas.find(Futex.address(next)).rkey() == allocation.rkey());
        }
        assertFalse(peer.isFreed());
        arenas.free(keeper);
        assertTrue(peer.isFreed(), "the last allocation of a retired arena takes it along");
        peer.memory().put(at, (byte) 99);
        assertEquals(99, old.get(0), "mappings stay valid");
        peers.release(peer);
    }

    @Test
    void whereMemoryIsScarceThereIsNoArena() throws Exception {
        Arenas scarce = new Arenas(new SharedBudget(new SpareMemory(page), DeviceOptions.AUTO));
        IOException refused = assertThrows(IOException.class, () -> scarce.allocate(2 * page));
        assertTrue(refused.getMessage().contains("scarce"), refused.getMessage());
        assertEquals(0, scarce.count());
        scarce.free(scarce.allocate(page));
    }

    /** Not to be written to: it may be larger than what the machine has to spare. */
    private ByteBuffer sparse(int length) throws IOException {
        assumeTrue(BUDGET.hasRoomFor(2L * length), "too little memory");
        return arenas.allocate(length);
    }

    private long allocateAndForget() throws IOException {
        return Futex.address(arenas.allocate(page));
    }

    private MappedArena mapped(ArenaAllocation allocation) throws IOException {
        MappedArena mapped = peers.keep(MappedArena.open(new PeerProcess.Name(1, 1), allocation.descriptor()));
        assertEquals(allocation.rkey(), mapped.key());
        return mapped;
    }

    private int descriptorOf(ByteBuffer buffer) {
        return arenas.find(Futex.address(buffer)).descriptor();
    }

    /** The table of its pages is longer than any array. */
    @Test
    void anArenaForWhichTheHeapHasNoRoomLeavesNothing() throws Exception {
        OpenDescriptors before = OpenDescriptors.now();
        long length = Integer.MAX_VALUE * (long) page;
        assertThrows(OutOfMemoryError.class, () -> Arena.create(1, length, false));
        assertEquals(0, OpenDescriptors.now().moreThan(before));
        for (String mapping : Files.readAllLines(Path.of("/proc/self/maps"))) {
            String[] ends = mapping.substring(0, mapping.indexOf(' ')).split("-");
            assertTrue(Long.parseUnsignedLong(ends[1], 16) - Long.parseUnsignedLong(ends[0], 16) < length, mapping);
        }
    }
}
