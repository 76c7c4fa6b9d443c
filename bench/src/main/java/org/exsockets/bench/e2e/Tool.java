package org.exsockets.bench.e2e;

import java.util.List;
import java.util.Map;
import org.exsockets.bench.e2e.endpoint.Fields;

/** A program that is not ours and measures one thing per run, as a server and as a client. */
interface Tool {
    /** {@return what heads its column} */
    String label();

    /** @param iterations round trips, or chunks of a stream */
    List<String> server(Fields spec, int port, int iterations);

    List<String> client(Fields spec, int port, int iterations);

    /**
     * Reads what the client printed.
     *
     * @return figures by name; {@code operationNs}, the time of one of the iterations, among them
     * @throws IllegalArgumentException if the tool printed no result
     */
    Map<String, Double> figures(Fields spec, String output);
}
