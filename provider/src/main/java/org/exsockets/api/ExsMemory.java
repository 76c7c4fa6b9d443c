package org.exsockets.api;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Memory that operations may use ({@code exs_mregister}). Thread-safe, except for the bytes themselves: from the call
 * that starts an operation until its event, the bytes of a receive belong to the receive, and those of a send must not
 * change.
 *
 * <p>Peers write best to memory from {@link #allocate}. Over shared memory only such memory can be written without a
 * second copy, and only in whole pages: ranges of receives and exports should begin and end at multiples of
 * {@link #PAGE_BYTES}. Over an RDMA adapter any direct memory can be.
 */
public interface ExsMemory extends AutoCloseable {
    /** Bytes of a page: ranges that begin at multiples of this can be written by peers without a second copy. */
    int PAGE_BYTES = 4096;

    /**
     * Allocates zeroed memory in whole pages. Peers can write to it if this machine allows that.
     *
     * @param lengthBytes ≥ 1
     * @throws IOException if there is not enough memory; the message says what has run out
     */
    static ExsMemory allocate(int lengthBytes) throws IOException {
        return Binding.provider().allocate(lengthBytes);
    }

    /**
     * Registers memory of the program: all of {@code memory}, whatever its position and limit. If memory is not there
     * when it is copied, for example because a mapped file has become shorter, only the operation that uses it fails.
     *
     * @param memory direct and writable; stays the program's; before {@link #close} only the garbage collector may free
     *     it. With the agent its arena, if it has one, cannot be closed before then.
     * @throws IllegalArgumentException if {@code memory} is on the heap or read-only
     * @throws IllegalStateException with the agent, if its arena is closed, or confined to a thread
     */
    static ExsMemory register(ByteBuffer memory) {
        return Binding.provider().register(memory);
    }

    /**
     * {@return a new view of the whole memory; operations neither use nor change its position and limit} The view stays
     * valid after {@link #close}, as memory of the program.
     */
    ByteBuffer buffer();

    /** {@return bytes of the memory} */
    int length();

    /**
     * Ends the registration ({@code exs_mderegister}): no operation can use the memory any more. Memory from
     * {@link #allocate} is given back when no view of it is left. Idempotent.
     *
     * @throws IllegalStateException if operations or exports still use the memory
     */
    @Override
    void close();
}
