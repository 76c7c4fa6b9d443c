package org.exsockets.verbs.disni;

/** Registered memory that waits in a {@link MemoryPool} between two connections. */
interface PooledMemory {
    /** {@return bytes that are pinned, about} */
    int length();

    /** Deregisters and frees; nothing of the device may use the memory any more. */
    void free();
}
