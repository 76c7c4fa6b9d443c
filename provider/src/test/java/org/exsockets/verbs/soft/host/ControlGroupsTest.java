package org.exsockets.verbs.soft.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the limits of memory are, by the files of the system: as they are in containers, services, and on old hosts. */
class ControlGroupsTest {
    private static final long MIB = 1 << 20;
    private static final long NONE = Long.MAX_VALUE;
    private static final int RESERVE = 16;
    private static final String MOUNT =
            "29 23 0:26 / /sys/fs/cgroup rw,nosuid,noexec shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
    private static final String MOUNTS =
            "21 28 0:19 / /proc rw shared:12 - proc proc rw\n28 1 8:1 / / rw shared:1 - ext4 /dev/sda1 rw\n";

    /** What version 1 has where nobody has set a limit. */
    private static final String NO_LIMIT = "9223372036854771712\n";

    @TempDir
    private Path root;

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private ControlGroups groups(String own, String mounts) throws IOException {
        write("proc/self/cgroup", own);
        write("proc/self/mountinfo", MOUNTS + mounts);
        return new ControlGroups(root);
    }

    private void version2(String group, String max, String high, long used, long inactive) throws IOException {
        write(group + "/memory.max", max + "\n");
        write(group + "/memory.high", high + "\n");
        write(group + "/memory.current", used + "\n");
        write(
                group + "/memory.stat",
                "anon 4096\nfile 7\nsum_inactive_file 99\ninactive_file " + inactive + "\nactive_file 3\n");
    }

    private void version1(String group, String limit, long used, long inactive) throws IOException {
        write(group + "/memory.limit_in_bytes", limit);
        write(group + "/memory.usage_in_bytes", used + "\n");
        write(
                group + "/memory.stat",
                "cache 4096\ninactive_file 5\ntotal_cache 9\ntotal_inactive_file " + inactive
                        + "\ntotal_active_file 0\n");
    }

    private static long spare(long limit, long used) {
        return limit - limit / RESERVE - used;
    }

    private static void assertMemory(long limit, long spare, ControlGroups groups) {
        assertEquals(limit, groups.limitBytes());
        assertEquals(spare, groups.spareBytes(RESERVE));
    }

    @Test
    void aContainerIsTheRootOfItsNamespace() throws IOException {
        version2("sys/fs/cgroup", "335544320", "max", 40 * MIB, 8 * MIB);
        assertMemory(320 * MIB, spare(320 * MIB, 32 * MIB), groups("0::/\n", MOUNT));
    }

    @Test
    void aServiceHasItsLimitBelow() throws IOException {
        version2("sys/fs/cgroup/system.slice/web.slice/web.service", "335544320", "max", 40 * MIB, 0);
        version2("sys/fs/cgroup/system.slice/web.slice", "max", "max", 50 * MIB, 0);
        version2("sys/fs/cgroup/system.slice", "max", "max", 60 * MIB, 0);
        write("sys/fs/cgroup/memory.stat", "inactive_file 1\n");
        assertMemory(320 * MIB, spare(320 * MIB, 40 * MIB), groups("0::/system.slice/web.slice/web.service\n", MOUNT));
    }

    @Test
    void aGroupInTheMiddleMayHaveLess() throws IOException {
        version2("sys/fs/cgroup/a/b/c", "335544320", "max", 10 * MIB, 0);
        version2("sys/fs/cgroup/a/b", "209715200", "max", 150 * MIB, 0);
        version2("sys/fs/cgroup/a", "1073741824", "max", 1000 * MIB, 0);
        assertMemory(200 * MIB, spare(1024 * MIB, 1000 * MIB), groups("0::/a/b/c\n", MOUNT));
    }

    @Test
    void beyondMemoryHighTheSystemSlowsTheProcessDown() throws IOException {
        version2("sys/fs/cgroup/a", "max", "104857600", 10 * MIB, 0);
        assertMemory(100 * MIB, spare(100 * MIB, 10 * MIB), groups("0::/a\n", MOUNT));
    }

    @Test
    void aContainerOfVersion1SeesThePartThatIsMounted() throws IOException {
        version1("sys/fs/cgroup/memory", "335544320\n", 40 * MIB, 8 * MIB);
        ControlGroups groups = groups(
                "12:cpuset:/docker/0a\n11:memory:/docker/0a\n1:name=systemd:/docker/0a\n",
                "33 31 0:30 /docker/0a /sys/fs/cgroup/cpuset ro - cgroup cpuset rw,cpuset\n"
                        + "35 31 0:32 /docker/0a /sys/fs/cgroup/memory ro - cgroup memory rw,memory\n");
        assertMemory(320 * MIB, spare(320 * MIB, 32 * MIB), groups);
    }

    @Test
    void aContainerOfVersion1MayHaveANamespace() throws IOException {
        version1("sys/fs/cgroup/memory", "335544320\n", 40 * MIB, 0);
        ControlGroups groups =
                groups("11:memory:/\n", "35 31 0:32 /.. /sys/fs/cgroup/memory ro - cgroup memory rw,memory\n");
        assertMemory(320 * MIB, spare(320 * MIB, 40 * MIB), groups);
    }

