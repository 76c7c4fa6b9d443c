package org.exsockets.socket;

import java.io.IOException;

/** The socket object whose streams {@link ConnectionInputStream} and {@link ConnectionOutputStream} are. */
public interface StreamOwner {
    /** {@return how a read waits, now that it is its turn} @throws IOException if the owner may not read: closed, not blocking */
    Wait readWait() throws IOException;

    /** {@return how a read waits of whose time waiting for other readers is a part; null if its time begins with its turn} */
    Wait readWaitInTime();

    /** {@return how a write waits, now that it is its turn} @throws IOException if the owner may not write */
    Wait writeWait() throws IOException;

    /** In any mode. @throws IOException if the owner is closed */
    void ensureOpen() throws IOException;

    /** {@return whether a stream that was read to its end is at its end still when the owner is closed} */
    boolean endOutlivesClose();

    /** {@return whether a read that was told of a reset is told so again when the input has been shut down since} */
    boolean resetOutlivesShutdown();

    /** {@return what a read or write throws that finds the owner closed, or about to be, when it is its turn} */
    IOException closedBefore();

    /** {@return what a read or write throws during which the owner was closed} */
    IOException closedMeanwhile();

    /** {@return what a write throws after this side's output was shut down} */
    IOException outputShut();

    /** {@return what a write throws that has failed in this way, which is how a channel's fails} */
    IOException writeFailed(IOException failure);

    /** The thread was interrupted where that ends the call: closes the owner. {@return the exception to throw} */
    IOException interrupted() throws IOException;

    /** Closes the owner. */
    void close() throws IOException;
}
