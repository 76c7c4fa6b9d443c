package org.exsockets.stream;

/** What those who watch a program are told of a stream. Any thread; roughly right. */
public final class Gauges {
    private Gauges() {}

    /** {@return bytes of this end's hidden buffer} */
    public static int hiddenBytes(StreamEngine stream) {
        return stream.incoming.buffers.arriving.length;
    }

    /** {@return bytes of the peer's hidden buffer} */
    public static int peersHiddenBytes(StreamEngine stream) {
        return stream.outgoing.buffers.lengthBytes();
    }
}
