package org.exsockets.memory;

/** Hears of memory of direct buffers just before it is given back, and of new pages under it; see {@link DirectMemory#listen}. */
public interface DirectMemoryListener {
    /**
     * This memory is about to be freed, and may belong to another buffer as soon as this returns: whatever was arranged
     * for its addresses, such as a registration with an adapter, must be undone by then.
     *
     * <p>Called by any thread, mostly the JVM's own that looks after references, for every direct buffer that is freed:
     * must be quick, must not wait for anything that allocates memory or for other references to be looked after, and
     * must not throw.
     *
     * @param address of the first byte of the allocation, not of a slice of it; may be 0 for a file that is mapped no more
     * @param lengthBytes of the allocation, which may be longer than the buffer: memory is freed whole or not at all
     */
    void onFree(long address, long lengthBytes);

    /**
     * This memory, whole pages of one buffer, lies in other pages of the same content since just now: whatever was arranged
     * for the pages, such as a registration with an adapter, does not reach the program's bytes any more. The bytes are
     * those of one call that has not returned; calls may be using others of the same buffer. As quick as {@link #onFree}.
     */
    void onExchange(long address, long lengthBytes);
}
