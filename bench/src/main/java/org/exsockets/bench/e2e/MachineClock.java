package org.exsockets.bench.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Time in which the machine's cores were not idle, for any cause, since this clock was made; the kernel's own work is
 * included. In steps of 10 ms.
 */
final class MachineClock {
    private static final Path COUNTERS = Path.of("/proc/stat");
    private static final long NS_PER_STEP = 10_000_000L;
    private static final int IDLE = 4;
    private static final int WAITING_FOR_DISKS = 5;
    private static final int GUEST = 9;

    private final double startNs = busyNs();

    /** {@return the time in nanoseconds, or NaN if this machine does not report it} */
    double elapsedNs() {
        return busyNs() - startNs;
    }

    private static double busyNs() {
        try {
            String all = Files.readString(COUNTERS);
            String[] steps = all.substring(0, all.indexOf('\n')).split(" +");
            long busy = 0;
            // The time of guests is within the user time.
            for (int i = 1; i < Math.min(steps.length, GUEST); i++) {
                busy += i == IDLE || i == WAITING_FOR_DISKS ? 0 : Long.parseLong(steps[i]);
            }
            return (double) busy * NS_PER_STEP;
        } catch (IOException missing) {
            return Double.NaN;
        }
    }
}
