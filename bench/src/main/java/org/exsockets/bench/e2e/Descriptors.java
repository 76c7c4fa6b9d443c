package org.exsockets.bench.e2e;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;

/** How many connections the limit of open files allows; children inherit the limit. */
final class Descriptors {
    /**
     * A client over EXS needs two for a connection: one keeps the port, the other is the doorbell. A server needs one.
     */
    private static final int PER_CONNECTION = 2;

    private static final int CLIENTS = 2;

    private static final int FOR_THE_JVM = 200;

    private Descriptors() {}

    /**
     * {@return the number of connections that a server can have open, at most as many as wanted; prints a note if they
     * are fewer}
     */
    static int connections(int wanted) {
        int possible = (int) Math.max(0, Math.min(wanted, Math.min(free(), CLIENTS * ofOneClient())));
        if (possible < wanted) {
            System.out.println("NOTE: " + wanted + " open connections need " + (wanted + FOR_THE_JVM)
                    + " descriptors a process, and the limit is " + limit() + " (ulimit -Hn): " + possible
                    + " instead");
        }
        return possible;
    }

    /** {@return how many of them a second client has to make; 0 if one client can make all} */
    static int held(int connections) {
        return connections > ofOneClient() ? connections / CLIENTS : 0;
    }

    private static long ofOneClient() {
        return free() / PER_CONNECTION;
    }

    private static long free() {
        return limit() - FOR_THE_JVM;
    }

    private static long limit() {
        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        return system instanceof UnixOperatingSystemMXBean unix ? unix.getMaxFileDescriptorCount() : 1024;
    }
}
