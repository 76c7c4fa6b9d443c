package org.exsockets.verbs;

import java.nio.ByteBuffer;

/**
 * Memory of the program that the peer may write to: one registration, which covers an allocation or a part of it.
 * Thread-safe, and nothing in it allocates.
 *
 * <p>From {@link DirectAccess}. It stays valid at least as long as the buffer that it was asked for is
 * reachable. The device keeps it registered at least as long as an address of it is advertised.
 */
public interface ProgramMemory {
    /**
     * {@return how many of the {@code length} bytes from {@code offset} of {@code memory} on may be advertised; 0 if
     * none} A device that can detach single pages ({@link DirectAccess#detach}) gives only whole ones, so that no other
     * memory of the program is affected.
     *
     * @param memory direct and writable
     * @param offset bytes from the beginning of {@code memory}, whatever its position
     * @param length ≥ 0
     */
    int advertisable(ByteBuffer memory, int offset, int length);

    /**
     * {@return the address with which the peer writes to the byte at {@code offset}}
     *
     * @param memory as for {@link #advertisable}
     */
    long remoteAddress(ByteBuffer memory, int offset);

    /** {@return the key with which the peer writes} */
    int rkey();

    /**
     * Gives back what a method of {@link DirectAccess} has returned, once for each time. No
     * address may be advertised any more (the transfer is complete, the ADVERT stale or cancelled, or the memory
     * detached), and no request with it may be under way. An unused registration may be dropped for another.
     */
    default void release() {}
}
