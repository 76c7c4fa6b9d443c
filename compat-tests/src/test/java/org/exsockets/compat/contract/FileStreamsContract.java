package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.PeerJvm;
import org.exsockets.compat.harness.PeerSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies between files and connections through streams, and the streams of {@link Channels} over a channel. */
@Tag("fallback")
class FileStreamsContract extends Contract {
    private static final int FILE_BYTES = 1_234_567;

    @TempDir
    private static Path directory;

    private static Path file;

    @BeforeAll
    static void makeFile() throws IOException {
        file = Files.write(directory.resolve("file"), Pattern.bytes(0, FILE_BYTES));
    }

    @Test
    void filesCopyGoesToASocket() throws Exception {
        SocketLink link = connectedSocket();
        CompletableFuture<String> read = link.remote().startRead(FILE_BYTES);
        assertEquals(FILE_BYTES, Files.copy(file, link.local().getOutputStream()));
        PeerJvm.await(read);
    }

    @Test
    void filesCopyComesFromASocket() throws Exception {
        SocketLink link = connectedSocket();
        CompletableFuture<String> written = link.remote().startWrite(FILE_BYTES);
        closeAfter(written, link.remote());
        Path copy = directory.resolve("copy-of-socket");
        assertEquals(FILE_BYTES, Files.copy(link.local().getInputStream(), copy));
        assertStored(copy);
    }

    @Test
    void fileInputStreamIsTransferredToASocket() throws Exception {
        SocketLink link = connectedSocket();
        CompletableFuture<String> read = link.remote().startRead(FILE_BYTES);
        try (InputStream in = new FileInputStream(file.toFile())) {
            assertEquals(FILE_BYTES, in.transferTo(link.local().getOutputStream()));
        }
        PeerJvm.await(read);
    }

    @Test
    void socketIsTransferredToAFileOutputStream() throws Exception {
        SocketLink link = connectedSocket();
        CompletableFuture<String> written = link.remote().startWrite(FILE_BYTES);
        closeAfter(written, link.remote());
        Path copy = directory.resolve("stream-of-socket");
        try (OutputStream out = new FileOutputStream(copy.toFile())) {
            assertEquals(FILE_BYTES, link.local().getInputStream().transferTo(out));
        }
        assertStored(copy);
    }

    @Test
    void fileIsTransferredToTheStreamOfAChannel() throws Exception {
        ChannelLink link = connectedChannel();
        CompletableFuture<String> read = link.remote().startRead(FILE_BYTES);
        try (InputStream in = Files.newInputStream(file)) {
            assertEquals(FILE_BYTES, in.transferTo(Channels.newOutputStream(link.local())));
        }
        PeerJvm.await(read);
    }

    @Test
    void restOfAFileIsTransferredToTheStreamOfAChannel() throws Exception {
        ChannelLink link = connectedChannel();
        writeFully(link.local(), Pattern.buffer(0, 1000));
        CompletableFuture<String> read = link.remote().startRead(FILE_BYTES);
        try (InputStream in = Files.newInputStream(file)) {
            in.skipNBytes(1000);
            assertEquals(FILE_BYTES - 1000, in.transferTo(Channels.newOutputStream(link.local())));
            assertEquals(-1, in.read());
        }
        PeerJvm.await(read);
    }

    @Test
    void fileIsTransferredToTheAdaptorOfAChannel() throws Exception {
        ChannelLink link = connectedChannel();
        CompletableFuture<String> read = link.remote().startRead(FILE_BYTES);
        try (InputStream in = Files.newInputStream(file)) {
            assertEquals(FILE_BYTES, in.transferTo(link.local().socket().getOutputStream()));
        }
        PeerJvm.await(read);
    }

    @Test
    void streamOfAChannelIsTransferredToAFile() throws Exception {
        ChannelLink link = connectedChannel();
        CompletableFuture<String> written = link.remote().startWrite(FILE_BYTES);
        closeAfter(written, link.remote());
        Path copy = directory.resolve("stream-of-channel");
        try (OutputStream out = Files.newOutputStream(copy)) {
            assertEquals(FILE_BYTES, Channels.newInputStream(link.local()).transferTo(out));
        }
        assertStored(copy);
    }

    @Test
    void streamOfAChannelIsReadToItsEnd() throws Exception {
        ChannelLink link = connectedChannel();
        link.remote().write(50_000);
        link.remote().shutdownOutput();
        InputStream in = Channels.newInputStream(link.local());
        assertArrayEquals(Pattern.bytes(0, 20_000), in.readNBytes(20_000));
        assertEquals(1000, in.skip(1000));
        assertArrayEquals(Pattern.bytes(21_000, 29_000), in.readAllBytes());
        assertEquals(-1, in.read());
    }

