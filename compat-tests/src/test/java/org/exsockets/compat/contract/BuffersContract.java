package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.RandomAccessFile;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.PeerJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every kind of buffer as source and as target of blocking transfers: positions, limits, and what stays untouched. */
@Tag("placed")
@Tag("noagent")
class BuffersContract extends Contract {
    private static final int LENGTH_BYTES = 10_000;

    /** So many that the hidden buffer of an EXS connection is gone through more than twice. */
    private static final int WAITING_READS = 20;

    @Test
    void directBufferIsWritten() throws Exception {
        ChannelLink link = connectedChannel();
        ByteBuffer source = ByteBuffer.allocateDirect(LENGTH_BYTES).put(Pattern.buffer(0, LENGTH_BYTES));
        assertEquals(LENGTH_BYTES, link.local().write(source.flip()));
        assertFalse(source.hasRemaining());
        link.remote().read(LENGTH_BYTES);
    }

    @Test
    void readOnlyBuffersAreWritten() throws Exception {
        ChannelLink link = connectedChannel();
        ByteBuffer heap = Pattern.buffer(0, 100).asReadOnlyBuffer();
        ByteBuffer direct = ByteBuffer.allocateDirect(100)
                .put(Pattern.buffer(100, 100))
                .flip()
                .asReadOnlyBuffer();
        assertEquals(100, link.local().write(heap));
        assertEquals(100, link.local().write(direct));
        link.remote().read(200);
    }

    @Test
    void readIntoAReadOnlyBufferIsRefused() throws Exception {
        SocketChannel local = connectedChannel().local();
        ByteBuffer readOnly = ByteBuffer.allocate(10).asReadOnlyBuffer();
        assertThrows(IllegalArgumentException.class, "Read-only buffer", () -> local.read(readOnly));
    }

    @Test
    void readIntoAReadOnlyBufferIsToldOfAnEndFirst() throws Exception {
        SocketChannel shut = connectedChannel().local();
        shut.shutdownInput();
        assertEquals(-1, shut.read(ByteBuffer.allocate(10).asReadOnlyBuffer()));

        ChannelLink link = connectedChannel();
        link.remote().abort();
        assertThrows(
                SocketException.class, "Connection reset", () -> link.local().read(ByteBuffer.allocate(1)));
        ByteBuffer[] targets = {ByteBuffer.allocate(1).asReadOnlyBuffer(), ByteBuffer.allocate(0)};
        assertThrows(
                SocketException.class, "Connection reset", () -> link.local().read(targets));
        assertThrows(
                SocketException.class, "Connection reset", () -> link.local().read(targets[0]));
    }

    @Test
    void onlyTheBytesBetweenPositionAndLimitAreWritten() throws Exception {
        ChannelLink link = connectedChannel();
        for (ByteBuffer source : new ByteBuffer[] {ByteBuffer.allocate(500), ByteBuffer.allocateDirect(500)}) {
            source.position(123).limit(200);
            int wroteBefore = source.isDirect() ? 77 : 0;
            source.put(Pattern.bytes(wroteBefore, 77)).position(123);
            assertEquals(77, link.local().write(source));
            assertEquals(200, source.position());
            assertEquals(200, source.limit());
        }
        link.remote().read(154);
    }

    @Test
    void onlyTheBytesBetweenPositionAndLimitAreFilled() throws Exception {
        ChannelLink link = connectedChannel();
        link.remote().write(1000);
        long at = 0;
        for (ByteBuffer target : new ByteBuffer[] {ByteBuffer.allocate(500), ByteBuffer.allocateDirect(500)}) {
            target.position(123).limit(200);
            assertEquals(77, link.local().read(target));
            assertEquals(200, target.position());
            assertEquals(0, target.get(122));
            target.limit(500);
            assertEquals(0, target.get(200));
            Pattern.check(at, target.duplicate().position(123).limit(200));
            at += 77;
        }
    }

    @Test
    void slicesOfSlicesAreWrittenAndFilled() throws Exception {
        ChannelLink link = connectedChannel();
        ByteBuffer source =
                ByteBuffer.allocate(1000).position(100).slice().position(50).slice();
        source.put(Pattern.bytes(0, 300)).flip();
        assertEquals(300, link.local().write(source));
        link.remote().read(300);
        link.remote().write(300);
        ByteBuffer whole = ByteBuffer.allocateDirect(1000);
        ByteBuffer target = whole.position(100).slice().position(50).limit(350).slice();
        readFully(link.local(), target);
        Pattern.check(0, whole.position(150).limit(450));
    }

    @Test
    void byteOrderOfABufferDoesNotMatter() throws Exception {
        ChannelLink link = connectedChannel();
        ByteBuffer source = ByteBuffer.allocateDirect(64).order(ByteOrder.LITTLE_ENDIAN);
        source.put(Pattern.bytes(0, 64)).flip();
        assertEquals(64, link.local().write(source));
        link.remote().read(64);
    }

