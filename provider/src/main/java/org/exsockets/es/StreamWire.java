package org.exsockets.es;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import org.exsockets.es.queue.Attachment;
import org.exsockets.es.queue.Operation;
import org.exsockets.es.queue.Operations;
import org.exsockets.es.queue.Pollable;
import org.exsockets.waiting.Outcome;

/** The connection of a STREAM socket. Used under the socket's lock, unless marked otherwise. */
interface StreamWire extends EsSocket.Established {
    /** A receive has been added behind those pending. */
    default void post(Operation receive) {}

    /**
     * Fills the receives, oldest first; removes and completes those that have ended.
     *
     * @throws IOException if the connection is lost; then the caller must {@link #takeBack} every receive that is still
     *     pending
     */
    void moveReceives(ArrayDeque<Operation> pending, Operations operations) throws IOException;

    /** Without receives: handles what has arrived, so that it is no news any more. */
    default void moveNothing() {}

    /** Cancels a pending receive. {@return whether it has ended; if not, {@link #moveReceives} will remove it} */
    boolean cancel(Operation receive);

    /**
     * Ends pending receives: when this returns, their memory is the program's, and they know what they hold. If the
     * peer may be writing there and does not answer, this takes 5 ms, or 5 s where the device cannot take memory away.
     *
     * @param some of those pending, in order
     */
    default void takeBack(List<Operation> some) {}

    /**
     * {@return bytes written from {@code source}, or a code of {@link Outcome}} If it throws because {@code source}
     * cannot be read, nothing was written, and the connection goes on.
     *
     * @param patient whether the caller comes back soon, even if nothing happens: then the write may wait for an ADVERT
     */
    int write(ByteBuffer source, boolean patient) throws IOException;

    void shutdownOutput() throws IOException;

    /** Resets the connection. Only {@link #takeBack}, {@link #close} and looks of the queues follow. */
    void reset();

    /** @param reset whether the peer must see a reset; it may do so in any case, as with TCP */
    void close(boolean reset);

    /** A queue polls the socket from now on. */
    default void attached(Attachment attachment) {}

    /** A queue has forgotten the socket; any thread, after {@link #attached}. */
    default void detached(Attachment attachment) {}

    /** As {@link Pollable#arm}, without the work. */
    default void arm() {}

    /** As {@link Pollable#channels}. */
    void channels(Pollable.Channels visitor, boolean reading, boolean writing);

    default void onReady() {}
}
