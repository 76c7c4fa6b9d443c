package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Over;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.PeerJvm;
import org.exsockets.compat.harness.Transport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** {@link FileChannel#transferTo} a socket channel. */
@Tag("fallback")
class FileTransfersContract extends Contract {
    /** More than any transport keeps under way, so that a transfer to a peer that does not read blocks. */
    private static final int LARGE_BYTES = 24 << 20;

    private static final int FILE_BYTES = 3_000_000;

    /** JDK-8310902: before, a transfer took the bare descriptor of the socket. */
    private static final boolean TRANSFERS_USE_THE_CHANNEL = Runtime.version().feature() >= 22;

    @TempDir
    private static Path directory;

    private static Path file;
    private static Path large;

    @BeforeAll
    static void makeFiles() throws IOException {
        file = Files.write(directory.resolve("file"), Pattern.bytes(0, FILE_BYTES));
        large = Files.write(directory.resolve("large"), Pattern.bytes(0, LARGE_BYTES));
    }

    @Test
    void wholeFileArrives() throws Exception {
        ChannelLink link = connectedChannel();
        CompletableFuture<String> read = link.remote().startRead(FILE_BYTES);
        assertEquals(FILE_BYTES, open(file).transferTo(0, FILE_BYTES, link.local()));
        PeerJvm.await(read);
    }

    @Test
    void wholeFileArrivesFromAnAcceptedChannel() throws Exception {
        ChannelLink link = acceptedChannel();
        CompletableFuture<String> read = link.remote().startRead(FILE_BYTES);
        assertEquals(FILE_BYTES, open(file).transferTo(0, FILE_BYTES, link.local()));
        PeerJvm.await(read);
    }

    @Test
    void piecesOfAFileArriveInTheOrderOfTheTransfers() throws Exception {
        ChannelLink link = connectedChannel();
        FileChannel source = open(file);
        long at = 0;
        for (int length : new int[] {1, 2, 511, 4095, 4096, 4097, 8191, 8192, 8193, 65_535, 65_536, 65_537, 131_073}) {
            assertEquals(length, source.transferTo(at, length, link.local()));
            at += length;
            link.remote().read(length);
        }
    }

    @Test
    void transfersAndWritesKeepTheirOrder() throws Exception {
        ChannelLink link = connectedChannel();
        FileChannel source = open(file);
        CompletableFuture<String> read = link.remote().startRead(4 * 100_000);
        for (int i = 0; i < 4; i++) {
            if (i % 2 == 0) {
                assertEquals(100_000, source.transferTo(i * 100_000, 100_000, link.local()));
            } else {
                writeFully(link.local(), Pattern.buffer(i * 100_000, 100_000));
            }
        }
        PeerJvm.await(read);
    }

    @Test
    void positionOfTheFileIsNeitherUsedNorChanged() throws Exception {
        ChannelLink link = connectedChannel();
        FileChannel source = open(file).position(1234);
        assertEquals(1000, source.transferTo(0, 1000, link.local()));
        assertEquals(1234, source.position());
        link.remote().read(1000);
    }

    @Test
    void countBeyondTheEndOfTheFileSendsWhatThereIs() throws Exception {
        ChannelLink link = connectedChannel();
        Path small = Files.write(directory.resolve("small"), Pattern.bytes(0, 700));
        assertEquals(700, open(small).transferTo(0, Long.MAX_VALUE, link.local()));
        link.remote().read(700);
    }

    @Test
    void nothingIsSentFromTheEndOfTheFileOn() throws Exception {
        ChannelLink link = connectedChannel();
        FileChannel source = open(file);
        assertEquals(0, source.transferTo(FILE_BYTES, 10, link.local()));
        assertEquals(0, source.transferTo(FILE_BYTES + 1L, 10, link.local()));
        assertEquals(0, source.transferTo(Long.MAX_VALUE, 10, link.local()));
    }

    @Test
    void emptyFileSendsNothing() throws Exception {
        ChannelLink link = connectedChannel();
        assertEquals(0, open(Files.createFile(directory.resolve("empty"))).transferTo(0, 10, link.local()));
        writeFully(link.local(), Pattern.buffer(0, 5));
        link.remote().read(5);
    }

    @Test
    void countOfZeroSendsNothing() throws Exception {
        ChannelLink link = connectedChannel();
        assertEquals(0, open(file).transferTo(10, 0, link.local()));
    }

    @Test
    void negativePositionsAndCountsAreRefused() throws Exception {
        SocketChannel local = connectedChannel().local();
        FileChannel source = open(file);
        assertThrows(IllegalArgumentException.class, null, () -> source.transferTo(-1, 10, local));
        assertThrows(IllegalArgumentException.class, null, () -> source.transferTo(0, -1, local));
    }

    @Test
    void fileOpenedForWritingOnlyIsRefused() throws Exception {
        SocketChannel local = connectedChannel().local();
        FileChannel writeOnly = closing(FileChannel.open(file, StandardOpenOption.WRITE));
        assertThrows(NonReadableChannelException.class, null, () -> writeOnly.transferTo(0, 10, local));
    }

    @Test
    void closedFileIsRefused() throws Exception {
        SocketChannel local = connectedChannel().local();
        FileChannel closed = open(file);
        closed.close();
        assertThrows(ClosedChannelException.class, null, () -> closed.transferTo(0, 10, local));
        assertTrue(local.isOpen());
    }

    @Test
    void closedChannelIsRefused() throws Exception {
        SocketChannel local = connectedChannel().local();
        local.close();
        FileChannel source = open(file);
        assertThrows(ClosedChannelException.class, null, () -> source.transferTo(0, 10, local));
        assertTrue(source.isOpen());
    }

    @Test
    void unconnectedChannelIsRefusedAndStaysOpen() throws Exception {
        SocketChannel unconnected = closing(SocketChannel.open());
        FileChannel source = open(file);
        if (TRANSFERS_USE_THE_CHANNEL) {
            assertThrows(NotYetConnectedException.class, null, () -> source.transferTo(0, 10, unconnected));
        } else {
            assertThrows(IOException.class, "Broken pipe", () -> source.transferTo(0, 10, unconnected));
        }
        assertTrue(unconnected.isOpen() && source.isOpen());
    }

    @Test
    void nothingCanBeSentAfterTheOutputWasShutDown() throws Exception {
        SocketChannel local = connectedChannel().local();
        local.shutdownOutput();
        FileChannel source = open(file);
        if (TRANSFERS_USE_THE_CHANNEL) {
            assertThrowsA(ClosedChannelException.class, () -> source.transferTo(0, 10, local));
        } else {
            assertThrows(IOException.class, "Broken pipe", () -> source.transferTo(0, 10, local));
            assertEquals(0, source.transferTo(0, 0, local));
        }
    }

    @Test
    void fileThatHasGrownIsSentToItsNewEnd() throws Exception {
        ChannelLink link = connectedChannel();
        Path growing = Files.write(directory.resolve("growing"), Pattern.bytes(0, 100));
        FileChannel source = open(growing);
        assertEquals(100, source.transferTo(0, 1000, link.local()));
        Files.write(growing, Pattern.bytes(100, 150), StandardOpenOption.APPEND);
        assertEquals(150, source.transferTo(100, 1000, link.local()));
        link.remote().read(250);
    }

    @Test
    void fileThatWasTruncatedIsSentToItsNewEnd() throws Exception {
        ChannelLink link = connectedChannel();
        Path shrinking = Files.write(directory.resolve("shrinking"), Pattern.bytes(0, 10_000));
        FileChannel source = closing(FileChannel.open(shrinking, StandardOpenOption.READ, StandardOpenOption.WRITE));
        source.truncate(600);
        assertEquals(600, source.transferTo(0, 10_000, link.local()));
        link.remote().read(600);
    }

    @Test
    void truncationDuringATransferEndsItAndNothingIsMadeUp() throws Exception {
        ChannelLink link = connectedChannel();
        Path shrinking = Files.copy(large, directory.resolve("shrinking-meanwhile"));
        FileChannel source = closing(FileChannel.open(shrinking, StandardOpenOption.READ, StandardOpenOption.WRITE));
        Background<Long> transfer = blockedTransfer(source, link);
        source.truncate(0);
        CompletableFuture<String> read = link.remote().startReadToEnd();
        long sent = transfer.result();
        link.local().close();
        assertTrue(sent > 0 && sent < LARGE_BYTES, () -> "sent=" + sent);
        assertEquals(sent, Long.parseLong(PeerJvm.await(read)));
    }

    @Test
    void deletedFileIsSentAsLongAsItIsOpen() throws Exception {
        ChannelLink link = connectedChannel();
        Path deleted = Files.write(directory.resolve("deleted"), Pattern.bytes(0, 5000));
        FileChannel source = open(deleted);
        Files.delete(deleted);
        assertEquals(5000, source.transferTo(0, 5000, link.local()));
        link.remote().read(5000);
    }

    @Test
    void holesOfAFileAreSentAsZeros() throws Exception {
        ChannelPair pair = channelPair();
        FileChannel source = closing(FileChannel.open(
                directory.resolve("holes"),
                StandardOpenOption.CREATE,
                StandardOpenOption.SPARSE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE));
        source.write(ByteBuffer.wrap(new byte[] {42}), 299_999);
        Background<Long> transfer = Background.start(() -> source.transferTo(0, 300_000, pair.client()));
        ByteBuffer received = ByteBuffer.allocate(300_000);
        readFully(pair.server(), received);
        assertEquals(300_000, transfer.result());
        assertEquals(42, received.get(299_999));
        assertEquals(ByteBuffer.allocate(299_999), received.position(0).limit(299_999));
    }

    @Test
    void blockedTransferGoesOnWhenThePeerReads() throws Exception {
        ChannelLink link = connectedChannel();
        Background<Long> transfer = blockedTransfer(open(large), link);
        CompletableFuture<String> read = link.remote().startRead(LARGE_BYTES - 1);
        assertEquals(LARGE_BYTES, transfer.result());
        PeerJvm.await(read);
    }

    @Test
    void transferDoesNotWaitForTheReadOfAnotherThread() throws Exception {
        ChannelLink link = connectedChannel();
        Background<Integer> read = startRead(link.local());
        assertEquals(1000, open(file).transferTo(0, 1000, link.local()));
        link.remote().read(1000);
        link.remote().write(1);
        assertEquals(1, read.result());
    }

    @Test
    void fullNonBlockingChannelTakesNothing() throws Exception {
        ChannelLink link = connectedChannel();
        link.local().configureBlocking(false);
        fill(link.local(), 0);
        assertEquals(0, open(large).transferTo(0, LARGE_BYTES, link.local()));
        assertTrue(link.local().isOpen());
    }

    @Test
    void nonBlockingChannelTakesWhatThereIsRoomForAndTheRestLater() throws Exception {
        ChannelLink link = connectedChannel();
        FileChannel source = open(large);
        try (Selector selector = Selector.open()) {
            SelectionKey key = register(link.local(), selector, SelectionKey.OP_WRITE);
            long at = source.transferTo(0, LARGE_BYTES, link.local());
            assertTrue(at > 0 && at < LARGE_BYTES, "at=" + at);
            CompletableFuture<String> read = link.remote().startRead(LARGE_BYTES);
            while (at < LARGE_BYTES) {
                awaitReady(key, SelectionKey.OP_WRITE);
                at += source.transferTo(at, LARGE_BYTES - at, link.local());
            }
            assertEquals(LARGE_BYTES, at);
            PeerJvm.await(read);
        }
    }

    @Test
    void interruptOfABlockedTransferClosesTheFile() throws Exception {
        ChannelLink link = connectedChannel();
        FileChannel source = open(large);
        Background<Long> transfer = blockedTransfer(source, link);
        transfer.thread().interrupt();
        assertThrown(ClosedByInterruptException.class, null, transfer);
        assertFalse(source.isOpen());
        assertEquals(TRANSFERS_USE_THE_CHANNEL, !link.local().isOpen());
        if (link.local().isOpen()) {
            link.remote().write(1);
            assertEquals(1, link.local().read(ByteBuffer.allocate(2)), "a channel that is open can be used");
        }
    }

    @Test
    void transferOfAnInterruptedThreadClosesTheFile() throws Exception {
        ChannelLink link = connectedChannel();
        FileChannel source = open(file);
        Background<Long> transfer = Background.start(() -> {
            Thread.currentThread().interrupt();
            return source.transferTo(0, 10, link.local());
        });
        assertThrown(ClosedByInterruptException.class, null, transfer);
        assertFalse(source.isOpen());
        assertEquals(TRANSFERS_USE_THE_CHANNEL, !link.local().isOpen());
    }

    @Test
    void closeOfTheFileEndsABlockedTransferWithWhatWasSent() throws Exception {
        ChannelLink link = connectedChannel();
        FileChannel source = open(large);
        Background<Long> transfer = blockedTransfer(source, link);
        source.close();
        long sent = transfer.result();
        assertTrue(sent > 0 && sent < LARGE_BYTES, () -> "sent=" + sent);
        CompletableFuture<String> read = link.remote().startRead(sent + 9);
        writeFully(link.local(), Pattern.buffer(sent, 10));
        PeerJvm.await(read);
    }

    @Test
    void closeOfTheChannelEndsABlockedTransferWithWhatWasSent() throws Exception {
        assumeTrue(
                TRANSFERS_USE_THE_CHANNEL,
                "JDK 17 and 21 leave a thread inside sendfile alone when the socket is closed");
        ChannelLink link = connectedChannel();
        FileChannel source = open(large);
        Background<Long> transfer = blockedTransfer(source, link);
        link.local().close();
        long sent = transfer.result();
        assertTrue(sent > 0 && sent < LARGE_BYTES, () -> "sent=" + sent);
        assertTrue(source.isOpen());
    }

    @Test
    void transferToAPeerThatHasClosedSucceedsOnceAndThenFails() throws Exception {
        ChannelLink link = connectedChannel();
        FileChannel source = open(file);
        link.remote().close();
        awaitEndOfStream(link.local());
        assertEquals(100, source.transferTo(0, 100, link.local()));
        await("the answer to the first transfer", () -> fails(source, link.local()));
        assertThrows(IOException.class, "Broken pipe", () -> source.transferTo(0, 100, link.local()));
    }

    @Test
    void transferToAPeerThatHasResetFails() throws Exception {
        ChannelLink link = connectedChannel();
        FileChannel source = open(file);
        link.remote().abort();
        await("the reset", () -> fails(source, link.local()));
        assertThrows(IOException.class, "Broken pipe", () -> source.transferTo(0, 100, link.local()));
        assertTrue(link.local().isOpen() && source.isOpen());
    }

    @Test
    void resetByThePeerEndsABlockedTransferWithWhatWasSent() throws Exception {
        ChannelLink link = connectedChannel();
        FileChannel source = open(large);
        Background<Long> transfer = blockedTransfer(source, link);
        link.remote().abort();
        long sent = transfer.result();
        assertTrue(sent > 0 && sent < LARGE_BYTES, () -> "sent=" + sent);
        assertThrows(IOException.class, "Broken pipe", () -> source.transferTo(0, 100, link.local()));
    }

    @Test
    void sameFileGoesToSeveralChannelsAtOnce() throws Exception {
        FileChannel source = open(file);
        ChannelLink first = connectedChannel();
        ChannelLink second = connectedChannel();
        CompletableFuture<String> firstRead = first.remote().startRead(FILE_BYTES);
        CompletableFuture<String> secondRead = second.remote().startRead(FILE_BYTES);
        Background<Long> firstTransfer = Background.start(() -> source.transferTo(0, FILE_BYTES, first.local()));
        Background<Long> secondTransfer = Background.start(() -> source.transferTo(0, FILE_BYTES, second.local()));
        assertEquals(FILE_BYTES, firstTransfer.result());
        assertEquals(FILE_BYTES, secondTransfer.result());
        PeerJvm.await(firstRead);
        PeerJvm.await(secondRead);
    }

    @Test
    void transfersOfSeveralThreadsToOneChannelStayWhole() throws Exception {
        assumeTrue(TRANSFERS_USE_THE_CHANNEL, "JDK 17 and 21 call sendfile without the channel's lock");
        ChannelPair pair = channelPair();
        int length = 1_000_000;
        Path ones = Files.write(directory.resolve("ones"), filled(length, 1));
        Path twos = Files.write(directory.resolve("twos"), filled(length, 2));
        Background<Long> first = Background.start(() -> open(ones).transferTo(0, length, pair.client()));
        Background<Long> second = Background.start(() -> open(twos).transferTo(0, length, pair.client()));
        ByteBuffer received = ByteBuffer.allocate(2 * length);
        readFully(pair.server(), received);
        assertEquals(length, first.result());
        assertEquals(length, second.result());
        int changes = 0;
        for (int i = 1; i < 2 * length; i++) {
            changes += received.get(i) == received.get(i - 1) ? 0 : 1;
        }
        assertEquals(1, changes);
    }

    @Test
    void transferAllocatesNothingThatGrowsWithItsLength() throws Exception {
        ChannelLink link = connectedChannel();
        FileChannel source = open(large);
        int length = 2 << 20;
        CompletableFuture<String> read = link.remote().startRead(9L * length);
        long onceBytes = Long.MAX_VALUE;
        long twiceBytes = Long.MAX_VALUE;
        // The first ones may load classes and libraries, too.
        for (int i = 0; i < 3; i++) {
            long at = 3L * i * length;
            onceBytes = Math.min(onceBytes, allocatedBytes(() -> source.transferTo(at, length, link.local())));
            twiceBytes = Math.min(
                    twiceBytes, allocatedBytes(() -> source.transferTo(at + length, 2 * length, link.local())));
        }
        assertTrue(
                twiceBytes - onceBytes < 16 * 1024 && twiceBytes < 64 * 1024,
                "once=" + onceBytes + ", twice=" + twiceBytes);
        PeerJvm.await(read);
    }

    private static long allocatedBytes(Executable call) throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long beforeBytes = threads.getCurrentThreadAllocatedBytes();
        try {
            call.execute();
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
        return threads.getCurrentThreadAllocatedBytes() - beforeBytes;
    }

    private static boolean fails(FileChannel source, SocketChannel target) {
        try {
            source.transferTo(0, 100, target);
            return false;
        } catch (IOException expected) {
            return true;
        }
    }

    private static void awaitEndOfStream(SocketChannel channel) throws IOException {
        assertEquals(-1, channel.read(ByteBuffer.allocate(1)));
    }

    /** The JDK's native method behind which sendfile is; also where a channel has fallen back to TCP. */
    @Test
    @Over(Transport.TCP)
    void kernelCopies() throws Exception {
        assertEquals("transferTo0", framesOfABlockedTransfer().get(0).getMethodName());
    }

    @Test
    @Over(Transport.SOFT)
    void jdksLoopOverASmallArrayIsNotUsed() throws Exception {
        List<String> classes = framesOfABlockedTransfer().stream()
                .map(StackTraceElement::getClassName)
                .toList();
        assertTrue(classes.contains("org.exsockets.connection.FileCopy"), () -> "frames: " + classes);
    }

    /** Returns the frames, innermost first, of a thread that is blocked in a transfer to a peer that does not read. */
    private List<StackTraceElement> framesOfABlockedTransfer() throws Exception {
        ChannelLink link = connectedChannel();
        FileChannel source = open(large);
        Background<Long> transfer = blockedTransfer(source, link);
        List<StackTraceElement> frames = List.of(transfer.thread().getStackTrace());
        source.close();
        transfer.result();
        return frames;
    }

    /** Starts the transfer of the large file to a peer that reads no more than its first byte. */
    private static Background<Long> blockedTransfer(FileChannel source, ChannelLink link) throws Exception {
        Background<Long> transfer = Background.start(() -> source.transferTo(0, LARGE_BYTES, link.local()));
        link.remote().read(1);
        return transfer.awaitBlockedIn("transferTo");
    }

    private FileChannel open(Path path) throws IOException {
        return closing(FileChannel.open(path, StandardOpenOption.READ));
    }
}
