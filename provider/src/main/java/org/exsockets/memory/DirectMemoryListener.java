package org.exsockets.memory;

/** Gets events of direct buffers' memory: it will be freed, or has other pages; see {@link DirectMemory#listen}. */
public interface DirectMemoryListener {
    /**
     * This memory is about to be freed, and may belong to another buffer as soon as this returns. So anything arranged
     * for its addresses, such as a registration with an adapter, must be undone before the return.
     *
     * <p>Called by any thread, usually the JVM's reference handler, for every direct buffer that is freed. Must be
     * quick, must not wait for anything that allocates memory or handles references, and must not throw.
     *
     * @param address of the first byte of the allocation, not of a slice of it; may be 0 for a file no longer mapped
     * @param lengthBytes of the allocation, which may be longer than the buffer: memory is freed whole or not at all
     */
    void onFree(long address, long lengthBytes);

    /**
     * This memory, whole pages of one buffer, now lies in other pages of the same content. Anything arranged for the
     * old pages, such as a registration with an adapter, does not reach the program's bytes any more. The bytes belong
     * to one call that has not returned; other calls may be using other bytes of the buffer. As quick as {@link
     * #onFree}.
     */
    void onExchange(long address, long lengthBytes);
}
