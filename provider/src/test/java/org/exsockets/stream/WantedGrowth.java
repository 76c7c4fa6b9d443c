package org.exsockets.stream;

/** Growth that a test wants, whatever the policy says. */
final class WantedGrowth {
    private WantedGrowth() {}

    /** Poller: makes the hidden buffer of {@code engine} grow to {@code lengthBytes}, unless it is growing. */
    static void grow(StreamEngine engine, int lengthBytes) {
        HiddenBuffers buffers = engine.incoming.buffers;
        Growth growth = buffers.growth;
        if (growth == null) {
            return;
        }
        boolean follows = growth.announceDue || growth.announced() != null;
        if (!follows && lengthBytes > buffers.arriving.length) {
            growth.wantedLength = lengthBytes;
        }
        engine.tryGrow(growth);
    }
}
