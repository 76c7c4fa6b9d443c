package org.exsockets.agent.isolation;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The layout, byte by byte; kept, and read anew for each class. */
class ClassPackTest {
    private static final int OF_AAAA = 0x1f_0080;
    private static final byte[] FIRST = {7, -8, 9};
    private static final byte[] LAST = {1, 2, 3, 4, 5};

    /** Hashes are signed. */
    private static final byte[] PACK = ByteBuffer.allocate(60)
            .putInt(3)
            .putInt(0x8000_0000)
            .putInt(28)
            .putInt('b')
            .putInt(39)
            .putInt(OF_AAAA)
            .putInt(47)
            .putInt(4)
            .put(ascii("none"))
            .put(FIRST)
            .putInt(1)
            .put(ascii("b"))
            .put(FIRST)
            .putInt(4)
            .put(ascii("AaAa"))
            .put(LAST)
            .array();

    @TempDir
    Path directory;

    private ZipFile jar;

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @BeforeEach
    void makeJar() throws IOException {
        Path file = directory.resolve("pack.jar");
        ZipEntry entry = new ZipEntry("pack");
        entry.setMethod(ZipEntry.STORED);
        entry.setSize(PACK.length);
        CRC32 sum = new CRC32();
        sum.update(PACK);
        entry.setCrc(sum.getValue());
        try (OutputStream out = Files.newOutputStream(file);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(entry);
            zip.write(PACK);
        }
        jar = new ZipFile(file.toFile());
    }

    @AfterEach
    void closeJar() throws IOException {
        jar.close();
    }

    private ClassPack pack(boolean kept) throws IOException {
        ClassPack pack = new ClassPack(jar, "pack");
        if (!kept) {
            pack.content.clear();
        }
        return pack;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void findsEach(boolean kept) throws IOException {
        assertArrayEquals(FIRST, pack(kept).classFile("b"));
        assertArrayEquals(LAST, pack(kept).classFile("AaAa"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void doesNotTakeEqualHashesForEqualNames(boolean kept) throws IOException {
        assertEquals("AaAa".hashCode(), "BBBB".hashCode());
        assertEquals(OF_AAAA, "AaAa".hashCode());
        assertNull(pack(kept).classFile("BBBB"));
        assertEquals(Integer.MIN_VALUE, "polygenelubricants".hashCode());
        assertNull(pack(kept).classFile("polygenelubricants"));
    }

    @Test
    void doesNotFindWhatWouldStandBetweenOrBehind() throws IOException {
        assertNull(pack(true).classFile("a"));
        assertNull(pack(true).classFile("c"));
        assertNull(pack(true).classFile("zzzzz"));
    }

    @Test
    void saysIfItIsMissing() {
        IOException failure = assertThrows(IOException.class, () -> new ClassPack(jar, "other"));
        assertEquals("missing in the agent's jar: other", failure.getMessage());
    }
}
