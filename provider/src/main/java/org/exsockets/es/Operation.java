package org.exsockets.es;

import org.exsockets.api.Event;
import org.exsockets.api.ExsSocket;
import org.exsockets.packet.PacketTransfer;

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

    /** For ACCEPT. */
    ExsSocket accepted;

    boolean endOfStream;

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
