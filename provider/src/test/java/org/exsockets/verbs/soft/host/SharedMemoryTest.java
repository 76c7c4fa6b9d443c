package org.exsockets.verbs.soft.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.exsockets.jdk.DescriptorPoll;
import org.exsockets.jdk.Futex;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory whose length is sealed: nobody who shares it can take it away. */
class SharedMemoryTest {
    private static final int LENGTH = 3 * 4096;

    @BeforeAll
    static void load() throws IOException {
        DescriptorPoll.require();
    }

    @Test
    void itIsZeroAndEachOfThoseThatHaveMappedItSeesIt() throws IOException {
        SharedMemory own = SharedMemory.create(LENGTH);
        SharedMemory peers = SharedMemory.map(own.descriptor(), LENGTH, "test");
        assertEquals(LENGTH, peers.memory().capacity());
        assertEquals(0, peers.memory().getLong(LENGTH - 8));
        own.closeDescriptor();
        assertEquals(-1, own.descriptor());
        own.memory().putLong(LENGTH - 8, 42);
        assertEquals(42, peers.memory().getLong(LENGTH - 8));
        own.unmap();
        peers.slice(4096, 4096).put(0, (byte) 7);
        assertEquals(7, peers.memory().get(4096));
        peers.unmap();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4096, LENGTH + 1, 1 << 20})
    void nobodyMakesItShorterOrLonger(int length) throws IOException {
        SharedMemory own = SharedMemory.create(LENGTH);
        try (RandomAccessFile file = new RandomAccessFile(path(own), "rw")) {
            assertThrows(IOException.class, () -> file.setLength(length));
            assertEquals(LENGTH, file.length());
        }
        own.memory().put(LENGTH - 1, (byte) 1);
        own.unmap();
    }

    @Test
    void nobodyExecutesIt() throws IOException {
        String[] kernel = System.getProperty("os.version").split("[.-]");
        int version = 100 * Integer.parseInt(kernel[0]) + Integer.parseInt(kernel[1]);
        assumeTrue(version >= 603, "such memory is there from Linux 6.3 on");
        SharedMemory own = SharedMemory.create(LENGTH);
        assertTrue(Files.readSymbolicLink(path(own).toPath()).toString().startsWith("/memfd:exs"));
        int mode = (int) Files.getAttribute(path(own).toPath(), "unix:mode");
        assertEquals(0, mode & 0111);
        own.unmap();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void itIsInCoreDumpsIfThatIsWanted(boolean wanted) throws IOException {
        NativeMemory.dump(wanted);
        try {
            SharedMemory own = SharedMemory.create(LENGTH);
            SharedMemory peers = SharedMemory.map(own.descriptor(), LENGTH, "test");
            assertEquals(wanted, isDumped(own.memory()));
            assertEquals(wanted, isDumped(peers.memory()));
            long address = Futex.address(peers.memory());
            assertEquals(0, NativeMemory.mapOver(address, own.descriptor(), 0, LENGTH));
            assertEquals(wanted, isDumped(peers.memory()));
            own.unmap();
            peers.unmap();
        } finally {
            NativeMemory.dump(false);
        }
    }

    /** As proc_pid_smaps(5) says: flag {@code dd}. */
    private static boolean isDumped(ByteBuffer memory) throws IOException {
        List<String> lines = Files.readAllLines(Path.of("/proc/self/smaps"));
        String start = String.format("%08x-", Futex.address(memory));
        int at = 0;
        while (!lines.get(at).startsWith(start)) {
            at++;
        }
        while (!lines.get(at).startsWith("VmFlags:")) {
            at++;
        }
        return !List.of(lines.get(at).split(" ")).contains("dd");
    }

    @Test
    void pagesCanBeMadeBeforeTheyAreTouched() throws IOException {
        SharedMemory own = SharedMemory.create(LENGTH, 4096);
        assertEquals(4096, OpenDescriptors.usedBytes(own.descriptor()));
        assertTrue(own.allocate(4096 + 64, 4096));
        assertEquals(LENGTH, OpenDescriptors.usedBytes(own.descriptor()), "pages are whole");
        own.memory().put(2 * 4096, (byte) 1);
        assertTrue(own.allocate(4096, 2 * 4096));
        assertEquals(1, own.memory().get(2 * 4096), "what is there stays");
        own.unmap();
        assertThrows(SystemFailure.class, () -> SharedMemory.create(LENGTH, 2 * LENGTH));
    }

    @Test
    void whatIsOfAnotherLengthIsRefused() throws IOException {
        SharedMemory own = SharedMemory.create(LENGTH);
        for (int length : new int[] {LENGTH - 4096, LENGTH + 4096, 0}) {
            assertThrows(IOException.class, () -> SharedMemory.map(own.descriptor(), length, "test"));
        }
        own.unmap();
    }

    /** What could become shorter while it is mapped. */
    @ParameterizedTest
    @ValueSource(strings = {"file", "shared memory", "socket", "nothing"})
    void whatIsNotSealedIsRefused(String what) throws IOException {
        Path file = Files.createTempFile(what.equals("file") ? Path.of("/tmp") : Path.of("/dev/shm"), "exs", "test");
        LocalSocket socket = LocalSocket.open();
        try (FileOutputStream out = new FileOutputStream(file.toFile())) {
            out.write(new byte[LENGTH]);
            int descriptor = switch (what) {
                case "socket" -> socket.descriptor();
                case "nothing" -> 1 << 20;
                default -> OpenDescriptors.numberOf(file);
            };
            IOException refused = assertThrows(IOException.class, () -> SharedMemory.map(descriptor, LENGTH, "test"));
            assertTrue(refused.getMessage().contains("sealed"), refused.getMessage());
        } finally {
            socket.close();
            Files.delete(file);
        }
    }

    private static File path(SharedMemory memory) {
        return new File("/proc/self/fd/" + memory.descriptor());
    }
}
