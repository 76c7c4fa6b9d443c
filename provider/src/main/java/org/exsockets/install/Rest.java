package org.exsockets.install;

import java.io.IOException;
import java.nio.file.Path;
import org.exsockets.jdk.SmallFiles;

/**
 * Waits for times in which the process computes nothing to speak of. Looks at its CPU time twice a second, between
 * looks it sleeps; what the caller computes between two calls does not count. For one thread.
 */
final class Rest {
    /** Between two looks. */
    static final long LOOK_MS = 500;

    /** Of CPU time between two looks, in the kernel's ticks of 10 ms (proc(5)): an eighth of a core. */
    static final long MOST_TICKS = 6;

    /** A minute in all: a process that has not been at rest until then does not call seldom, or computes anyway. */
    static final int LOOKS = 120;

    /** User and system time, among the words behind the name in {@code /proc/self/stat}. */
    private static final int USER_TIME = 11;

    private static final int SYSTEM_TIME = 12;

    private static final Path STAT = Path.of("/proc/self/stat");

    /** What is looked at, and how time passes. */
    interface World {
        /** {@return CPU time of all threads of the process, those that have ended included, in ticks of 10 ms} */
        long cpuTicks() throws IOException;

        void sleep(long ms) throws InterruptedException;
    }

    private final World world;
    private int looksLeft = LOOKS;

    Rest() {
        this(new World() {
            @Override
            public long cpuTicks() throws IOException {
                return ticks(SmallFiles.read(STAT));
            }

            @Override
            public void sleep(long ms) throws InterruptedException {
                Thread.sleep(ms);
            }
        });
    }

    Rest(World world) {
        this.world = world;
    }

    /**
     * Waits until the process has been at rest from one look to the next, for a minute in all calls together.
     *
     * @return false if that time is over
     * @throws IOException if the kernel does not tell the CPU time
     */
    boolean await() throws IOException, InterruptedException {
        while (looksLeft > 0) {
            looksLeft--;
            long before = world.cpuTicks();
            world.sleep(LOOK_MS);
            if (world.cpuTicks() - before <= MOST_TICKS) {
                return true;
            }
        }
        return false;
    }

    /** @param stat as the kernel writes it: the name, in parentheses, may contain anything */
    static long ticks(String stat) {
        String[] words = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return Long.parseLong(words[USER_TIME]) + Long.parseLong(words[SYSTEM_TIME]);
    }
}
