package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.PeerJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Buffers of every kind and size class, alone and gathered or scattered. */
@Tag("placed")
@Tag("noagent")
class BufferKindsContract extends Contract {
    /** Around the sizes at which anything may be cut: words, cache lines, pages, transfers, buffers of the transport. */
    private static final int[] SIZES = {
        0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 48, 63, 64, 65, 127, 129, 255, 1000, 1023, 1025, 4095, 4096, 4097,
        8191, 8192, 8193, 16_383, 32_769, 65_535, 65_536, 65_537, 131_071, 131_072, 131_073, 262_145, 524_287, 524_288,
        524_289, 1_048_577
    };

    private static final long TOTAL = Arrays.stream(SIZES).asLongStream().sum();

    @TempDir
    private Path directory;

    @Test
    void memoryThatIsGoneOrAnotherThreadsIsRefusedAndTheStreamGoesOn() throws Exception {
        assumeTrue(Arenas.present(), "no arenas");
        ChannelLink link = connectedChannel();
        assertRefused("IllegalStateException", link, Arenas.closed());
        assertRefused(
                "WrongThreadException", link, Background.start(Arenas::confined).result());
        CompletableFuture<String> arrived = link.remote().startRead(5);
        writeFully(link.local(), Pattern.buffer(0, 5));
        assertEquals("5", PeerJvm.await(arrived));
        link.remote().write(5);
        readPattern(link.local(), 0, 5L);
    }

    private static void assertRefused(String exception, ChannelLink link, ByteBuffer buffer) {
        ByteBuffer good = Pattern.buffer(0, 3);
        ByteBuffer[] both = {good, buffer};
        for (Executable write : List.<Executable>of(
                () -> link.local().write(buffer), () -> link.local().write(both))) {
            RuntimeException refused = assertThrowsA(RuntimeException.class, write);
            assertEquals(exception, refused.getClass().getSimpleName());
        }
        assertEquals(0, good.position());
    }

    /** Where the bytes of a buffer are. */
    private enum Kind {
        HEAP,
        DIRECT,
        HEAP_SLICE,
        DIRECT_SLICE,
        MAPPED_SLICE
    }

    private ByteBuffer buffer(Kind kind, int size) throws IOException {
        return switch (kind) {
            case HEAP -> ByteBuffer.allocate(size);
            case DIRECT -> ByteBuffer.allocateDirect(size);
            case HEAP_SLICE -> ByteBuffer.allocate(size + 8).slice(5, size);
            case DIRECT_SLICE -> ByteBuffer.allocateDirect(size + 8).slice(3, size);
            case MAPPED_SLICE -> map(size + 1).slice(1, size);
        };
    }

    @ParameterizedTest
    @EnumSource
    void buffersOfEverySizeAreWritten(Kind kind) throws Exception {
        ChannelLink link = connectedChannel();
        CompletableFuture<String> read = link.remote().startRead(TOTAL);
        long at = 0;
        for (int size : SIZES) {
            ByteBuffer source = buffer(kind, size).put(Pattern.bytes(at, size)).flip();
            assertEquals(size, source.remaining());
            writeFully(link.local(), source);
            assertEquals(size, source.position());
            at += size;
        }
        PeerJvm.await(read);
    }

    @Test
    void readOnlyViewsOfEverySizeAreWritten() throws Exception {
        ChannelLink link = connectedChannel();
        CompletableFuture<String> read = link.remote().startRead(2 * TOTAL);
        long at = 0;
        for (int size : SIZES) {
            writeFully(link.local(), Pattern.buffer(at, size).asReadOnlyBuffer());
            at += size;
            ByteBuffer direct = ByteBuffer.allocateDirect(size).put(Pattern.bytes(at, size));
            writeFully(link.local(), direct.flip().asReadOnlyBuffer());
            at += size;
        }
        PeerJvm.await(read);
    }

    @Test
    void arraysOfEverySizeAreWrittenToAStream() throws Exception {
        SocketLink link = connectedSocket();
        CompletableFuture<String> read = link.remote().startRead(TOTAL);
        OutputStream out = link.local().getOutputStream();
        long at = 0;
        for (int size : SIZES) {
            byte[] array = new byte[size + 10];
            System.arraycopy(Pattern.bytes(at, size), 0, array, 7, size);
            out.write(array, 7, size);
            at += size;
        }
        PeerJvm.await(read);
    }

    @ParameterizedTest
    @EnumSource
    void buffersOfEverySizeAreFilled(Kind kind) throws Exception {
        ChannelLink link = connectedChannel();
        CompletableFuture<String> written = link.remote().startWrite(TOTAL);
        long at = 0;
        for (int size : SIZES) {
            ByteBuffer target = buffer(kind, size);
            readFully(link.local(), target);
            Pattern.check(at, target.flip());
            at += size;
        }
        PeerJvm.await(written);
    }

