package org.exsockets.rendezvous;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** What the connecting side knows of its own address, and of its packets; and what it is told. */
public interface LocalBinding {
    /** {@return the address to which the program has bound the TCP socket of the connection; null if not bound} */
    @Nullable
    InetSocketAddress bound() throws IOException;

    /**
     * Binds the TCP socket if it is not bound yet.
     *
     * @return its address; a wildcard host stands for the address that TCP would choose
     */
    InetSocketAddress bind() throws IOException;

    /** {@return whether the program still wants the connection} */
    default boolean isWanted() {
        return true;
    }

    /** The peer's program may know of the connection from now on. In a thread of the device; must not block. */
    default void onAnswer() {}

    /** {@return the traffic class (IP_TOS) that the program has set, 0 to 255; 0 if none} */
    default int trafficClass() throws IOException {
        return 0;
    }
}
