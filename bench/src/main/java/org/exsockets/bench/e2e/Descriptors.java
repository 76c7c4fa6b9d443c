package org.exsockets.bench.e2e;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;

/** How many connections the limit of open files lets a process have; children inherit it. */
final class Descriptors {
    /** EXS needs two for a connection: one keeps the port, the other is the doorbell. */
    private static final int PER_CONNECTION = 2;

    private static final int FOR_THE_JVM = 200;

    private Descriptors() {}

    /** {@return the number of connections that can be open, at most as many as wanted; says so if they are fewer} */
    static int connections(int wanted) {
        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        long limit = system instanceof UnixOperatingSystemMXBean unix ? unix.getMaxFileDescriptorCount() : 1024;
        int possible = (int) Math.max(0, Math.min(wanted, (limit - FOR_THE_JVM) / PER_CONNECTION));
        if (possible < wanted) {
            System.out.println("NOTE: " + wanted + " open connections need " + (PER_CONNECTION * wanted + FOR_THE_JVM)
                    + " descriptors a process, and the limit is " + limit + " (ulimit -Hn): " + possible + " instead");
        }
        return possible;
    }
}
