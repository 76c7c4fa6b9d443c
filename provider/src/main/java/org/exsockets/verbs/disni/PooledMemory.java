package org.exsockets.verbs.disni;

/** Registered memory that waits in a {@link MemoryPool} between two connections. */
interface PooledMemory {
    /** {@return the approximate number of locked bytes} */
    int length();

    /** Deregisters and frees; the device must not use the memory any more. */
    void free();
}
