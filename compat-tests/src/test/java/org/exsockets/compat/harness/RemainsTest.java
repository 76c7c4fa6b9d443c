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
    @TempDir
    private Path directory;

    private Remains first;

    @BeforeEach
    void lookFirst() {
        first = now();
    }

    private Remains now() {
        return Remains.now();
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

    private void assertFindsWhileThere(Kept kind, Path file) throws IOException {
        assertFinds(kind);
        Files.delete(file);
        assertFindsNothing();
    }

    @Test
    void anUnpackedLibraryIsFoundUntilItsFileIsGone() throws IOException {
        List<MappedByteBuffer> mapped = new ArrayList<>();
        Path file = directory.resolve("libexspoll.so");
        map(mapped, file, 4096, 1);
        assertFindsWhileThere(Kept.LIBRARY_FILE, file);
        assertEquals(1, mapped.size());
    }

    @Test
    void mappingsOfMemoryWithoutANameAreFoundByTheirLengths() {
        List<String> maps = new ArrayList<>();
        for (int i = 0; i < Kept.SEGMENT_MAPPING.bound; i++) {
            maps.add("7f0000000000-7f0000909000 rw-s 00000000 00:01 " + (100 + i) + "  /memfd:exs (deleted)");
        }
        for (int i = 0; i < Kept.PROCESS_MAPPING.bound; i++) {
            maps.add("7f1000000000-7f1000021000 rw-s 00000000 00:01 " + (1000 + i) + "  /memfd:exs (deleted)");
        }
        // One, of which pages are the program's own.
        maps.add("7f2000000000-7f2008000000 rw-s 00000000 00:01 300  /memfd:exs (deleted)");
        maps.add("7f2008001000-7f2010000000 rw-s 08001000 00:01 300  /memfd:exs (deleted)");
        assertEquals("", mapped(maps));
        assertMapped(Kept.SEGMENT_MAPPING, maps, "7f3000000000-7f3000909000 rw-s 00000000 00:01 100");
        assertMapped(Kept.PROCESS_MAPPING, maps, "7f3000000000-7f3000021000 rw-s 00000000 00:01 1000");
        assertMapped(Kept.ARENA_MAPPING, maps, "7f3000000000-7f3010000000 rw-s 00000000 00:01 301");
    }

    private void assertMapped(Kept kind, List<String> maps, String more) {
        List<String> all = new ArrayList<>(maps);
        all.add(more + "  /memfd:exs (deleted)");
        String left = mapped(all);
        assertTrue(left.startsWith(kind + ": "), left);
    }

    /** {@return what is left if a process has these} */
    private String mapped(List<String> maps) {
        Remains now = new Remains();
        now.addMappings(maps);
        return now.beyond(new Remains());
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
