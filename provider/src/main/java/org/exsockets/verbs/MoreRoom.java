package org.exsockets.verbs;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * How a stream gets room for more when what an end exposes from the start is full; nobody asks before. Both ends of a
 * connection have the same kind of it ({@link Endpoint#moreRoom}).
 */
public sealed interface MoreRoom {
    /** Memory that both ends have: the writer takes reserves without the reader, and either end frees empty pages. */
    non-sealed interface Shared extends MoreRoom {
        /**
         * {@return bytes of the reserve that {@link #take} would give next; 0: none, or none at the moment} It costs
         * nothing until it is taken. Any thread.
         */
        int reserveBytes();

        /**
         * The writer: makes the next reserve a target of writes, beside the region in use, until the first write goes there.
         * Touching it cannot fail later; its pages come when they are touched. May take the time of some system calls.
         *
         * @param mostBytes a power of two, more than the reserve before has
         * @return null if there is no memory for it, or the device cannot; the device has logged why
         */
        @Nullable
        RemoteRegion take(int mostBytes);

        /**
         * {@return a reserve that the peer has taken, where its writes arrive; null if it has not} For the poller, when
         * the peer has announced that it writes there; later for any thread.
         *
         * @param generation 1 for the first reserve, 2 for the second
         */
        @Nullable
        ByteBuffer takenByPeer(int generation);

        /**
         * Frees pages of this end's memory that the peer has written to, until the next write. Their content must not be
         * needed, and no thread may write there meanwhile. Pages that lie only partly in the range stay. Any thread.
         *
         * @param memory {@link Endpoint#exposed}, or {@link #takenByPeer}
         */
        void free(ByteBuffer memory, int offset, int length);

        /** As {@link #free}, for memory of the peer: its {@link Endpoint#remote} region, or the reserve. */
        void freeOfPeer(int key, int offset, int length);

        /** Measures how much memory the connection takes, for the device's bound. Until the release; any thread. */
        void measure();
    }

    /** Memory that only its owner can make a target of writes: the reader exposes more, and tells the writer. */
    non-sealed interface Exposing extends MoreRoom {
        /** {@return bound of the bytes that {@link #expose} may be asked for, by this end's own parameters} */
        int maxBytes();

        /**
         * Exposes a further region. Its memory is allocated when this returns, so that touching it cannot fail later.
         * Takes the time of some system calls. One thread at a time.
         *
         * @param fewestBytes a power of two
         * @param mostBytes a power of two, {@code fewestBytes} to {@link #maxBytes}
         * @return a region of {@code mostBytes}, or of less where memory is scarce, a power of two; null if there is no
         *     memory for {@code fewestBytes}, or the device cannot; the device has logged why
         */
        @Nullable
        ExposedRegion expose(int fewestBytes, int mostBytes);
    }

    /** Belongs to the caller of {@link Exposing#expose}. Ends with the endpoint's release at the latest. */
    interface ExposedRegion {
        /** {@return the memory, whole, native byte order} */
        ByteBuffer memory();

        /** {@return the address with which the peer writes to the first byte} */
        long address();

        /** {@return the key with which the peer writes} */
        int key();

        /**
         * Gives the memory back. The peer has told the caller before, by a message behind its last write, that it does
         * not write here any more. Idempotent; one thread at a time.
         */
        void release();
    }
}
