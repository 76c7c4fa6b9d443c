package org.exsockets.verbs.soft;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.exsockets.verbs.ProgramMemory;
import org.exsockets.verbs.QueuePair;
import org.exsockets.verbs.WorkCompletion;
import org.exsockets.verbs.WorkCompletion.Status;
import org.exsockets.verbs.WorkRequest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes of a peer straight into memory of the program. */
class DirectWritesTest extends SoftFixture {
    private static final int LENGTH = 1 << 20;

    private int page;
    private ByteBuffer target;
    private Pair pair;
    private ProgramMemory registered;
    private long address;

    @BeforeEach
    void allocateAndConnect() throws IOException {
        assumeTrue(NativeMemory.available(), NativeCopy.obstacle());
        page = NativeMemory.pageBytes();
        target = device().programAllocator().allocate(LENGTH);
        pair = connect();
        registered = pair.b().registered(target, 0, LENGTH);
        address = registered.remoteAddress(target, 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 5000, 1 << 16, LENGTH})
    void bytesGoStraightIntoTheProgramsMemory(int length) throws Exception {
        byte[] payload = bytes(length, 7);
        assertEquals(length, length == LENGTH ? registered.advertisable(target, 0, length) : length);
        assertTrue(pair.a().reaches(address, registered.rkey(), LENGTH));
        postReceive(pair.b(), 1);
        post(pair.a(), write(payload));
        post(
                pair.a(),
                new WorkRequest().writeWithImmediate(ByteBuffer.wrap(payload), 0, 1, address, registered.rkey(), 77));
        assertEquals(77, poll(pair.b()).immediate);
        byte[] got = new byte[length];
        target.get(0, got);
        assertArrayEquals(payload, got);
    }

    @Test
    void bothEndsWriteAndEitherMayHaveConnected() throws Exception {
        ProgramMemory ofA = pair.a().registered(target, 0, LENGTH);
        assertTrue(pair.b().reaches(address, ofA.rkey(), LENGTH));
        post(pair.b(), write(bytes(100, 1)));
        assertEquals(bytes(100, 1)[99], target.get(99));
    }

    @Test
    void ordinaryMemoryIsNotRegistered() {
        assertNull(pair.a().registered(ByteBuffer.allocateDirect(LENGTH), 0, LENGTH));
        assertNull(pair.a().registered(ByteBuffer.allocate(LENGTH), 0, LENGTH));
        assertNotNull(pair.a().registered(target.duplicate().position(5).slice(), page - 5, page));
    }

    @Test
    void anArenaIsMappedOnceForAllConnectionsAndUnmappedWithTheLast() throws Exception {
        PeerMappings<MappedArena> mappings =
                new PeerMappings<>(SoftDirectory.open(memory.root()), ProgramArenas.MAX_MAPPED);
        Arenas arenas = new Arenas(SoftDirectory.open(memory.root()));
        ArenaAllocation allocation = arenas.find(arenas.allocateAddress(page));
        MappedArena first = acquire(mappings, arenas.names(), allocation.rkey());
        assertEquals(first, acquire(mappings, arenas.names(), allocation.rkey()));
        assertEquals(1, mappings.size());
        mappings.release(first);
        mappings.release(first);
        assertEquals(1, mappings.size(), "kept for the next connection");
        acquire(mappings, arenas.names(), allocation.rkey());
        long retired = allocation.address();
        allocation.detach(NativeMemory.buffer(retired, page), 0, page);
        arenas.freeAddress(retired);
        assertTrue(first.isFreed());
        mappings.release(first);
        assertEquals(0, mappings.size());
    }

    private static MappedArena acquire(PeerMappings<MappedArena> mappings, String names, int key) throws IOException {
        Path file = mappings.directory().arena(names, ArenaDescriptor.number(key));
        return mappings.acquire(file, () -> MappedArena.open(key, file));
    }

    @Test
    void moreArenasThanAConnectionMayReachAreLeftOut() throws Exception {
        List<Arenas> owners = new ArrayList<>();
        int reached = 0;
        for (int i = 0; i < EndpointArenas.MAX_REACHED + 2; i++) {
            Arenas owner = new Arenas(SoftDirectory.open(memory.root()));
            owners.add(owner);
            ArenaAllocation each = owner.find(owner.allocateAddress(page));
            reached += pair.a().reaches(page, each.rkey(), page) ? 1 : 0;
        }
        assertEquals(EndpointArenas.MAX_REACHED, reached);
        for (Arenas each : owners) {
            each.removeNames();
        }
    }

    @ParameterizedTest
    @CsvSource({"-1", "0", "4095", "268435456", "9223372036854775807", "-9223372036854775808"})
    void whatLiesBeyondTheArenaIsOutOfReach(long at) {
        assumeTrue(page == 4096, "the offsets are those of small pages");
        assertFalse(pair.a().reaches(at, registered.rkey(), 1));
        assertFalse(pair.a().reaches(address, registered.rkey(), Long.MAX_VALUE));
        assertFalse(pair.a().reaches(address, registered.rkey(), -1));
        assertTrue(pair.a().reaches(address, registered.rkey(), LENGTH), "the connection goes on");
        WorkRequest beyond = write(new byte[1]);
        beyond.remoteAddress = at;
        assertRefused(beyond);
    }

