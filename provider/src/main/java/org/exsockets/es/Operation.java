package org.exsockets.es;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.exsockets.api.Event;
import org.exsockets.api.ExsSocket;
import org.exsockets.memory.FailedMemory;
import org.exsockets.packet.PacketTransfer;
import org.exsockets.socket.PostedReceive;

/**
 * One operation under way; used again for others of its socket afterwards. Belongs to whoever holds the socket's lock.
 */
final class Operation extends PacketTransfer {
    long id;
    Event.Type type;
    PolledEventQueue queue;
    Object context;
    ExsSocket socket;

    /** Whose {@link #memory} is a view; null for operations without memory. */
    RegisteredMemory registration;

    boolean waitAll;

    /** For a receive of a STREAM socket over EXS: how the stream knows it. Made when first needed, and kept. */
    PostedReceive posted;

    /** For ACCEPT. */
    ExsSocket accepted;

    boolean endOfStream;

    /** {@return {@link #memory} from what has been moved to the end of the operation} */
    ByteBuffer rest() {
        return memory.limit(offset + length).position(offset + moved);
    }

    /** {@return what its program is told if it was the operation's memory that has failed with {@code fault}; otherwise null} */
    IOException memoryFailure(Throwable fault) {
        return FailedMemory.told(fault, memory, offset + moved, length - moved);
    }

    /** Forgets what the last use has left. */
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
