package org.exsockets.watch;

import java.util.List;
import java.util.Map;

/**
 * What this process's EXS sockets have done, for monitoring: totals since the start, as attributes with numbers only, and
 * on demand each connection. Registered as {@value Managed#NAME}. Any thread; nothing is paused.
 */
public interface SocketsMXBean {
    /** {@return connections that were established over shared memory} */
    long getConnectionsSoft();

    /** {@return connections that were established over an RDMA adapter} */
    long getConnectionsDisni();

    /** {@return connections of the program that were established over TCP} */
    long getConnectionsTcp();

    /** {@return EXS connections that are open} */
    int getOpenConnections();

    /** {@return listeners that are reached over EXS} */
    int getOpenListeners();

    /** {@return bytes written straight into memory of reading programs} */
    long getBytesSentDirect();

    /** {@return bytes copied into hidden buffers} */
    long getBytesSentIndirect();

    long getBytesReceivedDirect();

    long getBytesReceivedIndirect();

    /** {@return changes between direct and indirect bytes that were sent} */
    long getPhasesSent();

    long getPhasesReceived();

    /** {@return hidden buffers that were followed by longer ones} */
    long getBuffersGrown();

    /** {@return hidden buffers that could not grow for lack of memory} */
    long getBuffersRefused();

    /** {@return why connections and listeners have used TCP, and how often; reasons that never occurred are not there} */
    Map<String, Long> getFallbacks();

    /** {@return each open EXS connection with its values by name, those of {@code ss --wide}} */
    List<Map<String, String>> listConnections();

    /** {@return each listener that is reached over EXS with its values by name} */
    List<Map<String, String>> listListeners();
}
