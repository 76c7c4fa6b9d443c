package org.exsockets.connection.direct;

import java.io.IOException;
import org.exsockets.stream.direct.Receive;
import org.exsockets.verbs.ProgramMemory;
import org.jspecify.annotations.Nullable;

/** A receive of the program, to be posted again and again. The fields here belong to the reader. */
public final class PostedReceive extends Receive {
    private final Owner owner;

    /** What is told of the end. */
    interface Owner {
        /** One more receive has ended. Poller. */
        void onDone();
    }

    /** The registration, released when the receive is taken; null: its memory is not registered. */
    @Nullable
    ProgramMemory held;

    /** When its CANCEL was asked for, by {@link System#nanoTime}; 0: it was not. */
    long cancelledAtNs;

    /** Set by the reader before it ends the receive; null: the memory has not failed. */
    @Nullable
    IOException failure;

    PostedReceive(Owner owner) {
        this.owner = owner;
    }

    /** {@return whether it has ended because the connection is lost; valid once it is done, as the next ones} */
    public boolean isReset() {
        return ending() == Ending.RESET;
    }

    /** {@return whether it was cancelled; it may hold bytes} */
    public boolean isCancelled() {
        return ending() == Ending.CANCELLED;
    }

    /**
     * {@return why bytes could not be stored in its memory, which has ended it; null otherwise} The bytes stay for what
     * comes behind it.
     */
    public @Nullable IOException failure() {
        return failure;
    }

    /** {@return whether the peer has finished; there may be bytes before that} */
    public boolean isEndOfStream() {
        return ending() == Ending.END_OF_STREAM;
    }

    @Override
    protected void onDone() {
        owner.onDone();
    }
}
