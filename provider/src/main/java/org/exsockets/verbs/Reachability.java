package org.exsockets.verbs;

/** Outcome of a device's cheap check of a destination. */
public enum Reachability {
    /** Worth a connect. */
    LIKELY,
    /** The device does not lead there. */
    NOT_LOCAL,
    /** The device leads there, but there is no listener. */
    NO_LISTENER,
    /** No address of the device leads there. */
    NO_ROUTE,
    /** The device cannot be used at all. */
    UNAVAILABLE
}
