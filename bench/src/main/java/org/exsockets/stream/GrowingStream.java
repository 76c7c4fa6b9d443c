package org.exsockets.stream;

/** Makes hidden buffers grow for a stress test. */
public final class GrowingStream {
    private GrowingStream() {}

    /** The caller must be the poller of {@code reader}. */
    public static void grow(StreamEngine reader, int lengthBytes) {
        reader.grow(lengthBytes);
    }
}
