package org.exsockets.stream;

import java.util.Objects;

/** Makes hidden buffers grow for a stress test. */
public final class GrowingStream {
    private GrowingStream() {}

    /** The caller must be the poller of {@code reader}, whose buffer has not grown. */
    public static void grow(StreamEngine reader, int lengthBytes) {
        Growth growth = Objects.requireNonNull(reader.incoming.buffers.growth);
        growth.wantedLength = lengthBytes;
        reader.tryGrow(growth);
    }
}
