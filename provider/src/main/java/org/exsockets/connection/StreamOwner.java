package org.exsockets.connection;

import java.io.IOException;
import org.exsockets.waiting.Wait;
import org.jspecify.annotations.Nullable;

/** The socket object whose streams {@link ConnectionInputStream}, {@link ConnectionOutputStream} or {@link PlainStreams} are. */
public interface StreamOwner {
    /**
     * {@return how a read waits, now that it is its turn}
     *
     * @throws IOException if the owner may not read: closed, not blocking
     */
    Wait readWait() throws IOException;

    /**
     * {@return how a read waits if its time includes the wait for other readers; null if its time begins with its turn}
     */
    @Nullable
    Wait readWaitInTime();

    /** {@return how a write waits, now that it is its turn} @throws IOException if the owner may not write */
    Wait writeWait() throws IOException;

    /** In any mode. @throws IOException if the owner is closed */
    void ensureOpen() throws IOException;

    /**
     * {@return whether what a read has reported is reported again: the end, once the owner is closed; a reset, once the
     * input is shut down}
     */
    boolean reportsAgain();

    /** {@return the exception of a read or write that finds the owner closed, or about to be, at its turn} */
    IOException closedBefore();

    /** {@return the exception of a read or write during which the owner was closed} */
    IOException closedMeanwhile();

    /** {@return the exception of a write to {@code connection} after this end's output was shut down} */
    IOException outputShut(ExsConnection connection);

    /** {@return the owner's exception for a write that has failed with a channel's exception} */
    IOException writeFailed(IOException failure);

    /** {@return the owner's exception for a failure of a plain socket's stream} Closes the owner if that has closed itself. */
    IOException plainFailed(IOException failure) throws IOException;

    /**
     * The thread was interrupted where that ends the call: closes the owner, unless it closes itself on the exception.
     * {@return the exception to throw}
     */
    IOException interrupted() throws IOException;

    /** Closes the owner. */
    void close() throws IOException;
}
