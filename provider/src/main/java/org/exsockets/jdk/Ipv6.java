package org.exsockets.jdk;

import java.io.File;

/** Whether the JDK's sockets are dual-stack on this host. */
public final class Ipv6 {
    private static final boolean DUAL_STACK =
            !Boolean.getBoolean("java.net.preferIPv4Stack") && new File("/proc/net/if_inet6").exists();

    private Ipv6() {}

    /** {@return whether a socket opened without a protocol family is reached through IPv4 and IPv6} */
    public static boolean dualStack() {
        return DUAL_STACK;
    }
}
