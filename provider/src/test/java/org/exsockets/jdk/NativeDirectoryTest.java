package org.exsockets.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeDirectoryTest {
    @TempDir
    Path given;

    private Path directory;

    @BeforeEach
    void resolve() throws IOException {
        directory = given.toRealPath();
    }

    private static String mount(Path point, String options) {
        return "36 35 98:0 / " + point.toString().replace(" ", "\\040") + " " + options
                + " master:1 - ext4 /dev/root rw,noexec";
    }

    private NativeDirectory mounts(String... lines) {
        List<String> all = new ArrayList<>(List.of(mount(Path.of("/"), "rw,noatime")));
        all.addAll(List.of(lines));
        return new NativeDirectory(all);
    }

    @Test
    void aDirectoryOnAnExecutableMountWillDo() {
        assertNull(mounts().obstacle(directory));
        assertNull(mounts(mount(directory, "rw,nosuid,nodev")).obstacle(directory));
    }

    @Test
    void aNoexecMountIsSeenFromBelow() throws IOException {
        Path below = Files.createDirectories(directory.resolve("a/b"));
        NativeDirectory mounts = mounts(mount(directory, "rw,nosuid,nodev,noexec,relatime"));
        assertEquals("is mounted noexec", mounts.obstacle(directory));
        assertEquals("is mounted noexec", mounts.obstacle(below));
    }

    @Test
    void theDeepestMountCounts() throws IOException {
        Path below = Files.createDirectory(directory.resolve("below"));
        Path beside = Files.createDirectory(directory.resolve("belowground"));
        NativeDirectory mounts = mounts(mount(below, "rw"), mount(directory, "rw,noexec"));
        assertNull(mounts.obstacle(below));
        assertEquals("is mounted noexec", mounts.obstacle(beside));
    }

    @Test
    void ofMountsOverEachOtherTheLastOneCounts() {
        assertNull(mounts(mount(directory, "rw,noexec"), mount(directory, "rw")).obstacle(directory));
        assertEquals(
                "is mounted noexec",
                mounts(mount(directory, "rw"), mount(directory, "rw,noexec")).obstacle(directory));
    }

    @Test
    void symbolicLinksAreFollowed() throws IOException {
        Path real = Files.createDirectory(directory.resolve("real"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), real);
        assertEquals("is mounted noexec", mounts(mount(real, "noexec")).obstacle(link));
    }

    @Test
    void namesWithBlanksAreUnderstood() throws IOException {
        Path blank = Files.createDirectory(directory.resolve("with blank"));
        assertEquals("is mounted noexec", mounts(mount(blank, "noexec")).obstacle(blank));
    }

    @Test
    void whatIsNoWritableDirectoryWillNotDo() throws IOException {
        assertEquals("does not exist", mounts().obstacle(directory.resolve("missing")));
        assertEquals("is not a directory", mounts().obstacle(Files.createFile(directory.resolve("file"))));
    }

    @Test
    void aReadOnlyDirectoryWillNotDo() throws IOException {
        assumeFalse(System.getProperty("user.name").equals("root"), "root may write everywhere");
        Path closed = Files.createDirectory(
                directory.resolve("closed"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r-x------")));
        assertEquals("is not writable", mounts().obstacle(closed));
    }

    @Test
    void theFirstPlaceThatWillDoIsTaken() throws IOException {
        Path temporary = Files.createDirectory(directory.resolve("tmp"));
        Path runtime = Files.createDirectory(directory.resolve("run"));
        Path home = Files.createDirectory(directory.resolve("home"));
        Path cache = Files.createDirectory(home.resolve(".cache"));
        Map<String, String> environment = Map.of("XDG_RUNTIME_DIR", runtime.toString(), "HOME", home.toString());
        assertEquals(temporary, mounts().choose(temporary, environment));
        String noTemporary = mount(temporary, "noexec");
        assertEquals(runtime, mounts(noTemporary).choose(temporary, environment));
        assertEquals(cache, mounts(noTemporary, mount(runtime, "noexec")).choose(temporary, environment));
        Path other = Files.createDirectory(directory.resolve("other"));
        Map<String, String> withCache = Map.of("XDG_CACHE_HOME", other.toString(), "HOME", home.toString());
        assertEquals(other, mounts(noTemporary).choose(temporary, withCache));
    }

    @Test
    void withoutAPlaceTheUserIsToldWhatToDo() {
        NativeDirectory everywhere = new NativeDirectory(List.of(mount(Path.of("/"), "rw,noexec")));
        IOException failure = assertThrows(IOException.class, () -> everywhere.choose(directory, Map.of()));
        assertTrue(failure.getMessage().contains(directory + " is mounted noexec"), failure.getMessage());
        assertTrue(failure.getMessage().contains("/dev/shm"), failure.getMessage());
        assertTrue(failure.getMessage().endsWith("in the property exs.native"), failure.getMessage());
    }

    @Test
    void theMountsOfThisProcessAreReadable() {
        assertEquals("does not exist", NativeDirectory.ofThisProcess().obstacle(Path.of("/no/such/place")));
    }
}