    @Test
    void aKeyThatNobodyHasAdvertisedEndsTheConnectionThatUsesItOnly() throws Exception {
        int unknown = registered.rkey() ^ 1;
        assertFalse(pair.a().reaches(address, unknown, 1));
        WorkRequest request = write(new byte[1]);
        request.rkey = unknown;
        assertRefused(request);
        WorkRequest notReached = write(new byte[1]);
        Pair other = connect();
        assertEquals(QueuePair.IN_ERROR, other.a().queuePair().postSend(notReached));
        assertTrue(other.a().queuePair().inError());
        Pair third = connect();
        assertSendArrives(third.a(), third.b(), 5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "s1-2-3-", "a/../../etc/passwd-", "../a-", "a1-2-3-", "a\0-"})
    void namesThatAreNoArenasAreOutOfReach(String names) throws Exception {
        PeerMappings<MappedArena> mappings =
                new PeerMappings<>(SoftDirectory.open(memory.root()), ProgramArenas.MAX_MAPPED);
        try {
            acquire(mappings, names, registered.rkey());
        } catch (IOException expected) {
            assertEquals(0, mappings.size());
            return;
        }
        throw new AssertionError("mapped: " + names);
    }

    @ParameterizedTest
    @ValueSource(strings = {"truncated to a page", "truncated in the middle", "empty", "not an arena", "link", "fifo"})
    void aFileThatIsNoArenaIsOutOfReach(String what) throws Exception {
        Path file = memory.directory().resolve(memory.names("a").get(0));
        switch (what) {
            case "truncated to a page" -> truncate(file, page);
            case "truncated in the middle" -> truncate(file, Arenas.USUAL_BYTES / 2);
            case "empty" -> truncate(file, 0);
            case "not an arena" -> {
                Files.delete(file);
                Files.write(file, new byte[2 * page]);
            }
            case "link" ->
                Files.createSymbolicLink(file, Files.move(file, memory.root().resolve("elsewhere")));
            default -> {
                Files.delete(file);
                assumeTrue(new ProcessBuilder("mkfifo", file.toString()).start().waitFor() == 0, "no mkfifo");
            }
        }
        assertFalse(pair.a().reaches(address, registered.rkey(), 1));
        assertFalse(pair.a().queuePair().inError());
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 5000, LENGTH})
    void anArenaThatIsTruncatedLaterEndsTheConnectionOnly(int length) throws Exception {
        assertTrue(pair.a().reaches(address, registered.rkey(), LENGTH));
        post(pair.a(), write(new byte[length]));
        truncate(memory.directory().resolve(memory.names("a").get(0)), page);
        assertRefused(write(new byte[length]));
    }

    @Test
    void whatIsDetachedIsFoundInTheBufferReturned() throws Exception {
        assertTrue(pair.a().reaches(address, registered.rkey(), LENGTH));
        post(pair.a(), write(bytes(3 * page, 1)));
        ByteBuffer old = pair.b().detach(target, 0, 2 * page);
        byte[] held = new byte[2 * page];
        target.get(0, held);
        post(pair.a(), write(bytes(3 * page, 2)));
        byte[] now = new byte[2 * page];
        target.get(0, now);
        assertArrayEquals(held, now);
        byte[] late = new byte[2 * page];
        old.get(0, late);
        assertArrayEquals(Arrays.copyOf(bytes(3 * page, 2), 2 * page), late);
        assertEquals(bytes(3 * page, 2)[2 * page], target.get(2 * page));
        assertNull(pair.b().detach(ByteBuffer.allocateDirect(page), 0, page));
        assertEquals(0, registered.advertisable(target, 0, page));
    }

    @Test
    void writesUnderWayDuringDetachingAreInOneOfTheTwo() throws Exception {
        assertTrue(pair.a().reaches(address, registered.rkey(), LENGTH));
        Thread writer = new Thread(() -> {
            for (int i = 0; i < 2000; i++) {
                pair.a().queuePair().postSend(write(new byte[] {(byte) i}));
            }
        });
        writer.start();
        ByteBuffer old = pair.b().detach(target, 0, page);
        byte held = target.get(0);
        writer.join();
        assertEquals(held, target.get(0));
        assertEquals((byte) 1999, old.get(0));
    }

    private WorkRequest write(byte[] payload) {
        return new WorkRequest().write(ByteBuffer.wrap(payload), 0, payload.length, address, registered.rkey());
    }

    private void assertRefused(WorkRequest request) {
        assertEquals(QueuePair.IN_ERROR, pair.a().queuePair().postSend(request));
        assertTrue(pair.a().queuePair().inError());
        WorkCompletion completion = new WorkCompletion();
        assertTrue(pair.a().queuePair().completionQueue().poll(completion));
        assertEquals(Status.REM_ACCESS_ERR, completion.status);
    }

    private static void truncate(Path file, long length) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(length);
        }
    }
}
