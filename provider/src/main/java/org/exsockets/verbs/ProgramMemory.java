package org.exsockets.verbs;

import java.nio.ByteBuffer;

/**
 * Memory of the program that the peer may write to: one registration, which covers an allocation or a part of it.
 * Thread-safe, and nothing in it allocates.
 *
 * <p>From {@link Endpoint#registered}. It stays valid while the program holds the memory, that is, at least as long as
 * somebody refers to the buffer it was asked for; the device keeps it registered at least as long as an address of it is
 * advertised.
 */
public interface ProgramMemory {
    /**
     * {@return how many of the {@code length} bytes from {@code offset} of {@code memory} on may be advertised; 0 if none}
     * A device that can take single pages away from the peer ({@link Endpoint#detach}) only gives whole ones, so that
     * nothing of the program's beside these bytes is touched.
     *
     * @param memory direct and writable
     * @param offset bytes from the beginning of {@code memory}, whatever its position
     * @param length ≥ 0
     */
    int advertisable(ByteBuffer memory, int offset, int length);

    /**
     * {@return what the peer uses as {@link WorkRequest#remoteAddress} for the byte at {@code offset}}
     *
     * @param memory as for {@link #advertisable}
     */
    long remoteAddress(ByteBuffer memory, int offset);

    /** {@return what the peer uses as {@link WorkRequest#rkey}} */
    int rkey();

    /**
     * The caller has done with what {@link Endpoint#registered} or {@link Endpoint#sendable} has given it: no address is
     * advertised any more (the transfer is complete, the ADVERT dead or cancelled, or the memory detached), no request
     * with it is under way. Once for each time it was given; a registration that nobody uses may be dropped for another.
     */
    default void release() {}
}
