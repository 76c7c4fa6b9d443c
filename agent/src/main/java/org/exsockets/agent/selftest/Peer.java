package org.exsockets.agent.selftest;

import java.io.IOException;
import java.util.List;

/** Where the servers are. Used by one thread. */
interface Peer extends AutoCloseable {
    /** {@return the address at which clients find them} */
    String address();

    /** {@return the ports of a server, one for each listener of {@link Face}} */
    int[] ports(Transport transport);

    /** {@return the processor time that a server has used, as far as it can be told from here} */
    long cpuNs(Transport transport);

    /** {@return lines on the other host; none: it is this one} */
    List<String> about();

    /** Ends the servers. {@return what is left of them} */
    Remains end() throws IOException;

    @Override
    void close() throws IOException;

    /**
     * What JVMs have left.
     *
     * @param statistics of those with the agent: lines of JSON
     * @param said on standard error
     */
    record Remains(List<String> statistics, List<String> said) {}
}
