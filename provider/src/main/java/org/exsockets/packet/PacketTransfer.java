package org.exsockets.packet;

import java.nio.ByteBuffer;
import org.exsockets.verbs.ProgramMemory;

/**
 * One operation of a {@link PacketEngine}; filled in by its owner, who may use it again when the engine has ended it. Not
 * thread-safe.
 */
public class PacketTransfer {
    /**
     * Position and limit are not looked at. Null for a receive whose memory its owner has taken back while it was being
     * cancelled: nothing is stored then.
     */
    public ByteBuffer memory;

    public int offset;
    public int length;

    /** Bytes of {@link #length} that have been sent, or received. */
    public int moved;

    /** Those of {@link #moved} that the peer has written to the program's memory, or this end to the peer's. */
    public int movedDirect;

    /** Received: bytes of the whole packet. */
    public int packetLength;

    /** Received: the export that was written to, if that is what this receive tells of; 0 otherwise. */
    public int notifiedExport;

    public long notifiedOffset;
    public int notifiedLength;

    /** What has been thrown where {@link #memory} was read or written; null if nothing was. */
    public Throwable failure;

    /** To write to: an export of the peer; 0 for a packet. */
    public int export;

    /** Where in it. */
    public long remoteOffset;

    /** Whether the peer's program is to be told. */
    public boolean notify;

    // The engine's.

    int id;

    /** Whether its CANCEL is due or has been sent, and whether it has been sent. */
    boolean cancelling;

    boolean cancelSent;

    /** Bytes of a receive that the peer writes where they lie, from the beginning on; the others go through staging. */
    int direct;

    /** Of those bytes; null if there are none. */
    ProgramMemory registration;

    /** Where the others begin in what is exposed. */
    int staging;

    /** The positions in staging between which they lie. */
    long stagingFrom;

    long stagingTo;

    /** Forgets what the last use has left. */
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
        cancelling = false;
        cancelSent = false;
        direct = 0;
    }
}
