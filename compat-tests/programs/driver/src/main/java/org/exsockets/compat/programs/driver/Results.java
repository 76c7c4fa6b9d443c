package org.exsockets.compat.programs.driver;

import java.io.PrintStream;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a client has got, by name: the same in every run, whatever carries the connections. And the least number of bytes
 * of content that have travelled each way. Any thread may use it.
 */
public final class Results {
    private final Map<String, Object> values = new TreeMap<>();
    private long toServerBytes;
    private long toClientBytes;

    /**
     * Enters a result.
     *
     * @param name one word
     * @throws IllegalStateException if there is another one of that name
     */
    public synchronized void put(String name, Object value) {
        if (values.put(name, value) != null) {
            throw new IllegalStateException("results: entered twice: name=" + name);
        }
    }

    /** Counts content that the server has received from this client. */
    public synchronized void toServer(long bytes) {
        toServerBytes += bytes;
    }

    /** Counts content that this client has received from the server. */
    public synchronized void toClient(long bytes) {
        toClientBytes += bytes;
    }

    synchronized void print(PrintStream out) {
        values.forEach((name, value) -> out.println("result " + name + " " + value));
        out.println("moved " + toServerBytes + " " + toClientBytes);
    }
}