    @Test
    void arraysOfEverySizeAreReadFromAStream() throws Exception {
        SocketLink link = connectedSocket();
        CompletableFuture<String> written = link.remote().startWrite(TOTAL);
        InputStream in = link.local().getInputStream();
        long at = 0;
        for (int size : SIZES) {
            byte[] array = new byte[size + 10];
            assertEquals(size, in.readNBytes(array, 7, size));
            Pattern.check(at, array, 7, size);
            assertEquals(0, array[6]);
            assertEquals(0, array[size + 7]);
            at += size;
        }
        PeerJvm.await(written);
    }

    @Test
    void bytesBesideAFilledSliceStay() throws Exception {
        ChannelLink link = connectedChannel();
        link.remote().write(3 * 200);
        for (ByteBuffer whole : new ByteBuffer[] {ByteBuffer.allocate(300), ByteBuffer.allocateDirect(300), map(300)}) {
            whole.put(filled(300, 99)).clear();
            readFully(link.local(), whole.slice(51, 200));
            for (int i = 0; i < 300; i++) {
                if (i < 51 || i >= 251) {
                    assertEquals(99, whole.get(i), "byte beside the slice: index=" + i);
                }
            }
        }
    }

    @Test
    void writesOfAnAwkwardLengthGoRoundEveryBufferUndamaged() throws Exception {
        ChannelLink link = connectedChannel();
        int length = 7919;
        int times = 500;
        CompletableFuture<String> read = link.remote().startRead((long) length * times);
        ByteBuffer direct = ByteBuffer.allocateDirect(length);
        for (int i = 0; i < times; i++) {
            direct.clear().put(Pattern.bytes((long) length * i, length)).flip();
            writeFully(link.local(), direct);
        }
        PeerJvm.await(read);
    }

    @Test
    void readsOfAnAwkwardLengthGoRoundEveryBufferUndamaged() throws Exception {
        ChannelLink link = connectedChannel();
        int length = 7919;
        int times = 500;
        CompletableFuture<String> written = link.remote().startWrite((long) length * times);
        ByteBuffer direct = ByteBuffer.allocateDirect(length);
        for (int i = 0; i < times; i++) {
            readFully(link.local(), direct.clear());
            Pattern.check((long) length * i, direct.flip());
        }
        PeerJvm.await(written);
    }

    @Test
    void largeWriteIsReadByteByByte() throws Exception {
        ChannelLink link = connectedChannel();
        link.remote().write(3000);
        ByteBuffer one = ByteBuffer.allocateDirect(1);
        for (int i = 0; i < 3000; i++) {
            assertEquals(1, link.local().read(one.clear()));
            assertEquals(Pattern.at(i), one.get(0));
        }
    }

    @Test
    void singleBytesAreReadAtOnce() throws Exception {
        ChannelLink link = connectedChannel();
        link.remote().write(3000, 1);
        ByteBuffer all = ByteBuffer.allocate(3000);
        readFully(link.local(), all);
        Pattern.check(0, all.flip());
    }

