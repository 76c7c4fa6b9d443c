package org.exsockets.stream.direct;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.exsockets.stream.StreamEngine;
import org.exsockets.verbs.ProgramMemory;
import org.jspecify.annotations.Nullable;

/**
 * A receive the program has posted: memory that the next bytes of the stream are to go to. Its bytes come from the
 * hidden buffer, or directly from the peer into advertised memory; the program cannot tell which.
 *
 * <pre>
 *   state       trigger                                                    next
 *   IDLE        {@link StreamEngine#post}                                  WAITING
 *   WAITING     nothing unread, every earlier receive advertised, a credit ADVERTISED
 *   WAITING     filled from the hidden buffer, end of the stream, cancel   DONE
 *   ADVERTISED  bytes in the hidden buffer, FIN                            WAITING
 *   ADVERTISED  a fence for a receive before it                            WAITING
 *   ADVERTISED  bytes in its memory                                        DONE (or stays, see {@link #waitsForAll})
 *   ADVERTISED  {@link StreamEngine#cancel}                                CANCELLING
 *   CANCELLING  bytes in its memory                                        DONE (or stays, see {@link #waitsForAll})
 *   CANCELLING  CANCELLED, bytes in the hidden buffer, FIN                 DONE
 *   any but IDLE and DONE  reset, behind the fence                         DONE
 *   DONE        {@link #into}                                              IDLE
 * </pre>
 *
 * <p>The program owns the object before {@link StreamEngine#post} and from {@link #isDone} on, and may use it again. In
 * between the stream owns it and its memory, and the program must not touch either. The poller changes the state, and
 * stores DONE last: a thread that has seen {@link #isDone} sees everything else.
 */
public class Receive {
    /** See the table above. */
    enum State {
        IDLE,
        WAITING,
        ADVERTISED,
        CANCELLING,
        DONE
    }

    /** How a receive has ended. In any case it holds {@link #received} bytes. */
    public enum Ending {
        /** With bytes; with all that were asked for, if it waits for all. */
        RECEIVED,

        /** The stream has ended; there may be bytes before that. */
        END_OF_STREAM,

        /** It was cancelled. It may hold received bytes. */
        CANCELLED,

        /** The connection is lost. */
        RESET
    }

    private @Nullable ByteBuffer memory;
    private int offset;
    private int length;
    private boolean waitsForAll;
    private @Nullable ProgramMemory registration;

    private volatile State state = State.IDLE;

    // What follows belongs to the poller; the program reads it once the receive is done.
    private int received;
    private int receivedDirect;
    private @Nullable Ending ending;

    // The live ADVERT. The poller's.
    int id;
    int advertisedFrom;
    int advertisedLength;
    boolean cancelWanted;
    boolean cancelSent;

    /** The window that it is advertised through is closed, and the peer is not within. */
    boolean closed;

    /** The reader is copying bytes of the hidden buffer into it. The poller's. */
    public boolean filling;

    /**
     * Sets the memory for the next {@link StreamEngine#post}.
     *
     * @param memory bytes go to {@code length} bytes from {@code offset} on, whatever its position and limit; neither
     *     is changed
     * @param length ≥ 1
     * @param waitsForAll true: the receive is done only when it is full (MSG_WAITALL); false: as soon as it has bytes
     * @param registration of these bytes, or null: then they are never advertised
     * @throws IllegalStateException if the receive has been posted and is not done
     */
    public final Receive into(
            ByteBuffer memory, int offset, int length, boolean waitsForAll, @Nullable ProgramMemory registration) {
        if (state != State.IDLE && state != State.DONE) {
            throw new IllegalStateException("receive: in use: state=" + state);
        }
        Objects.checkFromIndexSize(offset, length, memory.capacity());
        if (length == 0) {
            throw new IllegalArgumentException("receive: no space");
        }
        this.memory = memory;
        this.offset = offset;
        this.length = length;
        this.waitsForAll = waitsForAll;
        this.registration = registration;
        this.received = 0;
        this.receivedDirect = 0;
        this.ending = null;
        this.state = State.IDLE;
        return this;
    }

    /** Drops the memory. For a receive that is done, or was not posted. */
    public final void clear() {
        memory = null;
        registration = null;
    }

    /** {@return whether the receive has ended and its memory belongs to the program again; any thread} */
    public final boolean isDone() {
        return state == State.DONE;
    }

    /** {@return whether an ADVERT of it is live, so that the peer may be writing; any thread, exact for the poller} */
    public final boolean isAdvertised() {
        State now = state;
        return now == State.ADVERTISED || now == State.CANCELLING;
    }

    /** {@return bytes it holds, from its offset on; valid once it is done} */
    public final int received() {
        return received;
    }

    /** {@return how many of {@link #received} the peer has written straight into the memory; valid once it is done} */
    public final int receivedDirect() {
        return receivedDirect;
    }

    /** {@return how it has ended; null until it is done} */
    public final @Nullable Ending ending() {
        return ending;
    }

    @SuppressWarnings("NullAway") // Not asked for while there is none: before into, after clear.
    public final ByteBuffer memory() {
        return memory;
    }

    public final int offset() {
        return offset;
    }

    public final int length() {
        return length;
    }

    public final boolean waitsForAll() {
        return waitsForAll;
    }

    /** The receive has just ended. Called once for each post by the poller; must not block, nor call the stream. */
    protected void onDone() {}

    // The poller's.

    final State state() {
        return state;
    }

    final void state(State next) {
        state = next;
    }

    final @Nullable ProgramMemory registration() {
        return registration;
    }

    /** {@return whether it is a {@link Place}, not a receive of the program} */
    boolean isPlace() {
        return false;
    }

    /** {@return whether bytes may come to it that must be read before those of the receives behind it} */
    boolean keepsBytes() {
        return false;
    }

    /** {@return bytes still wanted} */
    public final int wanted() {
        return length - received;
    }

    final void add(int bytes, boolean direct) {
        received += bytes;
        if (direct) {
            receivedDirect += bytes;
        }
    }

    final void end(Ending how) {
        ending = how;
        registration = null;
        state = State.DONE;
        onDone();
    }
}