    @Test
    void streamOfAChannelTellsWhatIsThereFromJdk18On() throws Exception {
        ChannelLink link = connectedChannel();
        InputStream in = Channels.newInputStream(link.local());
        assertEquals(0, in.available());
        link.remote().write(10);
        if (Runtime.version().feature() < 18) {
            assertEquals(0, in.available());
            return;
        }
        while (in.available() < 10) {
            Thread.onSpinWait();
        }
        in.read();
        assertEquals(9, in.available());
        link.local().shutdownInput();
        assertEquals(0, in.available());
        InputStream unconnected = Channels.newInputStream(closing(SocketChannel.open()));
        assertThrows(NotYetConnectedException.class, null, unconnected::available);
        in.close();
        assertThrows(ClosedChannelException.class, null, in::available);
    }

    @Test
    void streamOfAChannelReadsAndWritesSingleBytes() throws Exception {
        ChannelLink link = connectedChannel();
        link.remote().write(2);
        InputStream in = Channels.newInputStream(link.local());
        assertEquals(Pattern.at(0), (byte) in.read());
        assertEquals(Pattern.at(1), (byte) in.read());
        OutputStream out = Channels.newOutputStream(link.local());
        out.write(Pattern.at(0));
        out.write(Pattern.bytes(1, 9), 0, 9);
        out.write(new byte[0]);
        link.remote().read(10);
    }

    @Test
    void badRangesAreRefusedByTheStreamsOfAChannel() throws Exception {
        ChannelLink link = connectedChannel();
        byte[] bytes = new byte[10];
        InputStream in = Channels.newInputStream(link.local());
        OutputStream out = Channels.newOutputStream(link.local());
        assertThrowsA(IndexOutOfBoundsException.class, () -> in.read(bytes, 5, 6));
        assertThrowsA(IndexOutOfBoundsException.class, () -> out.write(bytes, -1, 2));
        assertEquals(0, in.read(bytes, 10, 0));
    }

    @Test
    void streamsOfANonBlockingChannelRefuse() throws Exception {
        ChannelLink link = connectedChannel();
        InputStream in = Channels.newInputStream(link.local());
        OutputStream out = Channels.newOutputStream(link.local());
        link.local().configureBlocking(false);
        assertThrows(IllegalBlockingModeException.class, null, () -> in.read());
        assertThrows(IllegalBlockingModeException.class, null, () -> out.write(1));
    }

    @Test
    void fileIsNotTransferredToTheStreamOfANonBlockingChannel() throws Exception {
        ChannelLink link = connectedChannel();
        link.local().configureBlocking(false);
        try (InputStream in = Files.newInputStream(file)) {
            assertThrows(
                    IllegalBlockingModeException.class,
                    null,
                    () -> in.transferTo(Channels.newOutputStream(link.local())));
        }
    }

    @Test
    void streamOfAChannelIsWrittenWhileAReadBlocks() throws Exception {
        assumeTrue(Runtime.version().feature() >= 21, "in JDK 17 a blocked read of such a stream holds up writes");
        ChannelLink link = connectedChannel();
        InputStream in = Channels.newInputStream(link.local());
        Background<Integer> read = Background.start(in::read);
        read.awaitBlockedIn("read");
        Background<Boolean> write = Background.start(() -> {
            Channels.newOutputStream(link.local()).write(Pattern.bytes(0, 100_000));
            return true;
        });
        link.remote().read(100_000);
        assertEquals(true, write.result());
        link.remote().write(1);
        assertEquals(Pattern.at(0), (byte) (int) read.result());
    }

    @Test
    void closeOfAStreamClosesTheChannel() throws Exception {
        ChannelLink first = connectedChannel();
        Channels.newInputStream(first.local()).close();
        assertFalse(first.local().isOpen());
        ChannelLink second = connectedChannel();
        OutputStream out = Channels.newOutputStream(second.local());
        out.close();
        assertFalse(second.local().isOpen());
        assertThrowsA(ClosedChannelException.class, () -> out.write(1));
        assertEquals(0, second.remote().readToEnd());
    }

    @Test
    void readersAndWritersOfAChannelCarryText() throws Exception {
        ChannelPair pair = channelPair();
        String text = "\u00e4\u20ac\ud83d\ude00x".repeat(5000);
        Background<Boolean> writing = Background.start(() -> {
            try (Writer writer = Channels.newWriter(pair.client(), StandardCharsets.UTF_8)) {
                writer.write(text);
            }
            return true;
        });
        StringBuilder received = new StringBuilder();
        try (Reader reader = Channels.newReader(pair.server(), StandardCharsets.UTF_8)) {
            char[] piece = new char[1000];
            for (int n = reader.read(piece); n >= 0; n = reader.read(piece)) {
                received.append(piece, 0, n);
            }
        }
        assertEquals(true, writing.result());
        assertEquals(text, received.toString());
    }

    /** The answers of the peer come on a thread that must not wait for another answer. */
    private static void closeAfter(CompletableFuture<String> written, PeerSocket remote) {
        Background.start(() -> {
            PeerJvm.await(written);
            remote.close();
            return true;
        });
    }

    private static void assertStored(Path path) throws IOException {
        assertEquals(-1, Files.mismatch(file, path));
    }
}
