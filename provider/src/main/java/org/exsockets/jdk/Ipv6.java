package org.exsockets.jdk;

import java.io.File;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;

/** Whether the JDK's sockets are dual-stack on this host. */
public final class Ipv6 {
    private static final boolean DUAL_STACK =
            SecurityManagers.present() ? SecurityManagers.privileged(Ipv6::find) : find();

    private Ipv6() {}

    private static Boolean find() {
        return !Boolean.getBoolean("java.net.preferIPv4Stack") && new File("/proc/net/if_inet6").exists();
    }

    /** {@return whether a socket opened without a protocol family is reached through IPv4 and IPv6} */
    public static boolean dualStack() {
        return DUAL_STACK;
    }

    /** {@return whether the JDK opens TCP sockets of this family here} */
    public static boolean isTcp(ProtocolFamily family) {
        return family == StandardProtocolFamily.INET || family == StandardProtocolFamily.INET6 && DUAL_STACK;
    }
}
