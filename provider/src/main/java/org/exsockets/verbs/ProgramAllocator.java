package org.exsockets.verbs;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Allocates memory for the program that the peers of a device can write to: whole pages, zeroed, made when they are
 * touched. An access never fails. From {@link Device#programAllocator}. Thread-safe.
 */
public interface ProgramAllocator {
    /**
     * Allocates a buffer, which is freed when neither it nor a view of it is reachable any more, or by {@link #free}.
     *
     * @param lengthBytes ≥ 1
     * @return direct, page-aligned, position 0, big-endian
     * @throws IOException if there is no such memory; the message tells the user why
     */
    ByteBuffer allocate(int lengthBytes) throws IOException;

    /**
     * Frees a buffer at once. The program must not touch it or a view of it afterwards, and no call may be using it.
     *
     * @param buffer as {@link #allocate} has returned it, or a duplicate
     * @throws IllegalArgumentException if it is not of this allocator, or freed already
     */
    void free(ByteBuffer buffer);

    /**
     * Allocates memory that the caller frees itself.
     *
     * @return the address of its first byte
     * @throws IOException as {@link #allocate}
     */
    long allocateAddress(long lengthBytes) throws IOException;

    /**
     * Frees what {@link #allocateAddress} has allocated. Never throws.
     *
     * @return false if the address is not from here; then nothing has happened
     */
    boolean freeAddress(long address);
}
