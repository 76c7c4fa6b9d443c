package org.exsockets.config;

/** Whether bytes go straight into a reading program's memory, where the device can reach it. */
public enum DirectMode {
    /** Where it pays. */
    AUTO,
    /** Reads are not advertised, and ADVERTs of peers not used. */
    NEVER,
    /** Every read that can be is advertised; large writes to a peer that has advertised wait up to 100 µs for an ADVERT. For measurements and tests. */
    ALWAYS
}
