package org.exsockets.api;

/** Memory that the peer of one socket may write to ({@code riomap}): see {@link ExsSocket#export}. Thread-safe. */
public interface Export {
    /** {@return the number by which the peer names it, which the program passes on; unique for the connection, ≥ 1} */
    int number();

    /** {@return bytes the peer may write} */
    int length();
}
