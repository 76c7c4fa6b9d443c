package org.exsockets.es.queue;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.exsockets.api.Event;
import org.exsockets.api.ExsSocket;
import org.exsockets.connection.direct.PostedReceives.PostedReceive;
import org.exsockets.memory.CheckedCopy;
import org.exsockets.packet.PacketTransfer;
import org.jspecify.annotations.Nullable;

/** One operation under way; its socket reuses the object. Guarded by the socket's lock. */
public final class Operation extends PacketTransfer {
    /** Its number, unique for the socket. */
    public long id;

    @SuppressWarnings("NullAway.Init") // By begin, before anybody else has this object.
    public Event.Type type;

    /** Of its event; null once it has ended, or has been disowned. */
    public @Nullable PolledEventQueue queue;

    @Nullable
    Object context;

    /** Null for a listener's. */
    @Nullable
    ExsSocket socket;

    /** The memory of which {@link #memory} is a view; null for operations without memory. */
    @Nullable
    RegisteredMemory registration;

    /** For a receive of a STREAM socket: it ends when it is full. */
    public boolean waitAll;

    /** For a receive of a STREAM socket over EXS: the stream's receive. Made when first needed, and kept. */
    @SuppressWarnings("NullAway.Init") // Before the stream has it.
    public PostedReceive posted;

    /** For ACCEPT. */
    public @Nullable ExsSocket accepted;

    /** For a receive: the peer's data have ended. */
    public boolean endOfStream;

    /** Made by {@link Operations}. */
    Operation() {}

    /** {@return {@link #memory}, limited to the bytes not moved yet} */
    @SuppressWarnings("NullAway") // Of an operation with memory.
    public ByteBuffer rest() {
        return memory.limit(offset + length).position(offset + moved);
    }

    /** {@return the failure for the event if {@code fault} is of the operation's memory; otherwise null} */
    @SuppressWarnings("NullAway") // Of an operation with memory.
    public @Nullable IOException memoryFailure(Throwable fault) {
        return CheckedCopy.told(fault, memory, offset + moved, length - moved);
    }

    /** Makes the object ready for the next use. */
    void clear() {
        reset();
        queue = null;
        context = null;
        registration = null;
        accepted = null;
        endOfStream = false;
        waitAll = false;
    }
}
