package org.exsockets.compat.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;

/** A control group with a limit of memory, of the version that this machine has. Making one takes root. */
public final class MemoryGroup implements AutoCloseable {
    private static final Path VERSION1 = Path.of("/sys/fs/cgroup/memory");
    private static final Path VERSION2 = Path.of("/sys/fs/cgroup");
    private static final int TRIES = 200;
    private static final long TRY_NS = 20_000_000;

    private final Path directory;

    private MemoryGroup(Path directory) {
        this.directory = directory;
    }

    /** Makes one; where that is impossible, the test does not run. */
    public static MemoryGroup make(long limitBytes) {
        boolean isVersion1 = Files.exists(VERSION1.resolve("memory.limit_in_bytes"));
        Path directory = (isVersion1 ? VERSION1 : VERSION2)
                .resolve("exs-test-" + ProcessHandle.current().pid());
        try {
            if (!isVersion1) {
                Files.writeString(VERSION2.resolve("cgroup.subtree_control"), "+memory");
            }
            Files.createDirectory(directory);
            Path limit = directory.resolve(isVersion1 ? "memory.limit_in_bytes" : "memory.max");
            Files.writeString(limit, Long.toString(limitBytes));
            return new MemoryGroup(directory);
        } catch (IOException e) {
            return Assumptions.abort("no control group to be had: " + e);
        }
    }

    /** {@return a command, which ends in front of the one that runs in the group} */
    public String command() {
        return "sh -c 'echo $$ > " + directory + "/cgroup.procs && exec \"$@\"' sh ";
    }

    /** {@return whether a process is in it} */
    public boolean contains(ProcessHandle process) throws IOException {
        return Files.readAllLines(directory.resolve("cgroup.procs")).contains(Long.toString(process.pid()));
    }

    /** Removes it, once the processes in it have ended. */
    @Override
    public void close() throws IOException {
        for (int i = 1; ; i++) {
            try {
                Files.delete(directory);
                return;
            } catch (IOException busy) {
                if (i == TRIES) {
                    throw busy;
                }
                LockSupport.parkNanos(TRY_NS);
            }
        }
    }
}
