package org.exsockets.es;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.exsockets.api.Event;
import org.exsockets.api.ExsSocket;
import org.exsockets.memory.FailedMemory;
import org.exsockets.packet.PacketTransfer;
import org.exsockets.socket.direct.PostedReceive;

/** One operation under way; its socket reuses the object. Guarded by the socket's lock. */
final class Operation extends PacketTransfer {
    long id;
    Event.Type type;
    PolledEventQueue queue;
    Object context;
    ExsSocket socket;

    /** The memory of which {@link #memory} is a view; null for operations without memory. */
    RegisteredMemory registration;

    boolean waitAll;

    /** For a receive of a STREAM socket over EXS: the stream's receive. Made when first needed, and kept. */
    PostedReceive posted;

    /** For ACCEPT. */
    ExsSocket accepted;

    boolean endOfStream;

    /** {@return {@link #memory}, limited to the bytes not moved yet} */
    ByteBuffer rest() {
        return memory.limit(offset + length).position(offset + moved);
    }

    /** {@return the failure for the event if {@code fault} is of the operation's memory; otherwise null} */
    IOException memoryFailure(Throwable fault) {
        return FailedMemory.told(fault, memory, offset + moved, length - moved);
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
