package org.exsockets.verbs.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SoftDirectoryTest {
    private MemoryFileSystem memory;

    @BeforeEach
    void createMemory() throws IOException {
        memory = MemoryFileSystem.create();
    }

    @AfterEach
    void removeMemory() throws IOException {
        memory.close();
    }

    @Test
    void theDirectoryIsForItsOwnerOnly() throws Exception {
        SoftDirectory.open(memory.root());
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(memory.directory())));
        SoftDirectory.open(memory.root());
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwx-----x", "rwx--x---", "rwxrwxrwx", "r-x------", "---------"})
    void aDirectoryWithAnotherModeIsNotUsed(String mode) throws Exception {
        Files.createDirectory(memory.directory());
        Files.setPosixFilePermissions(memory.directory(), PosixFilePermissions.fromString(mode));
        assertRefused();
    }

    @Test
    void aDirectoryOfAnotherUserIsNotUsed() throws Exception {
        Files.createDirectory(memory.directory(), ownerOnly());
        Assumptions.assumeTrue(ProcessIdentity.own().uid() == 0, "only root can give a directory away");
        Files.setAttribute(memory.directory(), "unix:uid", 65534);
        assertRefused();
    }

    @Test
    void aLinkToADirectoryIsNotUsed() throws Exception {
        Path elsewhere = Files.createDirectory(memory.root().resolve("elsewhere"), ownerOnly());
        Files.createSymbolicLink(memory.directory(), elsewhere);
        assertRefused();
    }

    @Test
    void aFileInItsPlaceIsNotUsed() throws Exception {
        Files.createFile(memory.directory(), ownerOnly());
        assertRefused();
    }

    @Test
    void segmentsOfDeadProcessesAreRemovedAndOthersLeftAlone() throws Exception {
        ProcessIdentity own = ProcessIdentity.own();
        String namespace = Long.toHexString(own.processNamespace());
        String ticks = Long.toHexString(own.startTicks());
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        List<String> leftovers = List.of(
                "s" + namespace + "-" + dead.pid() + "-" + ticks + "-0",
                // The pid is in use again, by a younger process.
                "s" + namespace + "-" + own.pid() + "-" + Long.toHexString(own.startTicks() - 1) + "-5");
        List<String> kept = List.of(
                "s" + namespace + "-" + own.pid() + "-" + ticks + "-0",
                "s" + Long.toHexString(own.processNamespace() + 1) + "-" + dead.pid() + "-" + ticks + "-0",
                "s" + namespace + "-notanumber-" + ticks + "-0",
                "s" + namespace + "-stranger");
        Files.createDirectory(memory.directory(), ownerOnly());
        for (List<String> names : List.of(leftovers, kept)) {
            for (String name : names) {
                Files.createFile(memory.directory().resolve(name));
            }
        }
        SoftDirectory.open(memory.root());
        assertEquals(kept.stream().sorted().toList(), memory.names("s"));
    }

    @Test
    void namesOfListenersOfDeadProcessesAreRemovedUnlessTheyHaveBeenReplaced() throws Exception {
        SoftDirectory directory = SoftDirectory.open(memory.root());
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        String namespace = Long.toHexString(ProcessIdentity.own().processNamespace());
        Path stale = memory.directory().resolve("k" + namespace + "-" + dead.pid() + "-1-0");
        Path live = directory.newSocket();
        Path replaced = directory.listener(new InetSocketAddress("127.0.0.1", 1), false, 1);
        Path left = directory.listener(new InetSocketAddress("127.0.0.1", 2), false, 1);
        Files.createSymbolicLink(replaced, live);
        Files.createSymbolicLink(left, stale);

        directory.removeLink(replaced);
        assertEquals(
                List.of(replaced.getFileName().toString(), left.getFileName().toString()), memory.names("l"));
        assertEquals(live, Files.readSymbolicLink(replaced));

        SoftDirectory.open(memory.root());
        assertEquals(List.of(replaced.getFileName().toString()), memory.names("l"));
        assertEquals(live, Files.readSymbolicLink(replaced));

        directory.removeLink(left);
        assertEquals(List.of(replaced.getFileName().toString()), memory.names("l"), "gone already");
    }

    @Test
    void segmentNamesAreFreshAndFitTheHello() throws Exception {
        SoftDirectory directory = SoftDirectory.open(memory.root());
        String first = directory.newSegmentName();
        String second = directory.newSegmentName();
        assertTrue(!first.equals(second));
        Matcher parts =
                Pattern.compile("s[0-9a-f]{8}-(\\d+)-([0-9a-f]+)-([0-9a-f]+)").matcher(first);
        assertTrue(parts.matches(), first);
        assertEquals(Long.toString(ProcessHandle.current().pid()), parts.group(1));
        // The largest pid of Linux, a start ten years after boot, and a serial of 48 bits.
        int longest = first.length()
                + 7
                - parts.group(1).length()
                + 9
                - parts.group(2).length()
                + 12
                - parts.group(3).length();
        assertTrue(longest <= HelloDescriptor.SEGMENT_LENGTH, first);
    }

    @Test
    void aFreshNameIsASegment() throws Exception {
        SoftDirectory directory = SoftDirectory.open(memory.root());
        String name = directory.newSegmentName();
        assertEquals(memory.directory().resolve(name), directory.segment(name));
    }

    @Test
    void twoCopiesInOneJvmDoNotUseEachOthersNames() throws Exception {
        String one = SoftDirectory.open(memory.root()).newSegmentName();
        String other = SoftDirectory.open(memory.root()).newSegmentName();
        assertTrue(!one.equals(other), one);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "s",
                "s1",
                "x1-2-3-4",
                "../s1-2-3-4",
                "s/1-2-3-4",
                "s1-2-3-4/../../x",
                "/s1-2-3-4",
                "s1-2-3",
                "s1-2-3-4-5",
                "s1-2--4",
                "s-2-3-4",
                "s1-2-3-",
                "s1-2-3-g",
                "s1-2-3-F",
                "s1-2-3-4\0"
            })
    void onlyNamesThatItMakesAreSegments(String name) throws Exception {
        SoftDirectory directory = SoftDirectory.open(memory.root());
        assertThrows(IOException.class, () -> directory.segment(name));
    }

    private void assertRefused() {
        IOException e = assertThrows(IOException.class, () -> SoftDirectory.open(memory.root()));
        assertTrue(
                e.getMessage().startsWith("private directory: not a directory of this user with mode 0700: path="),
                e.getMessage());
    }

    private static FileAttribute<?> ownerOnly() {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    }
}
