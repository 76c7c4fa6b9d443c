package org.exsockets.config;

/** What a program is about to do with an address, as {@link Rules} distinguish it. */
public enum Direction {
    /** Connect to the address. */
    CONNECT,
    /** Listen on the address. */
    LISTEN
}