    @Test
    void viewsOfBothByteOrdersCarryTheirBytes() throws Exception {
        ChannelPair pair = channelPair();
        for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
            ByteBuffer source = ByteBuffer.allocateDirect(24).order(order);
            source.asLongBuffer().put(0x0102030405060708L).put(-2).put(Long.MIN_VALUE);
            writeFully(pair.client(), source);
            ByteBuffer target = ByteBuffer.allocate(24).order(order);
            readFully(pair.server(), target);
            assertEquals(0x0102030405060708L, target.getLong(0));
            assertEquals(-2, target.getLong(8));
            assertEquals(Long.MIN_VALUE, target.getLong(16));
            assertEquals(order == ByteOrder.BIG_ENDIAN ? 1 : 8, target.get(0));
        }
    }

    @Test
    void duplicatesOfABufferAreWrittenIndependently() throws Exception {
        ChannelLink link = connectedChannel();
        ByteBuffer whole = ByteBuffer.allocateDirect(300).put(Pattern.bytes(0, 300));
        ByteBuffer first = whole.duplicate().position(0).limit(100);
        ByteBuffer rest = whole.duplicate().position(100).limit(300);
        writeFully(link.local(), first);
        assertEquals(100, rest.position());
        assertEquals(300, whole.position());
        writeFully(link.local(), rest);
        link.remote().read(300);
    }

    @Test
    void partOfANonBlockingWriteAdvancesTheBufferByWhatWasTaken() throws Exception {
        SocketChannel local = connectedChannel().local();
        local.configureBlocking(false);
        for (ByteBuffer source :
                new ByteBuffer[] {ByteBuffer.allocateDirect(24 << 20), ByteBuffer.allocate(24 << 20)}) {
            int n = local.write(source);
            assertEquals(n, source.position());
            assertEquals(24 << 20, source.limit());
            assertTrue(n < 24 << 20);
        }
    }

    @Test
    void partOfANonBlockingGatheringWriteLeavesLaterBuffersAlone() throws Exception {
        ChannelLink link = connectedChannel();
        link.local().configureBlocking(false);
        ByteBuffer[] sources = new ByteBuffer[6];
        for (int i = 0; i < sources.length; i++) {
            sources[i] = Pattern.buffer(i * 4_000_000L, 4_000_000);
        }
        long written = link.local().write(sources);
        assertTrue(written > 0 && written < 24_000_000, () -> "written=" + written);
        assertTakenInOrder(sources, written, 4_000_000);
        CompletableFuture<String> read = link.remote().startRead(24_000_000);
        try (Selector selector = Selector.open()) {
            SelectionKey key = register(link.local(), selector, SelectionKey.OP_WRITE);
            long at = written;
            while (at < 24_000_000) {
                awaitReady(key, SelectionKey.OP_WRITE);
                at += link.local().write(sources);
                assertTakenInOrder(sources, at, 4_000_000);
            }
        }
        PeerJvm.await(read);
    }

    @Test
    void gatheringWriteOfEverySizeAndKindKeepsTheOrder() throws Exception {
        ChannelLink link = connectedChannel();
        CompletableFuture<String> read = link.remote().startRead(TOTAL);
        ByteBuffer[] sources = new ByteBuffer[SIZES.length];
        long at = 0;
        for (int i = 0; i < SIZES.length; i++) {
            ByteBuffer each = i % 2 == 0 ? ByteBuffer.allocate(SIZES[i]) : ByteBuffer.allocateDirect(SIZES[i]);
            sources[i] = each.put(Pattern.bytes(at, SIZES[i])).flip();
            at += SIZES[i];
        }
        writeFully(link.local(), sources, TOTAL);
        PeerJvm.await(read);
    }

    @Test
    void scatteringReadOfEverySizeAndKindKeepsTheOrder() throws Exception {
        ChannelLink link = connectedChannel();
        CompletableFuture<String> written = link.remote().startWrite(TOTAL);
        ByteBuffer[] targets = new ByteBuffer[SIZES.length];
        for (int i = 0; i < SIZES.length; i++) {
            targets[i] = i % 2 == 0 ? ByteBuffer.allocate(SIZES[i]) : ByteBuffer.allocateDirect(SIZES[i]);
        }
        readFully(link.local(), targets, TOTAL);
        long at = 0;
        for (int i = 0; i < SIZES.length; i++) {
            Pattern.check(at, targets[i].flip());
            at += SIZES[i];
        }
        PeerJvm.await(written);
    }

    @Test
    void scatteringReadIntoThousandsOfBuffersFillsThemInOrder() throws Exception {
        ChannelLink link = connectedChannel();
        link.remote().write(15_000);
        ByteBuffer[] targets = new ByteBuffer[3000];
        for (int i = 0; i < targets.length; i++) {
            targets[i] = i % 3 == 0 ? ByteBuffer.allocateDirect(5) : ByteBuffer.allocate(5);
        }
        readFully(link.local(), targets, 15_000);
        for (int i = 0; i < targets.length; i++) {
            Pattern.check(i * 5L, targets[i].flip());
        }
    }

    @Test
    void emptyBuffersBetweenGatheredOnesAreSkipped() throws Exception {
        ChannelLink link = connectedChannel();
        ByteBuffer[] sources = new ByteBuffer[2100];
        for (int i = 0; i < sources.length; i++) {
            sources[i] = i == 2050 ? Pattern.buffer(0, 9) : ByteBuffer.allocate(0);
        }
        writeFully(link.local(), sources, 9);
        link.remote().read(9);
    }

    @Test
    void fullBuffersBetweenScatteredOnesAreSkipped() throws Exception {
        ChannelLink link = connectedChannel();
        link.remote().write(20);
        ByteBuffer full = ByteBuffer.allocate(5).position(5);
        ByteBuffer[] targets = {full, ByteBuffer.allocate(10), full, ByteBuffer.allocateDirect(10), full};
        readFully(link.local(), targets, 20);
        Pattern.check(0, targets[1].flip());
        Pattern.check(10, targets[3].flip());
    }

    @Test
    void rangesOfLengthZeroMoveNothing() throws Exception {
        ChannelLink link = connectedChannel();
        link.remote().write(5);
        ByteBuffer[] two = {ByteBuffer.allocate(5), ByteBuffer.allocate(5)};
        assertEquals(0, link.local().write(two, 0, 0));
        assertEquals(0, link.local().write(two, 2, 0));
        assertEquals(0, link.local().read(two, 1, 0));
        assertEquals(0, link.local().write(new ByteBuffer[0]));
        assertEquals(0, two[0].position() + two[1].position());
        readPattern(link.local(), 0, 5L);
    }

    @Test
    void lastBuffersOfAnArrayAreUsedAlone() throws Exception {
        ChannelLink link = connectedChannel();
        link.remote().write(10);
        ByteBuffer[] sources = {null, null, Pattern.buffer(0, 6)};
        assertEquals(6, link.local().write(sources, 2, 1));
        link.remote().read(6);
        ByteBuffer[] targets = {null, ByteBuffer.allocate(10)};
        assertEquals(10, link.local().read(targets, 1, 1));
        Pattern.check(0, targets[1].flip());
    }

    @Test
    void readOnlyBufferAmongScatteredOnesIsRefusedBeforeAnythingIsRead() throws Exception {
        ChannelLink link = connectedChannel();
        link.remote().write(10);
        ByteBuffer readOnly = ByteBuffer.allocate(5).asReadOnlyBuffer();
        ByteBuffer[] targets = {ByteBuffer.allocate(5), readOnly};
        assertThrowsA(IllegalArgumentException.class, () -> link.local().read(targets));
        assertEquals(0, targets[0].position());
        readPattern(link.local(), 0, 10);
    }

    @Test
    void readOnlyBufferOutsideTheRangeDoesNotMatter() throws Exception {
        ChannelLink link = connectedChannel();
        link.remote().write(5);
        ByteBuffer[] targets = {ByteBuffer.allocate(5), ByteBuffer.allocate(5).asReadOnlyBuffer()};
        assertEquals(5, link.local().read(targets, 0, 1));
    }

    @Test
    void nullAmongGatheredOrScatteredBuffersIsRefused() throws Exception {
        SocketChannel local = connectedChannel().local();
        ByteBuffer[] withNull = {ByteBuffer.allocate(5), null};
        assertThrowsA(NullPointerException.class, () -> local.read(withNull));
        assertThrowsA(NullPointerException.class, () -> local.read((ByteBuffer[]) null));
        assertThrowsA(NullPointerException.class, () -> local.write((ByteBuffer[]) null));
    }

    @Test
    void sameBytesMayBeGatheredTwice() throws Exception {
        ChannelPair pair = channelPair();
        ByteBuffer once = Pattern.buffer(0, 1000);
        writeFully(pair.client(), new ByteBuffer[] {once.duplicate(), once.duplicate()}, 2000);
        ByteBuffer received = ByteBuffer.allocate(2000);
        readFully(pair.server(), received);
        Pattern.check(0, received.duplicate().position(0).limit(1000));
        Pattern.check(0, received.duplicate().position(1000).limit(2000));
    }

    @Test
    void fullBufferReadsNothingAtTheEndOfTheStreamEither() throws Exception {
        ChannelLink link = connectedChannel();
        link.remote().shutdownOutput();
        assertEquals(-1, link.local().read(ByteBuffer.allocate(1)));
        assertEquals(0, link.local().read(ByteBuffer.allocate(0)));
        assertEquals(0, link.local().read(ByteBuffer.allocateDirect(3).position(3)));
        assertEquals(-1, link.local().read(ByteBuffer.allocate(1)));
    }

    private MappedByteBuffer map(int length) throws IOException {
        try (FileChannel file = FileChannel.open(
                directory.resolve("mapped"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            return file.map(FileChannel.MapMode.READ_WRITE, 0, length);
        }
    }

    private static void assertTakenInOrder(ByteBuffer[] sources, long taken, int each) {
        for (int i = 0; i < sources.length; i++) {
            long expected = Math.max(0, Math.min(each, taken - (long) i * each));
            assertEquals(expected, sources[i].position(), "buffer " + i);
        }
    }

    /** No call takes more buffers than the system's limit, and full ones count: each call begins behind them. */
    private static void readFully(SocketChannel channel, ByteBuffer[] targets, long total) throws IOException {
        long at = 0;
        while (at < total) {
            int first = firstUnfinished(targets);
            long n = channel.read(targets, first, targets.length - first);
            assertTrue(n > 0);
            at += n;
        }
    }

    /** As {@link #readFully(SocketChannel, ByteBuffer[], long)}. */
    private static void writeFully(SocketChannel channel, ByteBuffer[] sources, long total) throws IOException {
        long at = 0;
        while (at < total) {
            int first = firstUnfinished(sources);
            at += channel.write(sources, first, sources.length - first);
        }
    }

    private static int firstUnfinished(ByteBuffer[] buffers) {
        int first = 0;
        while (first < buffers.length && !buffers[first].hasRemaining()) {
            first++;
        }
        return first;
    }
}
