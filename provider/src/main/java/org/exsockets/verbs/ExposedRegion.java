package org.exsockets.verbs;

import java.nio.ByteBuffer;

/**
 * Memory of this end that the peer may write to, beside what the connection exposes from the start.
 *
 * <p>Belongs to the caller of {@link Endpoint#expose}. Ends with the endpoint's release at the latest.
 */
public interface ExposedRegion {
    /** {@return the memory, whole, native byte order} */
    ByteBuffer memory();

    /** {@return what the peer uses as {@link WorkRequest#remoteAddress} of the first byte} */
    long address();

    /** {@return what the peer uses as {@link WorkRequest#rkey}} */
    int key();

    /**
     * Gives the memory back. The peer has told the caller before, by a message behind its last write, that it does not
     * write here any more. Idempotent; one thread at a time.
     */
    void release();
}
