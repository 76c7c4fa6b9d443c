package org.exsockets.stream.direct;

/** An ADVERT of the peer, as this end holds it. Belongs to the {@link AdvertQueue}, and to the writer while in use. */
public final class Advert {
    public int id;
    int phase;
    long position;
    public long address;
    public int rkey;
    long length;
    boolean waitsForAll;

    /** Bytes written to its memory. */
    public long used;

    /** The peer has cancelled it while it was in use. */
    boolean cancelled;

    /** {@return bytes of its memory that have not been written to} */
    public long left() {
        return length - used;
    }
}