    @Test
    void aHybridHostHasMemoryInVersion1() throws IOException {
        version1("sys/fs/cgroup/memory/system.slice/web.service", "335544320\n", 40 * MIB, 0);
        version1("sys/fs/cgroup/memory/system.slice", NO_LIMIT, 60 * MIB, 0);
        version1("sys/fs/cgroup/memory", NO_LIMIT, 900 * MIB, 0);
        write("sys/fs/cgroup/unified/system.slice/web.service/cgroup.procs", "1\n");
        ControlGroups groups = groups(
                "4:freezer,memory:/system.slice/web.service\n0::/system.slice/web.service\n",
                "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,freezer,memory\n"
                        + "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
        assertMemory(320 * MIB, spare(320 * MIB, 40 * MIB), groups);
    }

    @Test
    void theMountThatHasTheOwnGroupCounts() throws IOException {
        version2("sys/fs/cgroup/web", "335544320", "max", 40 * MIB, 0);
        version2("host/cgroup", "1048576", "max", 0, 0);
        ControlGroups groups = groups("0::/web", "40 23 0:26 /../other /host/cgroup ro - cgroup2 cgroup2 rw\n" + MOUNT);
        assertMemory(320 * MIB, spare(320 * MIB, 40 * MIB), groups);
    }

    @Test
    void aPathThatIsOutOfSightIsTheMount() throws IOException {
        version2("sys/fs/cgroup", "335544320", "max", 40 * MIB, 0);
        assertMemory(320 * MIB, spare(320 * MIB, 40 * MIB), groups("0::/../other\n", MOUNT));
    }

    @Test
    void aLimitThatIsSetLaterCounts() throws IOException {
        version2("sys/fs/cgroup/a", "max", "max", 40 * MIB, 0);
        ControlGroups groups = groups("0::/a\n", MOUNT);
        assertMemory(NONE, NONE, groups);
        version2("sys/fs/cgroup/a", "335544320", "max", 40 * MIB, 0);
        assertMemory(320 * MIB, spare(320 * MIB, 40 * MIB), groups);
    }

    @Test
    void whatCannotBeReadLimitsNothing() throws IOException {
        assertMemory(NONE, NONE, new ControlGroups(root));
        assertMemory(NONE, NONE, groups("", ""));
        assertMemory(NONE, NONE, groups("nonsense\n\n", "nonsense\n - cgroup2 \n"));
        assertMemory(NONE, NONE, groups("0::/a\n", ""));
        assertMemory(NONE, NONE, groups("0::/gone\n", MOUNT));
        version2("sys/fs/cgroup/a", "many", "", 40 * MIB, 0);
        assertMemory(NONE, NONE, groups("0::/a\n", MOUNT));
        version2("sys/fs/cgroup/b", "335544320", "max", 40 * MIB, 8 * MIB);
        write("sys/fs/cgroup/b/memory.stat", "anon 0\n");
        assertMemory(320 * MIB, spare(320 * MIB, 40 * MIB), groups("0::/b\n", MOUNT));
        Files.delete(root.resolve("sys/fs/cgroup/b/memory.current"));
        assertMemory(320 * MIB, NONE, groups("0::/b\n", MOUNT));
    }

    @Test
    void theMachineCountsWhereItHasLess() throws IOException {
        write("proc/meminfo", "MemTotal:         655360 kB\nMemFree: 1 kB\nMemAvailable:     512000 kB\n");
        version2("sys/fs/cgroup/a", "335544320", "max", 40 * MIB, 0);
        groups("0::/a\n", MOUNT);
        MachineMemory machine = new MachineMemory(root);
        assertEquals(320 * MIB, machine.totalBytes());
        assertEquals(260 * MIB, machine.spareBytes());
        assertFalse(machine.hasRoomFor(260 * MIB + 1));
        assertTrue(machine.hasRoomFor(260 * MIB));
        write("proc/meminfo", "MemTotal:         262144 kB\nMemFree: 1 kB\nMemAvailable:     102400 kB\n");
        assertEquals(256 * MIB, machine.totalBytes());
        assertEquals(84 * MIB, machine.spareBytes());
    }

    @Test
    void strictOvercommitIsWhatTheSystemSays() throws IOException {
        assertFalse(new MachineMemory(root).isStrict(), "not to be read");
        for (int setting = 0; setting <= 2; setting++) {
            write("proc/sys/vm/overcommit_memory", setting + "\n");
            assertEquals(setting == 2, new MachineMemory(root).isStrict());
        }
        MachineMemory machine = new MachineMemory(root);
        write(
                "proc/meminfo",
                "MemTotal:  655360 kB\nMemAvailable: 512000 kB\nCommitLimit:  327680 kB\nCommitted_AS:  102400 kB\n");
        assertEquals(200 * MIB, machine.spareBytes(), "a sixteenth of what may be promised stays free, too");
    }
}
