package org.exsockets.bench.e2e.endpoint;

/**
 * How a connection is to be used.
 *
 * @param sizeBytes of its buffer
 * @param noDelay whether to set TCP_NODELAY; otherwise the connection stays as the JDK makes it
 * @param metered counts its allocations; null in a row that is timed
 */
record WireOptions(int sizeBytes, boolean noDelay, Metered metered) {
    static WireOptions of(Fields spec) {
        Metered metered = spec.has("metered") ? new Metered() : null;
        return new WireOptions(spec.integer("size"), !spec.has("nagle"), metered);
    }
}
