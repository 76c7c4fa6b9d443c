package org.exsockets.verbs.disni;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeLibraryTest {
    private static final byte[] CONTENT = {1, 2, 3};

    @TempDir
    Path directory;

    private Path unpack() throws IOException {
        return NativeLibrary.unpack(new ByteArrayInputStream(CONTENT), "libx.so", directory);
    }

    @Test
    void whatIsUnpackedIsForTheOwnerOnly() throws IOException {
        Path file = unpack();
        assertArrayEquals(CONTENT, Files.readAllBytes(file));
        assertEquals("libx.so", file.getFileName().toString());
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())));
        assertEquals(directory.toAbsolutePath(), file.getParent().getParent());
    }

    @Test
    void eachUnpackingHasADirectoryOfItsOwn() throws IOException {
        assertNotEquals(unpack().getParent(), unpack().getParent());
    }

    @Test
    void removingLeavesNothingAndCanBeRepeated() throws IOException {
        Path file = unpack();
        NativeLibrary.remove(file);
        NativeLibrary.remove(file);
        assertEquals(List.of(), left());
    }

    @Test
    void aFailedUnpackingLeavesNothingAndSaysWhere() throws IOException {
        InputStream broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("No space left on device");
            }
        };
        IOException failure = assertThrows(IOException.class, () -> NativeLibrary.unpack(broken, "libx.so", directory));
        assertEquals(
                "cannot unpack the native library to " + directory + ": No space left on device", failure.getMessage());
        assertEquals(List.of(), left());
    }

    @Test
    void loadingIsRepeatable() throws IOException {
        VerbsHandles.assumeUsable();
        NativeLibrary.load();
        assertEquals(Verbs.VERSION, Verbs.version());
        assertFalse(NativeLibrary.foreign());
    }

    @Test
    void bothLibrariesAreInTheBuildAndOnlyOneHasDisnisNatives() throws IOException {
        VerbsHandles.assumeUsable();
        assertTrue(exportsDispatcher("libdisni.so"));
        assertFalse(exportsDispatcher("libexsverbs.so"));
    }

    private static boolean exportsDispatcher(String library) throws IOException {
        Path file = Path.of(System.getProperty("java.library.path"), library);
        String bytes = new String(Files.readAllBytes(file), java.nio.charset.StandardCharsets.ISO_8859_1);
        assertTrue(bytes.contains("Java_org_exsockets_verbs_disni_Verbs_poll"), library);
        return bytes.contains("Java_com_ibm_disni_verbs_impl_NativeDispatcher__1pollCQ");
    }

    private List<Path> left() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }
}
