package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link FileChannel#transferFrom} a socket channel. */
@Tag("placed")
@Tag("fallback")
class FileReceivesContract extends Contract {
    private static final int LARGE_BYTES = 24 << 20;

    @TempDir
    private Path directory;

    private Path path;
    private FileChannel file;

    @BeforeEach
    void openFile() throws IOException {
        path = directory.resolve("received");
        file = closing(
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    @Test
    void everythingArrivesInTheFile() throws Exception {
        ChannelLink link = connectedChannel();
        link.remote().startWrite(LARGE_BYTES);
        assertEquals(LARGE_BYTES, file.transferFrom(link.local(), 0, LARGE_BYTES));
        assertStored(0, LARGE_BYTES);
    }

    @Test
    void everythingArrivesThroughAnAcceptedChannel() throws Exception {
        ChannelLink link = acceptedChannel();
        link.remote().startWrite(1_000_000);
        assertEquals(1_000_000, file.transferFrom(link.local(), 0, 1_000_000));
        assertStored(0, 1_000_000);
    }

    @Test
    void piecesOfEverySizeArriveOneAfterTheOther() throws Exception {
        ChannelLink link = connectedChannel();
        long at = 0;
        for (int length : new int[] {1, 2, 511, 4095, 4096, 4097, 8191, 8192, 8193, 65_537, 131_071, 131_073}) {
            link.remote().startWrite(length);
            assertEquals(length, file.transferFrom(link.local(), at, length));
            at += length;
        }
        assertStored(0, (int) at);
    }

    @Test
    void bytesBehindTheCountStayInTheConnection() throws Exception {
        ChannelLink link = connectedChannel();
        link.remote().write(1000);
        assertEquals(300, file.transferFrom(link.local(), 0, 300));
        readPattern(link.local(), 300, 1000);
        assertStored(0, 300);
    }

    @Test
    void bytesArriveAtThePositionAndTheOthersStay() throws Exception {
        file.write(ByteBuffer.wrap(new byte[100]));
        ChannelLink link = connectedChannel();
        link.remote().write(20);
        assertEquals(20, file.transferFrom(link.local(), 50, 20));
        byte[] stored = Files.readAllBytes(path);
        assertEquals(100, stored.length);
        Pattern.check(0, stored, 50, 20);
        assertEquals(0, stored[49]);
        assertEquals(0, stored[70]);
    }

    @Test
    void positionOfTheFileIsNeitherUsedNorChanged() throws Exception {
        file.write(ByteBuffer.wrap(new byte[100]));
        file.position(77);
        ChannelLink link = connectedChannel();
        link.remote().write(20);
        assertEquals(20, file.transferFrom(link.local(), 0, 20));
        assertEquals(77, file.position());
    }

    @Test
    void positionBeyondTheEndOfTheFile() throws Exception {
        ChannelLink link = connectedChannel();
        link.remote().write(20);
        if (Runtime.version().feature() >= 21) {
            assertEquals(20, file.transferFrom(link.local(), 100, 20));
            assertEquals(120, file.size());
        } else {
            assertEquals(0, file.transferFrom(link.local(), 100, 20));
            readPattern(link.local(), 0, 20);
        }
    }

    @Test
    void countOfZeroTakesNothing() throws Exception {
        ChannelLink link = connectedChannel();
        link.remote().write(5);
        assertEquals(0, file.transferFrom(link.local(), 0, 0));
        readPattern(link.local(), 0, 5);
    }

    @Test
    void negativePositionsAndCountsAreRefused() throws Exception {
        SocketChannel local = connectedChannel().local();
        assertThrows(IllegalArgumentException.class, null, () -> file.transferFrom(local, -1, 10));
        assertThrows(IllegalArgumentException.class, null, () -> file.transferFrom(local, 0, -1));
    }

    @Test
    void fileOpenedForReadingOnlyIsRefused() throws Exception {
        SocketChannel local = connectedChannel().local();
        FileChannel readOnly = closing(FileChannel.open(path, StandardOpenOption.READ));
        assertThrows(NonWritableChannelException.class, null, () -> readOnly.transferFrom(local, 0, 10));
    }

    @Test
    void closedFileIsRefused() throws Exception {
        SocketChannel local = connectedChannel().local();
        file.close();
        assertThrows(ClosedChannelException.class, null, () -> file.transferFrom(local, 0, 10));
        assertTrue(local.isOpen());
    }

    @Test
    void closedChannelIsRefused() throws Exception {
        SocketChannel local = connectedChannel().local();
        local.close();
        assertThrows(ClosedChannelException.class, null, () -> file.transferFrom(local, 0, 10));
        assertTrue(file.isOpen());
    }

    @Test
    void unconnectedChannelIsRefused() throws Exception {
        SocketChannel unconnected = closing(SocketChannel.open());
        assertThrows(NotYetConnectedException.class, null, () -> file.transferFrom(unconnected, 0, 10));
        assertTrue(unconnected.isOpen() && file.isOpen());
    }

    @Test
    void endOfTheStreamEndsATransferWithWhatCame() throws Exception {
        ChannelLink link = connectedChannel();
        link.remote().write(12_345);
        link.remote().shutdownOutput();
        assertEquals(12_345, file.transferFrom(link.local(), 0, Long.MAX_VALUE));
        assertStored(0, 12_345);
        assertEquals(0, file.transferFrom(link.local(), 0, 10));
    }

    @Test
    void nothingComesAfterTheInputWasShutDown() throws Exception {
        ChannelLink link = connectedChannel();
        link.local().shutdownInput();
        assertEquals(0, file.transferFrom(link.local(), 0, 10));
    }

    @Test
    void transferWaitsForTheRest() throws Exception {
        ChannelLink link = connectedChannel();
        link.remote().write(100);
        Background<Long> transfer = Background.start(() -> file.transferFrom(link.local(), 0, 150));
        transfer.awaitBlockedIn("transferFrom");
        assertFalse(transfer.isDone());
        link.remote().write(50);
        assertEquals(150, transfer.result());
        assertStored(0, 150);
    }

    @Test
    void silentNonBlockingChannelGivesNothing() throws Exception {
        ChannelLink link = connectedChannel();
        link.local().configureBlocking(false);
        assertEquals(0, file.transferFrom(link.local(), 0, 100));
    }

    @Test
    void nonBlockingChannelGivesWhatIsThere() throws Exception {
        ChannelLink link = connectedChannel();
        int total = 3_000_000;
        link.remote().startWrite(total);
        try (Selector selector = Selector.open()) {
            SelectionKey key = register(link.local(), selector, SelectionKey.OP_READ);
            long at = 0;
            while (at < total) {
                awaitReady(key, SelectionKey.OP_READ);
                long n = file.transferFrom(link.local(), at, total - at);
                assertTrue(n > 0);
                at += n;
            }
        }
        assertStored(0, total);
    }

    @Test
    void interruptOfABlockedTransferClosesTheChannel() throws Exception {
        ChannelLink link = connectedChannel();
        Background<Long> transfer = blockedTransfer(link);
        transfer.thread().interrupt();
        assertThrown(ClosedByInterruptException.class, null, transfer);
        assertFalse(link.local().isOpen());
        assertEquals(Runtime.version().feature() < 22, file.isOpen());
    }

    @Test
    void interruptAfterSomeBytesEndsATransferWithThem() throws Exception {
        ChannelLink link = connectedChannel();
        link.remote().write(100);
        Background<Long> transfer = Background.start(() -> file.transferFrom(link.local(), 0, 1000));
        await("the bytes in the file", () -> size() == 100);
        transfer.awaitBlockedIn("transferFrom").thread().interrupt();
        assertEquals(100, transfer.result());
        assertFalse(link.local().isOpen());
        assertStored(0, 100);
    }

    @Test
    void closeOfTheChannelEndsABlockedTransfer() throws Exception {
        ChannelLink link = connectedChannel();
        Background<Long> transfer = blockedTransfer(link);
        link.local().close();
        assertThrown(AsynchronousCloseException.class, null, transfer);
        assertTrue(file.isOpen());
    }

    @Test
    void closeOfTheChannelAfterSomeBytesEndsATransferWithThem() throws Exception {
        ChannelLink link = connectedChannel();
        link.remote().write(100);
        Background<Long> transfer = Background.start(() -> file.transferFrom(link.local(), 0, 1000));
        await("the bytes in the file", () -> size() == 100);
        link.local().close();
        assertEquals(100, transfer.result());
        assertStored(0, 100);
    }

    @Test
    void resetByThePeerEndsABlockedTransfer() throws Exception {
        ChannelLink link = connectedChannel();
        Background<Long> transfer = blockedTransfer(link);
        link.remote().abort();
        assertThrown(SocketException.class, "Connection reset", transfer);
        assertTrue(link.local().isOpen() && file.isOpen());
    }

    @Test
    void resetByThePeerAfterSomeBytesEndsATransferWithThem() throws Exception {
        ChannelLink link = connectedChannel();
        link.remote().write(100);
        Background<Long> transfer = Background.start(() -> file.transferFrom(link.local(), 0, 1000));
        await("the bytes in the file", () -> size() == 100);
        link.remote().abort();
        assertEquals(100, transfer.result());
        assertStored(0, 100);
        assertThrows(SocketException.class, "Connection reset", () -> file.transferFrom(link.local(), 0, 10));
    }

    @Test
    void fileIsSentAndReceivedByTransfers() throws Exception {
        ChannelPair pair = channelPair();
        Path original = Files.write(directory.resolve("original"), Pattern.bytes(0, 5_000_000));
        FileChannel source = closing(FileChannel.open(original, StandardOpenOption.READ));
        Background<Long> sent = Background.start(() -> source.transferTo(0, 5_000_000, pair.client()));
        assertEquals(5_000_000, file.transferFrom(pair.server(), 0, 5_000_000));
        assertEquals(5_000_000, sent.result());
        assertEquals(-1, Files.mismatch(original, path));
    }

    private long size() {
        try {
            return file.size();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Background<Long> blockedTransfer(ChannelLink link) throws Exception {
        return Background.start(() -> file.transferFrom(link.local(), 0, 10)).awaitBlockedIn("transferFrom");
    }

    private void assertStored(long position, int length) throws IOException {
        assertArrayEquals(Pattern.bytes(position, length), Files.readAllBytes(path));
    }
}
