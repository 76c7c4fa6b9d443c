package org.exsockets.config;

/** What a program is about to do with an address, as far as {@link Rules} tell the cases apart. */
public enum Direction {
    /** Connect to the address. */
    CONNECT,
    /** Listen on the address. */
    LISTEN
}
