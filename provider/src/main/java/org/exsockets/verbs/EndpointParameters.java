package org.exsockets.verbs;

/**
 * What a program wants of a connection.
 *
 * @param exposedBytes memory each end exposes to the other from the start, in bytes; a power of two, 4 KiB to 64 MiB
 * @param maxExposedBytes bound of one region that this end exposes later ({@link MoreRoom}), in bytes; a power
 *     of two, {@code exposedBytes} to 64 MiB
 * @param receiveDepth receives that can be posted at each end; a power of two, 4 to 2048
 * @param minVersion oldest spoken version of the upper protocol; protocols have {@value #VERSIONS_PER_PROTOCOL} each
 * @param maxVersion newest spoken version of the upper protocol
 * @param trafficClass of the packets of a connect over a network, 0 to 255; 0: the system's
 */
public record EndpointParameters(
        int exposedBytes, int maxExposedBytes, int receiveDepth, int minVersion, int maxVersion, int trafficClass) {
    /** Versions with different quotients by this belong to different protocols. */
    public static final int VERSIONS_PER_PROTOCOL = 64;

    public static final int MIN_RECEIVE_DEPTH = 4;
    public static final int MAX_RECEIVE_DEPTH = 2048;
    private static final int MAX_TRAFFIC_CLASS = 255;
    public static final int MIN_EXPOSED_BYTES = 4096;
    public static final int MAX_EXPOSED_BYTES = 64 << 20;

    /** First hidden buffer of a connection, in bytes; {@code exs.buffer} bounds its growth, and may be less. */
    public static final int USUAL_EXPOSED_BYTES = 256 << 10;

    /** Messages that may be under way in one direction. Bytes are limited by the hidden buffer, not by this. */
    public static final int USUAL_RECEIVE_DEPTH = 256;

    public EndpointParameters {
        require(isPowerOfTwo(exposedBytes, MIN_EXPOSED_BYTES, MAX_EXPOSED_BYTES), "exposedBytes", exposedBytes);
        require(isPowerOfTwo(maxExposedBytes, exposedBytes, MAX_EXPOSED_BYTES), "maxExposedBytes", maxExposedBytes);
        require(isPowerOfTwo(receiveDepth, MIN_RECEIVE_DEPTH, MAX_RECEIVE_DEPTH), "receiveDepth", receiveDepth);
        require(minVersion >= 1 && minVersion <= maxVersion, "minVersion", minVersion);
        require(trafficClass >= 0 && trafficClass <= MAX_TRAFFIC_CLASS, "trafficClass", trafficClass);
    }

    /** With the system's traffic class. */
    public EndpointParameters(int exposedBytes, int maxExposedBytes, int receiveDepth, int minVersion, int maxVersion) {
        this(exposedBytes, maxExposedBytes, receiveDepth, minVersion, maxVersion, 0);
    }

    /** For an end that exposes nothing beyond {@code exposedBytes}. */
    public EndpointParameters(int exposedBytes, int receiveDepth, int minVersion, int maxVersion) {
        this(exposedBytes, exposedBytes, receiveDepth, minVersion, maxVersion);
    }

    /** {@return these with a traffic class; with their own if it is 0} */
    public EndpointParameters withTrafficClass(int other) {
        return other == 0
                ? this
                : new EndpointParameters(exposedBytes, maxExposedBytes, receiveDepth, minVersion, maxVersion, other);
    }

    /** {@return whether a value, such as a peer says, is a power of two from {@code min} to {@code max}} */
    public static boolean isPowerOfTwo(int value, int min, int max) {
        return Integer.bitCount(value) == 1 && value >= min && value <= max;
    }

    private static void require(boolean valid, String name, int value) {
        if (!valid) {
            throw new IllegalArgumentException("endpoint parameters: out of range: " + name + "=" + value);
        }
    }
}
