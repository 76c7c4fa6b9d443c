package org.exsockets.stream;

/** Has hidden buffers grow when a stress test wants it. */
public final class GrowingStream {
    private GrowingStream() {}

    /** The caller has the role of the poller of {@code reader}. */
    public static void grow(StreamEngine reader, int lengthBytes) {
        reader.grow(lengthBytes);
    }
}
