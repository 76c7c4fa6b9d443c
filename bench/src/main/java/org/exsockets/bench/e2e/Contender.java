package org.exsockets.bench.e2e;

import java.nio.file.Path;
import java.util.List;
import org.exsockets.bench.e2e.endpoint.Fields;

/** What runs the rounds of one transport. Used by one thread; after a failure it must be killed. */
interface Contender {
    /** {@return the version of what runs the rounds} */
    String version();

    /** Prepares both sides for a row. */
    void open(Fields spec) throws EndpointFailure;

    Sample round(double seconds) throws EndpointFailure;

    /** Ends the row. */
    void close() throws EndpointFailure;

    /**
     * Ends all processes.
     *
     * @return the statistics that they wrote when they ended; empty if they are not EXS, or no row was opened
     * @throws EndpointFailure if one did not end
     */
    List<Path> quit() throws EndpointFailure;

    void kill();
}
