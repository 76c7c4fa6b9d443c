package org.exsockets.compat.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.Selector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The check for what is left finds each kind that it knows, and nothing when that is gone. */
class RemainsTest {
    private static final String PROCESS = "f-" + ProcessHandle.current().pid() + "-1-";

    @TempDir
    private Path directory;

    private Path privateDirectory;
    private Remains first;

    @BeforeEach
    void lookFirst() throws IOException {
        privateDirectory = Files.createDirectory(directory.resolve("exs-0"));
        first = now();
    }

    private Remains now() {
        return Remains.now(directory);
    }

    private void assertFinds(Kept kind) {
        String left = now().beyond(first);
        assertTrue(left.startsWith(kind + ": "), left);
    }

    private void assertFindsNothing() {
        assertEquals("", now().beyond(first));
    }

    @Test
    void anOpenConnectionIsFound() throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort());
                Socket server = listener.accept()) {
            assertTrue(client.isConnected() && server.isConnected());
            assertFinds(Kept.TCP_SOCKET);
        }
        assertFindsNothing();
    }

    @Test
    void moreSelectorsThanArePooledAreFound() throws IOException {
        List<Selector> open = new ArrayList<>();
        try {
            for (int i = 0; i < Kept.EPOLL.bound; i++) {
                open.add(Selector.open());
            }
            assertFindsNothing();
            open.add(Selector.open());
            assertFinds(Kept.EPOLL);
        } finally {
            for (Selector selector : open) {
                selector.close();
            }
        }
        assertFindsNothing();
    }

    @Test
    void aThreadThatRunsIsFound() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        Thread thread = new Thread(() -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                return;
            }
        });
        thread.start();
        assertFinds(Kept.OTHER_THREAD);
        end.countDown();
        thread.join();
        assertFindsNothing();
    }

    @Test
    void threadsAreKnownByTheirWholeNames() {
        assertEquals(Kept.PROGRESS_THREAD, Kept.thread("exs-progress"));
        assertEquals(Kept.OTHER_THREAD, Kept.thread("exs-progress-2"));
        assertEquals(Kept.CONNECT_THREAD, Kept.thread("exs-connect-17"));
        assertEquals(Kept.OTHER_THREAD, Kept.thread("exs-other"));
        assertEquals(Kept.OTHER_THREAD, Kept.thread("Thread-1"));
        assertEquals(Kept.OTHER_THREAD, Kept.thread("background"));
    }

    @Test
    void anOpenFileIsFound() throws IOException {
        Path file = Files.createFile(directory.resolve("data"));
        try (FileChannel open = FileChannel.open(file)) {
            assertTrue(open.isOpen());
            assertFinds(Kept.OPEN_FILE);
        }
        assertFindsNothing();
    }

    @Test
    void namesOfThisProcessInThePrivateDirectoryAreFound() throws IOException {
        Files.createFile(privateDirectory.resolve("kf-1-1-0"));
        assertFindsNothing();
        assertFindsWhileThere(
                Kept.LISTENER_SOCKET_FILE, Files.createFile(privateDirectory.resolve("k" + PROCESS + "0")));
        assertFindsWhileThere(Kept.KNOCKER_FILE, Files.createFile(privateDirectory.resolve("n" + PROCESS + "0")));
        assertFindsWhileThere(
                Kept.LISTENER_LINK,
                Files.createSymbolicLink(privateDirectory.resolve("l1.1-any4-80"), Path.of("k" + PROCESS + "0")));
        Files.createFile(privateDirectory.resolve("z" + PROCESS + "0"));
        assertFindsNothing();
        assertFindsWhileThere(Kept.SIGNS_FILE, Files.createFile(privateDirectory.resolve("z" + PROCESS + "1")));
        for (int i = 0; i < Kept.SEGMENT_FILE.bound; i++) {
            Files.createFile(privateDirectory.resolve("s" + PROCESS + i));
        }
        assertFindsNothing();
        assertFindsWhileThere(Kept.SEGMENT_FILE, Files.createFile(privateDirectory.resolve("s" + PROCESS + "x")));
    }

    private void assertFindsWhileThere(Kept kind, Path file) throws IOException {
        assertFinds(kind);
        Files.delete(file);
        assertFindsNothing();
    }

    @Test
    void anUnpackedLibraryIsFoundUntilItsFileIsGone() throws IOException {
        List<MappedByteBuffer> mapped = new ArrayList<>();
        Path file = directory.resolve("libexscopy.so");
        map(mapped, file, 4096, 1);
        assertFindsWhileThere(Kept.LIBRARY_FILE, file);
        assertEquals(1, mapped.size());
    }

    @Test
    void mappingsAreFoundByTheirFiles() throws IOException {
        List<MappedByteBuffer> mapped = new ArrayList<>();
        map(mapped, privateDirectory.resolve("s" + PROCESS + "segment"), 36 * 1024, Kept.SEGMENT_MAPPING.bound);
        map(mapped, privateDirectory.resolve("n" + PROCESS + "page"), 4096, Kept.KNOCKER_MAPPING.bound);
        Files.delete(privateDirectory.resolve("s" + PROCESS + "segment"));
        Files.delete(privateDirectory.resolve("n" + PROCESS + "page"));
        map(mapped, privateDirectory.resolve("z" + PROCESS + "0"), 32 * 1024, Kept.SIGNS_MAPPING.bound);
        Files.delete(privateDirectory.resolve("z" + PROCESS + "0"));
        assertFindsNothing();
        map(mapped, privateDirectory.resolve("s" + PROCESS + "region"), 1 << 20, 1);
        assertFinds(Kept.REGION_MAPPING);
        map(mapped, privateDirectory.resolve("k" + PROCESS + "more"), 36 * 1024, 1);
        assertTrue(now().beyond(first).contains(Kept.SEGMENT_MAPPING + ": "));
        map(mapped, privateDirectory.resolve("n" + PROCESS + "more"), 4096, 1);
        assertTrue(now().beyond(first).contains(Kept.KNOCKER_MAPPING + ": "));
        map(mapped, privateDirectory.resolve("z" + PROCESS + "more"), 32 * 1024, 1);
        assertTrue(now().beyond(first).contains(Kept.SIGNS_MAPPING + ": "));
        assertTrue(mapped.stream().allMatch(buffer -> buffer.capacity() > 0));
    }

    private void map(List<MappedByteBuffer> mapped, Path file, int length, int times) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            for (int i = 0; i < times; i++) {
                mapped.add(channel.map(FileChannel.MapMode.READ_WRITE, 0, length));
            }
        }
    }
}
