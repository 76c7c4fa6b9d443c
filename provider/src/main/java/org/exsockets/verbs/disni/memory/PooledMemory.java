package org.exsockets.verbs.disni.memory;

/** Registered memory that waits in the pool between two connections. */
public interface PooledMemory {
    /** {@return the approximate number of locked bytes} */
    int length();

    /** Deregisters and frees; the device must not use the memory any more. */
    void free();
}
