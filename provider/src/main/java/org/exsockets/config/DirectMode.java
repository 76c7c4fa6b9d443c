package org.exsockets.config;

/** Whether bytes go straight into a reading program's memory, where the device can reach it. */
public enum DirectMode {
    /** Where it pays. */
    AUTO,
    /** Reads are not advertised; ADVERTs of peers are not used. */
    NEVER,
    /**
     * Every possible read is advertised. Once bytes have gone directly, large writes wait up to 100 µs for an ADVERT.
     * For measurements and tests.
     */
    ALWAYS
}
