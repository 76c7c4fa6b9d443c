package org.exsockets.bench.e2e.endpoint;

import java.io.Closeable;
import java.io.IOException;

/**
 * One connection seen through one face of the JDK, with one buffer of the row's size that serves both directions, as an
 * echo program has it. Used by one thread; blocking in behaviour whatever the face.
 */
interface Wire extends Closeable {
    void put(int index, byte value);

    byte at(int index);

    /** Sends the first {@code lengthBytes} of the buffer, all of them. */
    void send(int lengthBytes) throws IOException;

    /**
     * Receives exactly {@code lengthBytes} into the start of the buffer.
     *
     * @throws java.io.EOFException if the peer closed first
     */
    void receive(int lengthBytes) throws IOException;

    /** {@return the number of bytes that one read put at the start of the buffer, at most its size; -1 at the end} */
    int read() throws IOException;
}
