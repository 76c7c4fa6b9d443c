package org.exsockets.agent.selftest;

/** What a client asks the server for, by the first byte of a connection; the second one is the face. */
enum Service {
    /** All bytes come back; after the end of the stream its end. */
    ECHO,
    /** After the end of the stream comes the number of its bytes, a long. */
    COUNT;

    static final int HEADER_BYTES = 2;
}
