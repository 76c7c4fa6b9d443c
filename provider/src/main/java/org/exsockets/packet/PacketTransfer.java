package org.exsockets.packet;

import java.nio.ByteBuffer;
import org.exsockets.verbs.ProgramMemory;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a {@link PacketEngine}. Its owner fills it in, and may use it again when the engine has ended it.
 * Not thread-safe.
 */
public class PacketTransfer {
    /**
     * Position and limit are ignored. Null for a receive whose owner has taken the memory back while it was being
     * cancelled: then nothing is stored.
     */
    public @Nullable ByteBuffer memory;

    public int offset;
    public int length;

    /** Bytes of {@link #length} that have been sent, or received. */
    public int moved;

    /** Those of {@link #moved} that the peer has written to the program's memory, or this end to the peer's. */
    public int movedDirect;

    /** Received: bytes of the whole packet. */
    public int packetLength;

    /** Received: the export that was written to, if a notification has ended this receive; 0 otherwise. */
    public int notifiedExport;

    public long notifiedOffset;
    public int notifiedLength;

    /** What reading or writing {@link #memory} has thrown; null if nothing. */
    public @Nullable Throwable failure;

    /** The export of the peer to write to; 0 for a packet. */
    public int export;

    /** Where to write in the export. */
    public long remoteOffset;

    /** Whether the peer's program gets a notification. */
    public boolean notify;

    // The engine's.

    int id;

    boolean cancelSent;

    /** The first bytes of a receive, which the peer writes directly; the others go through staging. */
    int direct;

    /** Of those bytes; null if there are none. */
    @Nullable
    ProgramMemory registration;

    /** Where the others begin in the exposed memory. */
    int staging;

    /** Positions in staging where they begin and end. */
    long stagingFrom;

    long stagingTo;

    /** Clears what the last use has left. */
    public void reset() {
        memory = null;
        offset = 0;
        length = 0;
        moved = 0;
        movedDirect = 0;
        packetLength = 0;
        notifiedExport = 0;
        notifiedOffset = 0;
        notifiedLength = 0;
        failure = null;
        export = 0;
        remoteOffset = 0;
        notify = false;
        cancelSent = false;
        direct = 0;
    }
}
