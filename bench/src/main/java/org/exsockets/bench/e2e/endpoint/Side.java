package org.exsockets.bench.e2e.endpoint;

import java.io.Closeable;
import java.io.IOException;

/**
 * One side of one row's conversation, inside one child. Opened once, run for any number of rounds with its peer,
 * closed; nothing of it runs between rounds.
 */
interface Side extends Closeable {
    /** Server: accepts what the row needs. Client: connects it. */
    void open() throws IOException;

    /**
     * Runs one round with the peer. The client ends the round and tells the server in band.
     *
     * @param seconds how long the client goes on
     * @return what was measured, in names that end in their units
     */
    Fields round(double seconds) throws IOException;

    /** A side that listens before its peer connects. */
    interface Server extends Side {
        int port() throws IOException;
    }
}
