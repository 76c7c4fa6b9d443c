package org.exsockets.socket;

import java.io.IOException;

/** The socket object whose streams {@link ConnectionInputStream} and {@link ConnectionOutputStream} are. */
public interface StreamOwner {
    /** {@return how a read waits now} @throws IOException if the owner may not read: closed, or not in blocking mode */
    Wait readWait() throws IOException;

    /** {@return how a write waits now} @throws IOException if the owner may not write */
    Wait writeWait() throws IOException;

    /** The thread was interrupted where that ends the call: closes the owner. {@return the exception to throw} */
    IOException interrupted() throws IOException;

    /** Closes the owner. */
    void close() throws IOException;
}
