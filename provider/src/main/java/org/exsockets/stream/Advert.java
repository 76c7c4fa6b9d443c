package org.exsockets.stream;

/** An ADVERT of the peer, as this end holds it. Belongs to the {@link AdvertQueue}, and to the writer while in use. */
final class Advert {
    int id;
    int phase;
    long position;
    long address;
    int rkey;
    long length;
    boolean waitsForAll;

    /** Bytes written to its memory. */
    long used;

    /** The peer has cancelled it while it was in use. */
    boolean cancelled;

    long left() {
        return length - used;
    }
}
