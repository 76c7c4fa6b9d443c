package org.exsockets.verbs.soft.arena;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.exsockets.verbs.CompletionChannel;
import org.exsockets.verbs.CompletionQueue;
import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.ProgramMemory;
import org.exsockets.verbs.QueuePair;
import org.exsockets.verbs.WorkCompletion;
import org.exsockets.verbs.WorkCompletion.Status;
import org.exsockets.verbs.WorkRequest;
import org.exsockets.verbs.soft.copy.NativeCopy;
import org.exsockets.verbs.soft.host.LocalSocket;
import org.exsockets.verbs.soft.host.NativeMemory;
import org.exsockets.verbs.soft.host.OpenDescriptors;
import org.exsockets.verbs.soft.host.SharedMemory;
import org.exsockets.verbs.soft.layout.ArenaDescriptor;
import org.exsockets.verbs.soft.meet.SoftFixture;
import org.exsockets.verbs.soft.shared.Doorbell;
import org.exsockets.verbs.soft.shared.PeerMappings;
import org.exsockets.verbs.soft.shared.SegmentFixture;
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
        assumeTrue(NativeCopy.available(), NativeCopy.obstacle());
        page = NativeMemory.pageBytes();
        target = device().programAllocator().allocate(LENGTH);
        pair = connect();
        registered = pair.b().direct().lease(target, 0, LENGTH);
        address = registered.remoteAddress(target, 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 5000, 1 << 16, LENGTH})
    void bytesGoStraightIntoTheProgramsMemory(int length) throws Exception {
        byte[] payload = bytes(length, 7);
        assertEquals(length, length == LENGTH ? registered.advertisable(target, 0, length) : length);
        assertTrue(pair.a().direct().reach(address, registered.rkey(), LENGTH));
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
        ProgramMemory ofA = pair.a().direct().lease(target, 0, LENGTH);
        assertTrue(pair.b().direct().reach(address, ofA.rkey(), LENGTH));
        post(pair.b(), write(bytes(100, 1)));
        assertEquals(bytes(100, 1)[99], target.get(99));
    }

    @Test
    void ordinaryMemoryIsNotRegistered() {
        assertNull(pair.a().direct().lease(ByteBuffer.allocateDirect(LENGTH), 0, LENGTH));
        assertNull(pair.a().direct().lease(ByteBuffer.allocate(LENGTH), 0, LENGTH));
        assertNotNull(pair.a().direct().lease(target.duplicate().position(5).slice(), page - 5, page));
    }

    @Test
    void anArenaIsMappedOnceForAllConnectionsAndUnmappedWithTheLast() throws Exception {
        PeerMappings<MappedArena.Name, MappedArena> mapped = peerArenas();
        assertTrue(pair.a().direct().reach(address, registered.rkey(), 1));
        Pair other = connect();
        assertFalse(other.a().direct().reach(address, registered.rkey(), 1), "nobody has passed it there");
        assertNotNull(other.b().direct().lease(target, 0, LENGTH));
        assertTrue(other.a().direct().reach(address, registered.rkey(), 1));
        assertEquals(1, mapped.size());
        release(other);
        assertEquals(1, mapped.size());
        release(pair);
        assertEquals(0, mapped.size());
    }

    /** Events that have come before it stay for those who wait for them. */
    @Test
    void anArenaIsTakenFromBehindAnEvent() throws Exception {
        Pair other = connect();
        CompletionQueue queue = other.a().queuePair().completionQueue();
        queue.requestNotification();
        post(other.b(), new WorkRequest().send(ByteBuffer.allocate(0), 0, 0));
        assertNotNull(other.b().direct().lease(target, 0, LENGTH));
        CompletionChannel channel = other.a().queuePair().completionChannel();
        assertTrue(other.a().direct().reach(address, registered.rkey(), 1));
        assertEquals(CompletionChannel.EVENT, channel.drain());
        assertEquals(0, channel.drain());
        assertTrue(other.a().direct().reach(address, registered.rkey(), 1));
        release(other);
        assertEquals(0, peerArenas().size(), "it was seen twice");
    }

    @Test
    void moreArenasThanAConnectionMayReachAreLeftOut() throws Exception {
        List<Arena> all = new ArrayList<>();
        pair = connect();
        int reached = 0;
        for (int number = 1000; number < 1002 + EndpointArenas.MAX_REACHED; number++) {
            Arena arena = Arena.create(number, 4L * page, false);
            all.add(arena);
            pass(arena.descriptor);
            reached += pair.a().direct().reach(page, arena.key, page) ? 1 : 0;
        }
        assertEquals(EndpointArenas.MAX_REACHED, reached);
        assertEquals(EndpointArenas.MAX_REACHED, peerArenas().size());
        all.forEach(Arena::close);
    }

    @Test
    void anArenaThatIsFreedMakesRoomForAnother() throws Exception {
        for (int number = 1000; number < 1000 + 3 * EndpointArenas.MAX_REACHED; number++) {
            Arena arena = Arena.create(number, 4L * page, false);
            pass(arena.descriptor);
            assertTrue(pair.a().direct().reach(page, arena.key, page));
            arena.close();
        }
        assertTrue(peerArenas().size() <= EndpointArenas.MAX_REACHED);
    }

    /** As the peer would. */
    private void pass(int descriptor) {
        assertTrue(((Doorbell) pair.b().queuePair().completionChannel()).pass(descriptor));
    }

    private static void release(Pair ended) {
        ended.a().queuePair().disconnect(DisconnectReason.ORDERLY, 0);
        ended.b().queuePair().disconnect(DisconnectReason.ORDERLY, 0);
        ended.a().release();
        ended.b().release();
    }

    @ParameterizedTest
    @CsvSource({"-1", "0", "4095", "268435456", "9223372036854775807", "-9223372036854775808"})
    void whatLiesBeyondTheArenaIsOutOfReach(long at) {
        assumeTrue(page == 4096, "the offsets are those of small pages");
        assertFalse(pair.a().direct().reach(at, registered.rkey(), 1));
        assertFalse(pair.a().direct().reach(address, registered.rkey(), Long.MAX_VALUE));
        assertFalse(pair.a().direct().reach(address, registered.rkey(), -1));
        assertTrue(pair.a().direct().reach(address, registered.rkey(), LENGTH), "the connection goes on");
        WorkRequest beyond = write(new byte[1]);
        beyond.remoteAddress = at;
        assertRefused(beyond);
    }

    @Test
    void aKeyThatNobodyHasAdvertisedEndsTheConnectionThatUsesItOnly() throws Exception {
        int unknown = registered.rkey() ^ 1;
        assertFalse(pair.a().direct().reach(address, unknown, 1));
        WorkRequest request = write(new byte[1]);
        request.rkey = unknown;
        assertRefused(request);
        WorkRequest notReached = write(new byte[1]);
        Pair other = connect();
        assertEquals(QueuePair.IN_ERROR, notReached.postTo(other.a().queuePair()));
        assertTrue(other.a().queuePair().inError());
        Pair third = connect();
        assertSendArrives(third.a(), third.b(), 5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"not sealed", "not an arena", "a page", "a segment", "a process", "a socket"})
    void whatIsNoArenaIsOutOfReach(String what) throws Exception {
        pair = connect();
        SharedMemory memory = SharedMemory.create(what.equals("a page") ? page : 4 * page);
        ArenaDescriptor.format(memory.words(), 1 << 31 | 77, memory.memory().capacity());
        LocalSocket socket = LocalSocket.open();
        Path file = Files.createTempFile(Path.of("/dev/shm"), "exs", "test");
        try (RandomAccessFile unsealed = new RandomAccessFile(file.toFile(), "rw")) {
            int passed = memory.descriptor();
            switch (what) {
                case "not sealed" -> {
                    unsealed.setLength(4L * page);
                    byte[] header = new byte[ArenaDescriptor.LENGTH];
                    memory.memory().get(0, header);
                    unsealed.write(header);
                    passed = OpenDescriptors.numberOf(file);
                }
                case "not an arena" -> memory.memory().putLong(0, 1);
                case "a segment" ->
                    passed = SegmentFixture.newSegment(4, 4096, 0).mapping().descriptor();
                case "a process" -> passed = ownProcess().descriptor();
                case "a socket" -> passed = socket.descriptor();
                default -> {}
            }
            pass(passed);
            assertFalse(pair.a().direct().reach(page, 1 << 31 | 77, 1));
            assertFalse(pair.a().queuePair().inError());
            assertEquals(0, peerArenas().size());
            int number = passed; // What has been received is closed, if it is no memory by another thread.
            waitFor(() -> OpenDescriptors.now().like(number) == 1 ? true : null);
        } finally {
            Files.delete(file);
            socket.close();
            memory.unmap();
        }
    }

    @Test
    void whatIsDetachedIsFoundInTheBufferReturned() throws Exception {
        assertTrue(pair.a().direct().reach(address, registered.rkey(), LENGTH));
        post(pair.a(), write(bytes(3 * page, 1)));
        ByteBuffer old = pair.b().direct().detach(target, 0, 2 * page);
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
        assertNull(pair.b().direct().detach(ByteBuffer.allocateDirect(page), 0, page));
        assertEquals(0, registered.advertisable(target, 0, page));
    }

    @Test
    void writesUnderWayDuringDetachingAreInOneOfTheTwo() throws Exception {
        assertTrue(pair.a().direct().reach(address, registered.rkey(), LENGTH));
        Thread writer = new Thread(() -> {
            for (int i = 0; i < 2000; i++) {
                write(new byte[] {(byte) i}).postTo(pair.a().queuePair());
            }
        });
        writer.start();
        ByteBuffer old = pair.b().direct().detach(target, 0, page);
        byte held = target.get(0);
        writer.join();
        assertEquals(held, target.get(0));
        assertEquals((byte) 1999, old.get(0));
    }

    private WorkRequest write(byte[] payload) {
        return new WorkRequest().write(ByteBuffer.wrap(payload), 0, payload.length, address, registered.rkey());
    }

    private void assertRefused(WorkRequest request) {
        assertEquals(QueuePair.IN_ERROR, request.postTo(pair.a().queuePair()));
        assertTrue(pair.a().queuePair().inError());
        WorkCompletion completion = new WorkCompletion();
        assertTrue(pair.a().queuePair().completionQueue().poll(completion));
        assertEquals(Status.REM_ACCESS_ERR, completion.status);
    }
}
