package org.exsockets.verbs.soft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SocketChannel;
import org.exsockets.verbs.CompletionChannel;

/**
 * One end of a Unix-domain socket as completion channel: a byte is an event, end of file is the peer's end.
 *
 * <p>Thread-safe. Bytes carry no information; a full socket buffer already wakes the peer, so a write that would block
 * is dropped.
 */
final class Doorbell implements CompletionChannel {
    private static final int DRAIN_BYTES = 64;

    private final SocketChannel channel;

    /** Only ever read from: its content does not matter. */
    private final ByteBuffer bell = ByteBuffer.allocateDirect(1);

    private volatile boolean hungUp;

    /** @param channel connected; becomes non-blocking */
    Doorbell(SocketChannel channel) throws IOException {
        this.channel = channel;
        channel.configureBlocking(false);
    }

    @Override
    public SelectableChannel selectable() {
        return channel;
    }

    /** Wakes the peer. A peer that is gone is noticed by {@link #drain()}. */
    void ring() {
        try {
            channel.write(bell.duplicate());
        } catch (IOException peerGoneOrClosed) {
            hungUp = true;
        }
    }

    @Override
    public int drain() {
        if (hungUp) {
            return HANGUP;
        }
        ByteBuffer bytes = ByteBuffer.allocate(DRAIN_BYTES);
        int events = 0;
        try {
            int n;
            while ((n = channel.read(bytes.clear())) > 0) {
                events = EVENT;
                if (n < DRAIN_BYTES) {
                    // Bytes that arrive after this read keep the channel readable: nothing is lost by leaving.
                    return EVENT;
                }
            }
            if (n < 0) {
                hungUp = true;
            }
        } catch (IOException resetOrClosed) {
            hungUp = true;
        }
        return hungUp ? events | HANGUP : events;
    }

    /** Ends the connection: the peer sees end of file at once, even if closing is deferred by a selector. */
    void close() {
        hungUp = true;
        try {
            channel.shutdownOutput();
        } catch (IOException notConnectedAnyMore) {
            // The peer was faster; closing below is all that is left to do.
        }
        try {
            channel.close();
        } catch (IOException e) {
            throw new IllegalStateException("doorbell: close failed", e);
        }
    }
}
