package org.exsockets.es;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import org.exsockets.api.Event;
import org.exsockets.socket.Outcome;

/** What an established STREAM socket moves its bytes over. Used under the socket's lock, where not marked otherwise. */
interface StreamWire extends EsSocket.Established {
    /** Gets the receives that have ended. */
    interface Receiver {
        /**
         * Under the socket's lock: a receive has ended, and is not pending any more; what it says of itself holds.
         *
         * @param failure of the receive alone; null unless it is FAILED
         */
        void received(Operation receive, Event.Status how, IOException failure);
    }

    /** A receive has been added behind those pending. */
    void post(Operation receive);

    /**
     * Moves on the receives, oldest first; takes out those that have ended.
     *
     * @throws IOException if the connection is lost; every receive that is still pending is then to be {@link #takeBack}
     */
    void moveReceives(ArrayDeque<Operation> pending, Receiver receiver) throws IOException;

    /** There are no receives: handles what has arrived nevertheless, so that it is no news any more. */
    void moveNothing();

    /** Has a pending receive end. {@return whether it has already; otherwise {@link #moveReceives} will take it out} */
    boolean cancel(Operation receive);

    /**
     * Ends pending receives: from the return on their memory is the program's, and they say what they hold. May take some
     * milliseconds if the peer could be writing there and does not answer.
     *
     * @param some of those pending, in order
     */
    void takeBack(List<Operation> some);

    /**
     * {@return bytes written from {@code source}, or a code of {@link Outcome}} What throws because {@code source} cannot be
     * read has written nothing, and the connection goes on.
     *
     * @param patient whether the caller comes back soon, even if nothing happens: it may have to for the better
     */
    int write(ByteBuffer source, boolean patient) throws IOException;

    void shutdownOutput() throws IOException;

    /** Resets the connection, of which nothing but {@link #takeBack} and {@link #close} follows, and the queues' looks. */
    void reset();

    /** @param reset whether the peer is to see a reset; it may in any case, as with TCP */
    void close(boolean reset);

    /** A queue polls the socket from now on. */
    void attached(Attachment attachment);

    /** A queue has forgotten the socket; any thread, after {@link #attached}. */
    void detached(Attachment attachment);

    /** As {@link Pollable#hasNews}; any thread, without the lock, between {@link #attached} and {@link #detached}. */
    boolean hasNews();

    /** As {@link Pollable#anticipate}, where {@link #hasNews} may be asked. */
    default void anticipate() {}

    /** As {@link Pollable#arm}, without the work. */
    void arm();

    boolean polled();

    long wakeUpNs();

    /** As {@link Pollable#quietNs}. */
    default long quietNs() {
        return 0;
    }

    /** As {@link Pollable#channels}. */
    void channels(Pollable.Channels visitor, boolean reading, boolean writing);

    void onReady();
}
