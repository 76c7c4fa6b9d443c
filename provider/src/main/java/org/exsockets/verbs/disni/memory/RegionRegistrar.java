package org.exsockets.verbs.disni.memory;

import java.io.IOException;

/** Registers memory with one protection domain, for the peers to write to. Thread-safe. */
public interface RegionRegistrar {
    /**
     * Registers memory, which stays where it is until {@link Region#deregister}. Takes the time of a system call, and
     * more for each page.
     *
     * @throws IOException if the limit of locked memory, the device or the kind of memory forbids it; nothing is left
     */
    Region register(long address, int lengthBytes) throws IOException;

    interface Region {
        /** {@return the key for requests of this end} */
        int localKey();

        /** {@return the key for writes of the peer} */
        int remoteKey();

        /**
         * After the return the adapter does not touch the memory: requests that still name it fail. Once.
         *
         * @throws IOException if the device refuses
         */
        void deregister() throws IOException;
    }
}