    @Test
    void mappedFileIsWritten(@TempDir Path directory) throws Exception {
        Path file = Files.write(directory.resolve("pattern"), Pattern.bytes(0, 200_000));
        ChannelLink link = connectedChannel();
        var read = link.remote().startRead(200_000);
        try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "r")) {
            writeFully(link.local(), opened.getChannel().map(FileChannel.MapMode.READ_ONLY, 0, 200_000));
        }
        PeerJvm.await(read);
    }

    @Test
    void gatheringWriteTakesTheBuffersInOrder() throws Exception {
        ChannelLink link = connectedChannel();
        ByteBuffer[] sources = {
            Pattern.buffer(0, 10), ByteBuffer.allocate(0), direct(10, 1000), Pattern.buffer(1010, 5), direct(1015, 1)
        };
        assertEquals(1016, link.local().write(sources));
        assertTrue(Arrays.stream(sources).noneMatch(ByteBuffer::hasRemaining));
        link.remote().read(1016);
    }

    @Test
    void gatheringWriteWithAnOffsetTakesOnlyThoseBuffers() throws Exception {
        ChannelLink link = connectedChannel();
        ByteBuffer[] sources = {Pattern.buffer(7, 3), Pattern.buffer(0, 10), Pattern.buffer(10, 20), direct(9, 9)};
        assertEquals(30, link.local().write(sources, 1, 2));
        assertEquals(3, sources[0].remaining());
        assertEquals(9, sources[3].remaining());
        link.remote().read(30);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void gatheringWriteWritesABufferAsOftenAsItIsThere(boolean direct) throws Exception {
        ChannelPair pair = channelPair();
        ByteBuffer twice = direct ? ByteBuffer.allocateDirect(2) : ByteBuffer.allocate(2);
        twice.put((byte) ',').put((byte) ' ').flip();
        ByteBuffer end = ByteBuffer.wrap(new byte[] {'c'});
        ByteBuffer[] sources = {
            ByteBuffer.wrap(new byte[] {'a'}),
            twice,
            ByteBuffer.wrap(new byte[] {'b'}),
            twice,
            end,
            ByteBuffer.allocate(0)
        };
        assertEquals(7, pair.client().write(sources));
        assertTrue(Arrays.stream(sources).noneMatch(ByteBuffer::hasRemaining));
        ByteBuffer got = ByteBuffer.allocate(8);
        assertEquals(7, pair.server().read(got));
        assertEquals("a, b, c", new String(got.array(), 0, 7, StandardCharsets.US_ASCII));
    }

    @Test
    void gatheringWriteOfThousandsOfBuffersWritesThemAll() throws Exception {
        ChannelLink link = connectedChannel();
        ByteBuffer[] sources = new ByteBuffer[3000];
        for (int i = 0; i < sources.length; i++) {
            sources[i] = Pattern.buffer(i * 7L, 7);
        }
        long written = 0;
        while (written < 21_000) {
            written += link.local().write(sources);
        }
        link.remote().read(21_000);
    }

    @Test
    void readerThatWaitsGetsAllBuffersOfAGatheringWriteAtOnce() throws Exception {
        ChannelPair pair = channelPair();
        for (int i = 0; i < WAITING_READS; i++) {
            Background<Integer> read = Background.start(() -> pair.server().read(ByteBuffer.allocate(18_000)))
                    .awaitBlockedIn("read");
            ByteBuffer[] sources = {ByteBuffer.allocate(500), direct(0, 1), ByteBuffer.allocate(9_500)};
            assertEquals(10_001, pair.client().write(sources));
            assertEquals(10_001, read.result(), "read " + i);
        }
    }

    /** However the transport keeps them. */
    @Test
    void readerThatWaitsGetsAllBytesOfAWriteAtOnce() throws Exception {
        ChannelPair pair = channelPair();
        for (int i = 0; i < WAITING_READS; i++) {
            Background<Integer> read = Background.start(() -> pair.server().read(ByteBuffer.allocate(18_000)))
                    .awaitBlockedIn("read");
            assertEquals(10_000, pair.client().write(ByteBuffer.allocate(10_000)));
            assertEquals(10_000, read.result(), "read " + i);
        }
    }

    @Test
    void scatteringReadFillsTheBuffersInOrder() throws Exception {
        ChannelLink link = connectedChannel();
        link.remote().write(1000);
        ByteBuffer[] targets = {
            ByteBuffer.allocate(1), ByteBuffer.allocate(0), ByteBuffer.allocateDirect(300), ByteBuffer.allocate(2000)
        };
        long n = 0;
        while (n < 1000) {
            n += link.local().read(targets);
        }
        assertEquals(1000, n);
        Pattern.check(0, targets[0].flip());
        Pattern.check(1, targets[2].flip());
        Pattern.check(301, targets[3].flip());
    }

    @Test
    void scatteringReadWithAnOffsetFillsOnlyThoseBuffers() throws Exception {
        ChannelLink link = connectedChannel();
        link.remote().write(30);
        ByteBuffer[] targets = {ByteBuffer.allocate(5), ByteBuffer.allocate(10), ByteBuffer.allocate(20)};
        assertEquals(30, link.local().read(targets, 1, 2));
        assertEquals(0, targets[0].position());
        Pattern.check(0, targets[1].flip());
        Pattern.check(10, targets[2].flip());
    }

    @Test
    void scatteringReadAtTheEndReturnsMinusOne() throws Exception {
        ChannelLink link = connectedChannel();
        link.remote().close();
        assertEquals(-1, link.local().read(new ByteBuffer[] {ByteBuffer.allocate(1), ByteBuffer.allocate(1)}));
    }

    @Test
    void badArrayRangesAreRefused() throws Exception {
        SocketChannel local = connectedChannel().local();
        ByteBuffer[] two = {ByteBuffer.allocate(1), ByteBuffer.allocate(1)};
        assertThrowsA(IndexOutOfBoundsException.class, () -> local.write(two, 1, 2));
        assertThrowsA(IndexOutOfBoundsException.class, () -> local.write(two, -1, 1));
        assertThrowsA(IndexOutOfBoundsException.class, () -> local.read(two, 3, 0));
    }

    @Test
    void nullBuffersAreRefused() throws Exception {
        SocketChannel local = connectedChannel().local();
        assertThrowsA(NullPointerException.class, () -> local.read((ByteBuffer) null));
        assertThrowsA(NullPointerException.class, () -> local.write((ByteBuffer) null));
        ByteBuffer[] oneMissing = {ByteBuffer.allocate(1), null};
        assertThrowsA(NullPointerException.class, () -> local.read(oneMissing));
        assertThrowsA(NullPointerException.class, () -> local.write(oneMissing));
        local.shutdownInput();
        assertEquals(-1, local.read(oneMissing));
    }

    @Test
    void interruptIsToldBeforeAMissingBuffer() throws Exception {
        SocketChannel local = connectedChannel().local();
        Thread.currentThread().interrupt();
        assertThrows(ClosedByInterruptException.class, null, () -> local.read(new ByteBuffer[] {null}));
        assertTrue(Thread.interrupted());
        assertFalse(local.isOpen());
    }

    @Test
    void readTakesAllThatSeveralWritesHaveLeft() throws Exception {
        ChannelPair pair = channelPair();
        pair.client().setOption(StandardSocketOptions.TCP_NODELAY, true);
        for (int i = 0; i < 10; i++) {
            Background<Integer> read = startRead(pair.server());
            pair.client().write(ByteBuffer.allocate(3));
            assertEquals(1, read.result());
            pair.client().write(ByteBuffer.allocate(1));
            transport().awaitOthers();
            assertEquals(3, pair.server().read(ByteBuffer.allocate(7)));
        }
    }

    @Test
    void readIntoAFullBufferReturnsZeroAndTakesNothing() throws Exception {
        ChannelLink link = connectedChannel();
        link.remote().write(10);
        ByteBuffer full = ByteBuffer.allocate(10).position(10);
        assertEquals(0, link.local().read(full));
        readPattern(link.local(), 0, 10);
    }

    @Test
    void writeOfAnEmptyBufferReturnsZero() throws Exception {
        ChannelLink link = connectedChannel();
        assertEquals(0, link.local().write(ByteBuffer.allocate(0)));
        assertEquals(0, link.local().write(ByteBuffer.allocateDirect(10).position(10)));
        assertEquals(0, link.local().write(new ByteBuffer[] {ByteBuffer.allocate(0), ByteBuffer.allocate(0)}));
        link.local().write(Pattern.buffer(0, 5));
        link.remote().read(5);
    }

    @Test
    void sourceBufferMayBeReusedAtOnce() throws Exception {
        ChannelLink link = connectedChannel();
        for (ByteBuffer source : new ByteBuffer[] {ByteBuffer.allocate(50), ByteBuffer.allocateDirect(50)}) {
            source.put(Pattern.bytes(source.isDirect() ? 50 : 0, 50)).flip();
            assertEquals(50, link.local().write(source));
            source.clear().put(new byte[50]);
        }
        link.remote().read(100);
    }

    @Test
    void sourceBytesAreNotChanged() throws Exception {
        ChannelLink link = connectedChannel();
        byte[] bytes = Pattern.bytes(0, 3000);
        assertEquals(3000, link.local().write(ByteBuffer.wrap(bytes)));
        assertArrayEquals(Pattern.bytes(0, 3000), bytes);
    }

    private static ByteBuffer direct(long position, int lengthBytes) {
        return ByteBuffer.allocateDirect(lengthBytes)
                .put(Pattern.buffer(position, lengthBytes))
                .flip();
    }
}
