package org.exsockets.api;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Memory that operations may use ({@code exs_mregister}). Thread-safe; what is in the memory is for the program and the
 * operations under way to agree about: from the call that starts a receive until its event the bytes belong to the
 * receive, and those of a send must not change.
 *
 * <p>Memory from {@link #allocate} is what peers can best write to: over shared memory only it can be written without a
 * second copy, and only in whole pages ({@link #PAGE_BYTES}), so ranges of receives and exports had better begin and end
 * at multiples of that. Over an RDMA adapter any direct memory will do.
 */
public interface ExsMemory extends AutoCloseable {
    /** Bytes of a page: ranges that begin at multiples of this can be written by peers without a second copy. */
    int PAGE_BYTES = 4096;

    /**
     * Allocates zeroed memory, in whole pages, where peers can write to it as far as this machine allows that.
     *
     * @param lengthBytes ≥ 1
     * @throws IOException if there is not so much; the message says what has run out
     */
    static ExsMemory allocate(int lengthBytes) throws IOException {
        return Binding.provider().allocate(lengthBytes);
    }

    /**
     * Registers memory of the program: all of {@code memory}, whatever its position and limit. An operation on memory that
     * is not there when it is copied, such as that of a mapped file which is shorter now, fails; others do not.
     *
     * @param memory direct and writable; stays the program's, and must not be freed by other means than garbage collection
     *     before {@link #close}. With the agent its arena, if it has one, cannot be closed before.
     * @throws IllegalArgumentException if {@code memory} is on the heap or read-only
     * @throws IllegalStateException with the agent, if its arena is closed, or confined to a thread
     */
    static ExsMemory register(ByteBuffer memory) {
        return Binding.provider().register(memory);
    }

    /**
     * {@return the memory, from its first byte to its last: a new view at each call, whose position and limit no operation
     * looks at or changes} The view stays valid after {@link #close}, as memory of the program's own.
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
