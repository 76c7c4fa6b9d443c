package org.exsockets.compat.soak;

import java.net.InetSocketAddress;

/** How an end of a connection is carried: each way has its listener, at a port of its own. */
enum Way {
    STREAMS,
    CHANNEL,
    ASYNCHRONOUS,
    SELECTOR;

    /** Returns where a process listens for this way. */
    InetSocketAddress address(String host, int firstPort) {
        return new InetSocketAddress(host, firstPort + ordinal());
    }
}
